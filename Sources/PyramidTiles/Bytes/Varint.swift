/// Integers of variable length, as in protobuf and PMTiles: seven bits per byte, the lowest first.
///
/// Source: [Protocol Buffers, Encoding](https://protobuf.dev/programming-guides/encoding/#varints).
extension ByteBuffer {
    @inlinable @inline(__always)
    package mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// A signed integer; those near zero need few bytes: 0, -1, 1, -2 ... become 0, 1, 2, 3 ...
    package mutating func append(zigzag value: Int64) {
        append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }
}

extension Span<UInt8> {
    /// Reads the integer at a position and moves the position past it; `nil` if the bytes end too early or the integer
    /// has more than 64 bits.
    @inline(__always)
    package func varint(at position: inout Int) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < count {
            let byte = self[position]
            position += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return shift < 63 || byte <= 1 ? value : nil }
            shift += 7
            if shift > 63 { return nil }
        }
        return nil
    }
}
