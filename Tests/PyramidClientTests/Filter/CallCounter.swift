import Synchronization

/// Counts the calls of a function.
final class CallCounter: Sendable {
    private let calls = Mutex(0)

    var number: Int { calls.withLock { $0 } }

    func count() { calls.withLock { $0 += 1 } }
}
