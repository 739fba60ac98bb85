/// How to divide an input into chunks that several threads read concurrently.
package struct InputCutting: Sendable {
    /// The number of threads.
    package var jobs: Int
    /// The approximate size of a chunk.
    var chunkBytes = 1 << 19

    package init(jobs: Int = 1, chunkBytes: Int = 1 << 19) { (self.jobs, self.chunkBytes) = (jobs, chunkBytes) }

    /// Chunks per thread in each parallel batch.
    private static let chunksPerJob = 16

    /// The next batch of chunks from `start`, each ending at a line end. A large input is read in several batches,
    /// because the result of each batch is briefly in memory twice.
    func nextChunks(of bytes: Span<UInt8>, from start: Int) -> [Range<Int>] {
        var chunks: [Range<Int>] = []
        var start = start
        while start < bytes.count, chunks.count < (jobs > 1 ? jobs * InputCutting.chunksPerJob : 1) {
            let end = bytes.nextLine(after: min(start + chunkBytes, bytes.count))
            chunks.append(start..<end)
            start = end
        }
        return chunks
    }
}
