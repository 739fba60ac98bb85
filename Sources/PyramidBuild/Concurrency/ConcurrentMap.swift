import Synchronization

extension Range<Int> {
    /// What `transform` makes of the parts of `size` that the range is cut into, in their order: on at most `jobs`
    /// threads at once.
    func mapConcurrently<Result: Sendable>(
        every size: Int, jobs: Int, _ transform: @Sendable (Range<Int>) -> Result
    ) -> [Result] {
        let parts = split(every: size)
        let results = Mutex([Result?](repeating: nil, count: parts.count))
        forEachConcurrently(count: parts.count, jobs: jobs) { part in
            let result = transform(parts[part])
            results.withLock { $0[part] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}
