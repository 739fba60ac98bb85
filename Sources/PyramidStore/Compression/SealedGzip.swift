import PyramidTiles

/// Gzip data with a checksum of all bytes after the header, so that every flipped bit is detected.
///
/// Gzip's own checksum covers only the content, not padding bits. This one is in an extra field of the header, which
/// other readers skip (RFC 1952, 2.3.1.1). The rest of the header is fixed.
package enum SealedGzip {
    /// The flag for extra fields.
    private static let extraFlag: UInt8 = 4
    /// The size of all extra fields, then the only field's name and the size of its content.
    private static let field: [UInt8] = [8, 0] + Array("PY".utf8) + [4, 0]
    private static var fixedBytes: [UInt8] {
        var header = GzipCompressor.header
        header[3] = extraFlag
        return header + field
    }

    package static func compress(_ content: [UInt8]) -> [UInt8] {
        var buffer = ByteBuffer(capacity: content.count / 2 + 64)
        content.withUnsafeBytes { GzipCompressor(level: Gzip.levels.upperBound).compress($0, into: &buffer) }
        let rest = buffer.withUnsafeBytes { Array($0.dropFirst(GzipCompressor.header.count)) }
        return fixedBytes + littleEndian(Gzip.crc32(rest)) + rest
    }

    /// Whether the header and the checksum are right.
    package static func isSound(_ bytes: [UInt8]) -> Bool {
        let start = fixedBytes
        guard bytes.starts(with: start), bytes.count > start.count + 4 else { return false }
        let rest = Array(bytes[(start.count + 4)...])
        return bytes[start.count..<start.count + 4].elementsEqual(littleEndian(Gzip.crc32(rest)))
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
