import Dispatch
import Foundation

/// The results of `body` for 0 ..< count, in that order, computed by up to `jobs` threads at once.
func concurrentMap<Result: Sendable>(
    count: Int, jobs: Int, _ body: @escaping @Sendable (Int) -> Result
) -> [Result] {
    guard jobs > 1, count > 1 else { return (0..<count).map(body) }
    let results = SharedResults<Result>(count: count)
    DispatchQueue.concurrentPerform(iterations: min(jobs, count)) { _ in
        while let index = results.takeIndex() {
            results.set(body(index), at: index)
        }
    }
    return results.all
}

/// Hands out indices and takes results, one thread at a time.
private final class SharedResults<Result: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var next = 0
    private var results: [Result?]

    init(count: Int) {
        results = Array(repeating: nil, count: count)
    }

    func takeIndex() -> Int? {
        lock.withLock {
            guard next < results.count else { return nil }
            defer { next += 1 }
            return next
        }
    }

    func set(_ result: Result, at index: Int) {
        lock.withLock { results[index] = result }
    }

    /// Complete once every index was taken and its result set.
    var all: [Result] { lock.withLock { results.compactMap { $0 } } }
}
