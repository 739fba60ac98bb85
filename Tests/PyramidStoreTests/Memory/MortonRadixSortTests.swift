import TestSupport
import Testing

@testable import PyramidStore

struct MortonRadixSortTests {
    /// Keys of all kinds: of full width and of a few bits, in lumps within lumps, and many of them the same.
    private static let shapes: [(name: String, key: @Sendable (Int, inout SeededRandom) -> UInt64)] = [
        ("any", { _, random in random.next() }),
        ("few bits", { _, random in random.next() & 0x0070_0000_0300_0001 }),
        ("all but one the same", { index, _ in index == 17 ? 3 : 1 << 63 | 7 }),
        ("all the same", { _, _ in 12 }),
        ("lumps within lumps", { _, random in random.next() >> UInt64(random.next(below: 64)) }),
        ("ascending", { index, _ in UInt64(index / 3) << 20 }),
        ("descending", { index, _ in .max - UInt64(index) }),
    ]

    @Test(arguments: shapes.indices, [0, 1, 2, 24, 25, 26, 1_000, 60_000])
    func `keys are sorted, and the numbers of equal ones keep their order`(shape: Int, count: Int) {
        var random = SeededRandom(seed: UInt64(count))
        let given = (0..<count).map { MortonRadixSortTests.shapes[shape].key($0, &random) }
        let expected = given.indices.sorted { (given[$0], $0) < (given[$1], $1) }
        for jobs in [1, 2, 3, 16] {
            var keys = given
            var numbers = (0..<UInt32(count)).map { $0 &* 7 }
            MortonRadixSort.sort(keys: &keys, indices: &numbers, jobs: jobs)
            #expect(keys == expected.map { given[$0] }, "\(jobs) jobs")
            #expect(numbers == expected.map { UInt32($0) &* 7 }, "\(jobs) jobs")
        }
    }
}
