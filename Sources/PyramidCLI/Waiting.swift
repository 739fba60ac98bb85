import Dispatch
import Synchronization

/// Runs asynchronous work to its end.
///
/// The commands are synchronous: an asynchronous main function begins with threads of its own, and ``Interruption`` has to
/// come before all threads.
func waiting(for work: @escaping @Sendable () async throws -> Void) throws {
    let failure = Mutex<(any Error)?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        do { try await work() } catch { failure.withLock { $0 = error } }
        isDone.signal()
    }
    isDone.wait()
    if let error = failure.withLock({ $0 }) { throw error }
}
