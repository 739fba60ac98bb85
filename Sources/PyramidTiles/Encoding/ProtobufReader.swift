/// Reads protobuf fields (https://protobuf.dev/programming-guides/encoding) from a range of bytes.
struct ProtobufReader {
    let bytes: UnsafeRawBufferPointer
    private(set) var position: Int
    private let end: Int

    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
        self.bytes = bytes
        (position, end) = (range.lowerBound, range.upperBound)
    }

    var isAtEnd: Bool { position >= end }

    @inline(__always)
    mutating func readVarint() throws(JSONFault) -> UInt64 {
        // Most numbers have one byte.
        guard position < end, bytes[position] < 0x80 else { return try readLongVarint() }
        position += 1
        return UInt64(bytes[position - 1])
    }

    private mutating func readLongVarint() throws(JSONFault) -> UInt64 {
        let start = position
        let span = UnsafeRawBufferPointer(rebasing: bytes[..<end]).assumingMemoryBound(to: UInt8.self).span
        guard let value = span.varint(at: &position) else {
            throw JSONFault(offset: start, expected: "a number of at most 64 bits")
        }
        return value
    }

    /// The range of a field of bytes.
    mutating func readRange() throws(JSONFault) -> Range<Int> {
        let start = position
        let count = try readVarint()
        guard count <= UInt64(end - position) else {
            throw JSONFault(offset: start, expected: "a length of at most the \(end - position) bytes that follow")
        }
        position += Int(count)
        return position - Int(count)..<position
    }

    mutating func readFixed<Number: FixedWidthInteger>(_ type: Number.Type) throws(JSONFault) -> Number {
        let size = MemoryLayout<Number>.size
        guard end - position >= size else { throw JSONFault(offset: position, expected: "\(size) bytes") }
        position += size
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position - size, as: Number.self))
    }

    /// Reads the key of a field.
    /// - Parameter expected: for the error if protobuf has no such wire type.
    mutating func readKey(_ expected: String) throws(JSONFault) -> (field: UInt64, type: MVT.WireType, offset: Int) {
        let offset = position
        let key = try readVarint()
        guard let type = MVT.WireType(rawValue: UInt8(key & 7)) else {
            throw JSONFault(offset: offset, expected: expected)
        }
        return (key >> 3, type, offset)
    }

    /// Skips fields up to one of bytes.
    /// - Returns: where it starts, and its content.
    mutating func skip(to field: UInt64) throws(JSONFault) -> (start: Int, content: Range<Int>) {
        while true {
            let (found, type, offset) = try readKey("a field")
            switch type {
            case .varint: _ = try readVarint()
            case .bytes:
                let content = try readRange()
                if found == field { return (offset, content) }
            case .fourBytes: _ = try readFixed(UInt32.self)
            case .eightBytes: _ = try readFixed(UInt64.self)
            }
        }
    }

    /// Reads a geometry to its end: one place in a tile.
    mutating func readPlace(in tile: TileCoordinate) throws(JSONFault) -> WorldPoint {
        let start = position
        guard !isAtEnd, try readVarint() == 1 << 3 | 1 else {
            throw JSONFault(offset: start, expected: "a command that moves to one place")
        }
        // The lowest bits are the signs.
        let x = try readVarint()
        let y = try readVarint()
        guard isAtEnd, (x | y) & 1 == 0, max(x, y) >> 1 < UInt64(MVT.extent) else {
            throw JSONFault(offset: start, expected: "one place in the tile")
        }
        return WorldPoint(
            x: MVTPlace.worldCoordinate(ofUnit: UInt32(x >> 1), in: tile.x, atZoom: tile.z),
            y: MVTPlace.worldCoordinate(ofUnit: UInt32(y >> 1), in: tile.y, atZoom: tile.z))
    }
}
