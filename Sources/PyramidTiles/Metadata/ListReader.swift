/// Reads lines of a list from bytes: through strings a list of a million tiles would take seconds.
struct ListReader {
    private let bytes: [UInt8]
    private var position: Int

    private init(bytes: [UInt8], position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// The entries of a list, each after the one before it.
    /// - Parameters:
    ///   - header: the first line.
    ///   - name: what an entry is called in an error.
    ///   - read: reads the first fields of a line; `nil` where they are not as they should be.
    /// - Throws: ``MetadataError`` with the number of the first line that is not as it should be.
    static func entries<Address: Comparable, Entry>(
        of bytes: [UInt8], header: String, name: String, _ read: (inout ListReader) -> Address?,
        _ makeEntry: (Address, StoredFile) -> Entry
    ) throws(MetadataError) -> [Entry] {
        let header = Array("\(header)\n".utf8)
        guard bytes.starts(with: header) else {
            throw MetadataError(bytes.isEmpty ? "is empty" : "line 1 is not the header")
        }
        var entries: [Entry] = []
        entries.reserveCapacity(bytes.count / 32)
        var line = ListReader(bytes: bytes, position: header.count)
        var last: Address?
        while line.position < bytes.count {
            let start = line.position
            guard let address = read(&line), let file = line.readFile(), last.map({ $0 < address }) ?? true else {
                let text = String(
                    decoding: bytes[start...].prefix { $0 != UInt8(ascii: "\n") }.prefix(80), as: UTF8.self)
                throw MetadataError(
                    "line \(entries.count + 2) is \"\(text)\", expected the next \(name) with sizes and checksums")
            }
            entries.append(makeEntry(address, file))
            last = address
        }
        return entries
    }

    private mutating func readFile() -> StoredFile? {
        guard take("\t"), let byteCount = readInteger(), take("\t"), let crc32 = readHexadecimal(), take("\t"),
            let bodyByteCount = readInteger(), take("\t"), let bodyCRC32 = readHexadecimal(), take("\n"),
            max(byteCount, bodyByteCount) <= Int(UInt32.max)
        else { return nil }
        return StoredFile(byteCount: byteCount, crc32: crc32, bodyByteCount: bodyByteCount, bodyCRC32: bodyCRC32)
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Decimal digits without sign or leading zeros, at most 18 of them.
    mutating func readInteger() -> Int? {
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

    /// Eight digits in lower case.
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
