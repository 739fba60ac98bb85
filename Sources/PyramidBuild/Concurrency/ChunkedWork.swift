import Foundation
import Synchronization

/// One of the workers that share work in chunks, with buffers of its own.
protocol ChunkWorker: ~Copyable, SendableMetatype {
    associatedtype Written: Sendable
    /// What it has written so far.
    var written: [Written] { get }
    mutating func write(chunk: Int) throws
}

/// Lets workers take one chunk after the other until none is left.
/// - Parameters:
///   - chunkWritten: is called after each chunk with its number and with how much was written of it, by any worker.
/// - Returns: what all workers have written, in no particular order.
/// - Throws: the first error of any worker.
func writeConcurrently<Worker: ChunkWorker & ~Copyable>(
    chunkCount: Int, jobs: Int, _ makeWorker: @Sendable () -> Worker,
    chunkWritten: @Sendable (_ chunk: Int, _ written: Int) -> Void
) throws -> [Worker.Written] {
    let next = Atomic(0)
    let results = Mutex<Result<[Worker.Written], any Error>>(.success([]))
    DispatchQueue.concurrentPerform(iterations: min(jobs, max(chunkCount, 1))) { _ in
        var worker = makeWorker()
        do {
            while true {
                let chunk = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard chunk < chunkCount else { break }
                let before = worker.written.count
                try worker.write(chunk: chunk)
                chunkWritten(chunk, worker.written.count - before)
            }
            let written = worker.written
            results.withLock { $0 = $0.map { $0 + written } }
        } catch {
            // The first failure is reported; the other workers find no more chunks.
            next.store(chunkCount, ordering: .relaxed)
            results.withLock { if case .success = $0 { $0 = .failure(error) } }
        }
    }
    return try results.withLock { try $0.get() }
}
