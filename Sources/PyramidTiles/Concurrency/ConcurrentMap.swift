import Synchronization

/// What `transform` makes of every number below `count`, in their order: on at most `jobs` threads at once.
package func mapConcurrently<Result: Sendable>(
    count: Int, jobs: Int, _ transform: @Sendable (Int) -> Result
) -> [Result] {
    let results = Mutex([Result?](repeating: nil, count: count))
    forEachConcurrently(count: count, jobs: jobs) { number in
        let result = transform(number)
        results.withLock { $0[number] = result }
    }
    return results.withLock { $0.compactMap(\.self) }
}
