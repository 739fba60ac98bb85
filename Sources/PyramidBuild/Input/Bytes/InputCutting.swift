/// How to divide an input into chunks that several threads read concurrently.
struct InputCutting: Sendable {
    /// The number of threads.
    var jobs = 1
    /// The approximate size of a chunk.
    var partBytes = 1 << 19

    /// Chunks per thread in each parallel batch.
    private static let partsPerJob = 16

    /// The next batch of chunks from `start`, each ending at a line end. A large input is read in several batches,
    /// because the result of each batch is briefly in memory twice.
    func nextParts(of bytes: Span<UInt8>, from start: Int) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = start
        while start < bytes.count, parts.count < (jobs > 1 ? jobs * InputCutting.partsPerJob : 1) {
            let end = bytes.nextLine(after: min(start + partBytes, bytes.count))
            parts.append(start..<end)
            start = end
        }
        return parts
    }
}
