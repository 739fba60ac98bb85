import PyramidTiles

/// Sorts 64-bit keys together with their numbers: into buckets by the highest bits that differ, then each bucket in the
/// same way, so that buckets soon fit into the processor's caches.
///
/// It is stable, takes O(n) time per digit that differs, and needs 12 bytes per key besides the input.
package struct MortonRadixSort {
    /// A range that holds the right keys, not sorted among themselves yet.
    private struct Bucket {
        let range: Range<Int>
        let isInSpare: Bool
    }

    private let elements: KeyedNumbers
    /// Room for a copy of the elements.
    private let spare: KeyedNumbers

    /// Up to this many keys are sorted by insertion.
    private static let insertionCount = 24
    /// More buckets would need more pages than the processor's translation cache holds.
    private static let digitBits = 10
    /// Fewer keys aren't worth another thread.
    private static let sharedCount = 1 << 14

    /// Sorts `keys` in ascending order and `indices` along with them, on at most `jobs` threads at once.
    package static func sort(keys: inout [UInt64], indices: inout [UInt32], jobs: Int = 1) {
        precondition(keys.count == indices.count, "every key has an index")
        keys.withSharedElements { keys in
            indices.withSharedElements { indices in
                let elements = KeyedNumbers(keys: keys, numbers: indices)
                KeyedNumbers.withRoom(for: keys.count) { spare in
                    MortonRadixSort(elements: elements, spare: spare).sort(jobs: jobs)
                }
            }
        }
    }

    /// All threads divide buckets together until these are small enough to be shared among the threads.
    private func sort(jobs: Int) {
        let wideCount = jobs > 1 ? max(elements.count / (jobs * 4), MortonRadixSort.sharedCount) : elements.count
        var buckets: [Bucket] = []
        var undivided = [Bucket(range: 0..<elements.count, isInSpare: false)]
        while let bucket = undivided.popLast() {
            if bucket.range.count > wideCount, let parts = divide(bucket, jobs: jobs) {
                undivided += parts
            } else {
                buckets.append(bucket)
            }
        }
        SharedWork(jobs: jobs).forEach(count: buckets.count) { [buckets] in sort(buckets[$0]) }
    }

    /// Sorts a bucket into its range of `elements`.
    private func sort(_ bucket: Bucket) {
        guard bucket.range.count > MortonRadixSort.insertionCount, let parts = divide(bucket, jobs: 1) else {
            source(of: bucket).insert(bucket.range, into: elements)
            return
        }
        for part in parts { sort(part) }
    }

    /// Divides a bucket into narrower ones; `nil` if all keys are equal.
    private func divide(_ bucket: Bucket, jobs: Int) -> [Bucket]? {
        let source = source(of: bucket)
        let differing = source.differingBits(in: bucket.range, jobs: jobs)
        guard differing != 0 else { return nil }
        // A few keys per bucket, so that most buckets can be sorted by insertion.
        let bitCount = min(Int.bitWidth - bucket.range.count.leadingZeroBitCount - 3, MortonRadixSort.digitBits)
        let digit = SortDigit(ofDiffering: differing, bitCount: bitCount)
        return source.distribute(bucket.range, by: digit, into: bucket.isInSpare ? elements : spare, jobs: jobs)
            .map { Bucket(range: $0, isInSpare: !bucket.isInSpare) }
    }

    private func source(of bucket: Bucket) -> KeyedNumbers { bucket.isInSpare ? spare : elements }
}
