extension TileList {
    /// Reads the file's bytes: exactly what ``encoded()`` writes and nothing else.
    /// - Throws: ``MetadataError`` with the number of the first line that is not as it should be.
    public init(decoding bytes: [UInt8]) throws(MetadataError) {
        let header = Array("\(TileList.header)\n".utf8)
        guard bytes.starts(with: header) else {
            throw MetadataError(bytes.isEmpty ? "is empty" : "line 1 is not the header")
        }
        var entries: [Entry] = []
        entries.reserveCapacity(bytes.count / 32)
        var line = LineReader(bytes: bytes, position: header.count)
        while line.position < bytes.count {
            let start = line.position
            guard let entry = line.readEntry(), entries.last.map({ $0.tile < entry.tile }) ?? true else {
                let text = String(
                    decoding: bytes[start...].prefix { $0 != UInt8(ascii: "\n") }.prefix(80), as: UTF8.self)
                throw MetadataError(
                    "line \(entries.count + 2) is \"\(text)\", expected the next tile with sizes and checksums")
            }
            entries.append(entry)
        }
        self.init(ascending: entries)
    }
}

/// Reads lines of the list from bytes: through strings a list of a million tiles would take seconds.
private struct LineReader {
    let bytes: [UInt8]
    var position: Int

    mutating func readEntry() -> TileList.Entry? {
        guard let z = readInteger(), take("/"), let x = readInteger(), take("/"), let y = readInteger(), take("\t"),
            let byteCount = readInteger(), take("\t"), let crc32 = readHexadecimal(), take("\t"),
            let bodyByteCount = readInteger(), take("\t"), let bodyCRC32 = readHexadecimal(), take("\n"),
            let tile = TileCoordinate(z: z, x: x, y: y)
        else { return nil }
        return TileList.Entry(
            tile: tile, byteCount: byteCount, crc32: crc32, bodyByteCount: bodyByteCount, bodyCRC32: bodyCRC32)
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
