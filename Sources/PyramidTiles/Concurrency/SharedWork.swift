import PyramidPlatform
import Synchronization

/// Shares work among threads: as many as asked for, or fewer if the system allows no more. The order of chunks varies from
/// run to run, so results must not depend on it.
///
///     let sums = SharedWork(jobs: 4).map((0..<values.count).split(every: 1000)) { chunk in
///         values[chunk].reduce(0, +)
///     }
@usableFromInline
package struct SharedWork: Sendable {
    /// The maximum number of threads at once.
    package let jobs: Int
    /// The number of elements that are worth another thread.
    package let chunkSize: Int

    package init(jobs: Int, chunkSize: Int = 1 << 13) {
        self.jobs = jobs
        self.chunkSize = chunkSize
    }

    @usableFromInline
    package func chunks(of range: Range<Int>) -> [Range<Int>] { range.split(every: chunkSize) }

    /// Calls `body` once with every number in `0 ..< count`.
    package func forEach(count: Int, _ body: @Sendable (Int) -> Void) {
        forEach(count: count) {
        } _: { (_: inout Void, number: Int) in
            body(number)
        }
    }

    /// Calls `body` once with every number in `0 ..< count`, and with its thread's worker.
    /// - Parameter makeWorker: makes the worker of one thread, such as its buffers.
    /// - Throws: the first error of `body`, after which no other number is begun.
    package func forEach<Worker: ~Copyable, Failure: Error>(
        count: Int, _ makeWorker: @Sendable () -> Worker,
        _ body: @Sendable (inout Worker, Int) throws(Failure) -> Void
    ) throws(Failure) {
        guard jobs > 1, count > 1 else {
            guard count > 0 else { return }
            var worker = makeWorker()
            for number in 0..<count { try body(&worker, number) }
            return
        }
        let next = Atomic(0)
        let failure = Mutex<Failure?>(nil)
        WorkerThread.call(atMost: min(jobs, count)) {
            var worker = makeWorker()
            do throws(Failure) {
                while true {
                    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard number < count else { return }
                    try body(&worker, number)
                }
            } catch {
                // The other threads find no more work.
                next.store(count, ordering: .relaxed)
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// Calls `body` with every chunk and its index.
    @usableFromInline
    package func forEach(_ chunks: [Range<Int>], _ body: @Sendable (_ index: Int, _ chunk: Range<Int>) -> Void) {
        forEach(count: chunks.count) { body($0, chunks[$0]) }
    }

    /// The results of `transform` for all chunks, in order.
    package func map<Result: Sendable>(
        _ chunks: [Range<Int>], _ transform: @Sendable (Range<Int>) -> Result
    ) -> [Result] {
        let results = Mutex([Result?](repeating: nil, count: chunks.count))
        forEach(chunks) { index, chunk in
            let result = transform(chunk)
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }

    /// An array whose chunks are written by several threads.
    /// - Parameter write: writes every element of a chunk.
    @inlinable
    package func elements<Element: BitwiseCopyable>(
        count: Int, _ write: @Sendable (Range<Int>, SharedElements<Element>) -> Void
    ) -> [Element] {
        [Element](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            let elements = SharedElements(buffer)
            forEach(chunks(of: 0..<count)) { write($1, elements) }
            initializedCount = count
        }
    }
}

extension Range<Int> {
    /// Cuts the range into chunks of `size`; the last one may be smaller.
    package func split(every size: Int) -> [Range<Int>] {
        stride(from: lowerBound, to: upperBound, by: size).map { $0..<Swift.min($0 + size, upperBound) }
    }

    /// Cuts the range into at most `count` chunks of about the same size.
    package func split(into count: Int) -> [Range<Int>] {
        split(every: Swift.max((self.count + count - 1) / count, 1))
    }
}

/// Memory that several threads write at once. Every access is checked against the bounds; no two threads may use the
/// same element.
@usableFromInline
package struct SharedElements<Element: BitwiseCopyable>: @unchecked Sendable {
    @usableFromInline let elements: UnsafeMutableBufferPointer<Element>

    @inlinable package init(_ elements: UnsafeMutableBufferPointer<Element>) { self.elements = elements }

    @inlinable package var count: Int { elements.count }

    @inlinable @inline(__always)
    package subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < elements.count, "no such element")
            return elements[index]
        }
        nonmutating set {
            precondition(index >= 0 && index < elements.count, "no such element")
            elements[index] = newValue
        }
    }

    /// Calls `body` with memory for `count` elements, valid during the call. Write each element before reading it; a
    /// page of memory that is never touched costs nothing.
    @inlinable
    package static func withRoom<Result>(
        for count: Int, _ body: (SharedElements<Element>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: Element.self, capacity: count) { try body(SharedElements($0)) }
    }
}

extension Array where Element: BitwiseCopyable {
    /// Calls `body` with the elements, for several threads to write; valid during the call.
    @inlinable
    package mutating func withSharedElements<Result>(
        _ body: (SharedElements<Element>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeMutableBufferPointer { try body(SharedElements($0)) }
    }
}
