@testable import PyramidTiles

@testable import PyramidStore

private let limitBytes = 1 << 18

/// Inflating respects its limit, and gives the same result as a whole and in pieces. Any bytes survive compression.
func checkGunzip(_ bytes: UnsafeRawBufferPointer) {
    let whole = inflated([UInt8](bytes))
    if case .success(let content) = whole { require(content.count <= limitBytes, "the limit is exceeded") }
    checkPieces(bytes, whole)

    var buffer = ByteBuffer()
    GzipCompressor(level: 1 + bytes.count % 9).compress(bytes, into: &buffer)
    let content = [UInt8](bytes)
    let back = buffer.withUnsafeBytes { inflated([UInt8]($0)) }
    require(content.count > limitBytes || back == .success(content), "content does not survive compression")
}

private func inflated(_ bytes: [UInt8]) -> Result<[UInt8], GzipError> {
    Result { () throws(GzipError) in try Gzip.decompress(bytes, limitBytes: limitBytes) }
}

/// In pieces of a few bytes, with room for a few bytes at a time.
private func checkPieces(_ bytes: UnsafeRawBufferPointer, _ whole: Result<[UInt8], GzipError>) {
    guard bytes.count < 4096, case .success(let expected) = whole, expected.count < 1 << 14 else { return }
    var content: [UInt8] = []
    do throws(GzipError) {
        let inflater = try GzipInflater()
        for start in stride(from: 0, to: bytes.count, by: 7) {
            var piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + 7, bytes.count)])
            while !piece.isEmpty { piece = try inflater.inflate(piece, appendingTo: &content, stepBytes: 33) }
        }
        while !inflater.isAtMemberEnd {
            let count = content.count
            _ = try inflater.inflate(
                UnsafeRawBufferPointer(rebasing: bytes[..<0]), appendingTo: &content, stepBytes: 33)
            require(content.count > count || inflater.isAtMemberEnd, "inflating comes to no end")
        }
    } catch {
        fatalError("pieces can't be inflated: \(error)")
    }
    require(content == expected, "pieces are inflated to something else")
}
