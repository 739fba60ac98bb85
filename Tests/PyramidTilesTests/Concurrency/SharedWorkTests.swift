import PyramidTiles
import Synchronization
import TestSupport
import Testing

@Suite(.tags(.threads)) struct SharedWorkTests {
    private struct Stop: Error, Equatable { let number: Int }

    @Test(arguments: [1, 2, 7], [0, 1, 2, 1001])
    func `every number is visited once`(jobs: Int, count: Int) {
        let visits = Mutex([Int](repeating: 0, count: count))
        SharedWork(jobs: jobs).forEach(count: count) { number in visits.withLock { $0[number] += 1 } }
        #expect(visits.withLock { $0 } == [Int](repeating: 1, count: count))
    }

    @Test(arguments: [1, 2, 7], [0, 1, 1001])
    func `results come in the order of their parts`(jobs: Int, count: Int) {
        let work = SharedWork(jobs: jobs, chunkSize: 3)
        let parts = work.chunks(of: 5..<5 + count)
        #expect(work.map(parts) { Array($0) } == parts.map { Array($0) })
    }

    @Test(arguments: [1, 2, 7], [0, 1, 1001])
    func `every element is written in its place`(jobs: Int, count: Int) {
        let squares: [Int] = SharedWork(jobs: jobs, chunkSize: 10).elements(count: count) { part, squares in
            for index in part { squares[index] = index * index }
        }
        #expect(squares == (0..<count).map { $0 * $0 })
    }

    @Test(arguments: [1, 2, 7])
    func `there is a worker for each thread at most, and it keeps its state`(jobs: Int) throws {
        let workers = Atomic(0)
        let calls = Mutex<[Int: [Int]]>([:])
        SharedWork(jobs: jobs).forEach(count: 500) {
            (worker: workers.wrappingAdd(1, ordering: .relaxed).oldValue, callCount: 0)
        } _: { state, _ in
            state.callCount += 1
            let (worker, callCount) = state
            calls.withLock { $0[worker, default: []].append(callCount) }
        }
        #expect((1...jobs).contains(workers.load(ordering: .relaxed)))
        let counts = calls.withLock { $0 }
        #expect(counts.values.allSatisfy { $0 == Array(1...$0.count) })
        #expect(counts.values.reduce(0) { $0 + $1.count } == 500)
    }

    @Test func `the first error is thrown and ends one thread's work`() {
        let begun = Mutex<[Int]>([])
        #expect(throws: Stop(number: 3)) {
            try SharedWork(jobs: 1).forEach(count: 100) {
            } _: { (_: inout Void, number: Int) throws(Stop) in
                begun.withLock { $0.append(number) }
                if number >= 3 { throw Stop(number: number) }
            }
        }
        #expect(begun.withLock { $0 } == [0, 1, 2, 3])
    }

    @Test(arguments: [2, 7])
    func `an error stops the other threads`(jobs: Int) {
        let count = 1_000_000
        let hasFailed = Atomic(false)
        let begun = Atomic(0)
        #expect(throws: Stop.self) {
            try SharedWork(jobs: jobs).forEach(count: count) {
            } _: { (_: inout Void, number: Int) throws(Stop) in
                begun.wrappingAdd(1, ordering: .relaxed)
                if number == 0 {
                    hasFailed.store(true, ordering: .releasing)
                    throw Stop(number: number)
                }
                // The others are still at their first number when the error is thrown.
                while !hasFailed.load(ordering: .acquiring) {}
            }
        }
        #expect(begun.load(ordering: .relaxed) < count)
    }

    @Test(arguments: [0..<0, 4..<5, 3..<17, -5..<11], [1, 2, 3, 100])
    func `parts cover a range in order`(range: Range<Int>, size: Int) {
        let bySize = range.split(every: size)
        #expect(bySize.flatMap { Array($0) } == Array(range))
        #expect(bySize.dropLast().allSatisfy { $0.count == size })
        #expect(bySize.allSatisfy { (1...size).contains($0.count) })

        let byCount = range.split(into: size)
        #expect(byCount.flatMap { Array($0) } == Array(range))
        #expect(byCount.count <= size)
    }

    @Test func `several threads write an array`() {
        var numbers = [Int](repeating: 0, count: 1001)
        numbers.withSharedElements { numbers in
            SharedWork(jobs: 3).forEach(count: numbers.count) { numbers[$0] = -$0 }
        }
        #expect(numbers == (0...1000).map { -$0 })
    }
}
