/// Reads the lines of a ``FileList`` from bytes. With strings, a million tiles would take seconds.
struct ListReader {
    let bytes: [UInt8]
    private(set) var position: Int

    init(bytes: [UInt8], position: Int) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The first field: an address, as its path without the suffix.
    mutating func readAddress() -> FileAddress? {
        guard let kind = readKind(), let z = readInteger(), take("/"), let x = readInteger(), take("/"),
            let y = readInteger()
        else { return nil }
        return FileAddress(kind, z, x, y)
    }

    /// "tiles/" and "bundles/", by kind.
    private static let folders = FileAddress.Kind.allCases.map { Array("\($0.folder)/".utf8) }

    private mutating func readKind() -> FileAddress.Kind? {
        // The folders' names begin with different letters.
        guard position < bytes.count,
            let index = ListReader.folders.firstIndex(where: { $0[0] == bytes[position] }),
            case let folder = ListReader.folders[index], bytes.count - position > folder.count
        else { return nil }
        for offset in folder.indices where bytes[position + offset] != folder[offset] { return nil }
        position += folder.count
        return FileAddress.Kind(rawValue: UInt8(index))
    }

    /// The fields after the address.
    mutating func readFile() -> StoredFile? {
        guard take("\t"), let byteCount = readInteger(), take("\t"), let crc32 = readHexadecimal(), take("\t"),
            let bodyByteCount = readInteger(), take("\t"), let bodyCRC32 = readHexadecimal(), take("\n"),
            max(byteCount, bodyByteCount) <= Int(UInt32.max)
        else { return nil }
        return StoredFile(byteCount: byteCount, crc32: crc32, bodyByteCount: bodyByteCount, bodyCRC32: bodyCRC32)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Decimal digits without sign or leading zeros, at most 18 of them.
    private mutating func readInteger() -> Int? {
        let start = position
        var value = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
            guard position - start < 18 else { return nil }
            value = value * 10 + Int(digit)
            position += 1
        }
        guard position > start, position - start == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        return value
    }

    /// Eight digits, in lower case.
    @inline(__always)
    private mutating func readHexadecimal() -> UInt32? {
        guard position + 8 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for _ in 0..<8 {
            switch bytes[position] {
            case let byte where byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"):
                value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
            case let byte where byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "f"):
                value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
            position += 1
        }
        return value
    }
}

extension StoredFile {
    /// Reads what ``append(to:)`` writes; `nil` for anything else.
    package init?(fields: ArraySlice<UInt8>) {
        var reader = ListReader(bytes: Array(fields), position: 0)
        guard let file = reader.readFile(), reader.isAtEnd else { return nil }
        self = file
    }
}
