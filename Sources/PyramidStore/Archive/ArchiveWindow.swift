import PyramidTiles

/// Reads ranges of an archive one after another. Ranges that are close together are read at once.
package struct ArchiveWindow {
    private let file: OpenedFile
    private let stepBytes: Int
    private var bytes: [UInt8] = []
    private var start = 0

    /// - Parameter stepBytes: how much is read at once, at least.
    package init(of file: OpenedFile, stepBytes: Int = OpenedFile.stepBytes) {
        (self.file, self.stepBytes) = (file, stepBytes)
    }

    /// Calls `body` with the bytes of a range, which must be within the file.
    package mutating func withBytes<Result>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(StoreError) -> Result {
        if range.lowerBound < start || range.upperBound > start + bytes.count {
            // After a step back, more may follow in either direction.
            let first = range.lowerBound < start ? max(0, range.lowerBound - stepBytes / 2) : range.lowerBound
            let end = max(range.upperBound, min(first + stepBytes, file.byteCount))
            bytes = try file.bytes(first..<end)
            start = first
        }
        return bytes.withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[range.lowerBound - start..<range.upperBound - start]))
        }
    }
}
