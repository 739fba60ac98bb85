import Foundation
import Synchronization

/// One of the workers that share work in chunks, with buffers of its own.
protocol ChunkWorker: ~Copyable, SendableMetatype {
    associatedtype Written: Sendable
    /// - Returns: what it has written.
    mutating func write(chunk: Int) throws -> [Written]
}

/// Lets workers take one chunk after the other until none is left.
/// - Parameters:
///   - limit: more is never written in all; room that is never filled costs no memory.
///   - chunkWritten: is called after each chunk with its number and with how much was written of it, by any worker.
/// - Returns: what all workers have written, in no particular order.
/// - Throws: the first error of any worker.
func writeConcurrently<Worker: ChunkWorker & ~Copyable>(
    chunkCount: Int, limit: Int, jobs: Int, _ makeWorker: @Sendable () -> Worker,
    chunkWritten: @Sendable (_ chunk: Int, _ written: Int) -> Void
) throws -> [Worker.Written] {
    let next = Atomic(0)
    let results = Mutex<Result<[Worker.Written], any Error>>(.success([]))
    results.withLock { $0.reserve(limit) }
    DispatchQueue.concurrentPerform(iterations: min(jobs, max(chunkCount, 1))) { _ in
        var worker = makeWorker()
        do {
            while true {
                let chunk = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard chunk < chunkCount else { break }
                let written = try worker.write(chunk: chunk)
                chunkWritten(chunk, written.count)
                results.withLock { $0.append(written) }
            }
        } catch {
            // The first failure is reported; the other workers find no more chunks.
            next.store(chunkCount, ordering: .relaxed)
            results.withLock { if case .success = $0 { $0 = .failure(error) } }
        }
    }
    return try results.withLock { try $0.get() }
}

extension Result where Failure == any Error {
    fileprivate mutating func reserve<Written>(_ count: Int) where Success == [Written] {
        var all: [Written] = []
        all.reserveCapacity(count)
        self = .success(all)
    }

    fileprivate mutating func append<Written>(_ part: [Written]) where Success == [Written] {
        guard case .success(var all) = self else { return }
        // Else the list would be copied.
        self = .success([])
        all += part
        self = .success(all)
    }
}
