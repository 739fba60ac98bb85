import PyramidTiles

/// Keys with their numbers, in memory that several threads sort, each thread its own range.
struct KeyedNumbers: Sendable {
    let keys: SharedElements<UInt64>
    let numbers: SharedElements<UInt32>

    /// Calls `body` with room for `count` elements, valid during the call.
    static func withRoom(for count: Int, _ body: (KeyedNumbers) -> Void) {
        SharedElements.withRoom(for: count) { keys in
            SharedElements.withRoom(for: count) { numbers in body(KeyedNumbers(keys: keys, numbers: numbers)) }
        }
    }

    var count: Int { keys.count }

    /// The bits in which any two keys of a range differ.
    func differingBits(in range: Range<Int>, jobs: Int) -> UInt64 {
        let first = keys[range.lowerBound]
        @Sendable func bits(_ chunk: Range<Int>) -> UInt64 {
            var bits: UInt64 = 0
            for index in chunk { bits |= keys[index] ^ first }
            return bits
        }
        guard jobs > 1 else { return bits(range) }
        return SharedWork(jobs: jobs).map(range.split(into: jobs), bits).reduce(0, |)
    }

    /// Copies a range into the same range of `target`, sorted by bucket; keys of one bucket keep their order.
    /// - Returns: the non-empty buckets, in order.
    func distribute(_ range: Range<Int>, by digit: SortDigit, into target: KeyedNumbers, jobs: Int) -> [Range<Int>] {
        let bucketCount = digit.bucketCount
        let work = SharedWork(jobs: jobs)
        let chunks = range.split(into: jobs)
        // By chunk and bucket: first the number of keys, then the position of the next key.
        var positions = [Int](repeating: 0, count: chunks.count * bucketCount)
        positions.withSharedElements { positions in
            work.forEach(chunks) { number, chunk in
                let base = number * bucketCount
                for index in chunk { positions[base + digit.bucket(of: keys[index])] += 1 }
            }
            var position = range.lowerBound
            for bucket in 0..<bucketCount {
                for chunk in chunks.indices {
                    let count = positions[chunk * bucketCount + bucket]
                    positions[chunk * bucketCount + bucket] = position
                    position += count
                }
            }
            work.forEach(chunks) { number, chunk in
                let base = number * bucketCount
                for index in chunk {
                    let key = keys[index]
                    let bucket = base + digit.bucket(of: key)
                    let position = positions[bucket]
                    positions[bucket] = position + 1
                    target.keys[position] = key
                    target.numbers[position] = numbers[index]
                }
            }
        }
        var start = range.lowerBound
        var buckets: [Range<Int>] = []
        buckets.reserveCapacity(bucketCount)
        // A bucket ends where the last chunk has put its last key.
        for end in positions[(positions.count - bucketCount)...] where end > start {
            buckets.append(start..<end)
            start = end
        }
        return buckets
    }

    /// Sorts a range into the same range of `target` by insertion; both may be the same memory. Fast for a few keys,
    /// and linear for sorted ones.
    func insert(_ range: Range<Int>, into target: KeyedNumbers) {
        for index in range {
            let (key, number) = (keys[index], numbers[index])
            var position = index
            while position > range.lowerBound, target.keys[position - 1] > key {
                target.keys[position] = target.keys[position - 1]
                target.numbers[position] = target.numbers[position - 1]
                position -= 1
            }
            target.keys[position] = key
            target.numbers[position] = number
        }
    }
}

/// Adjacent bits of 64-bit keys, used as the key's bucket number.
struct SortDigit: Sendable {
    private let shift: UInt64
    private let mask: UInt64

    /// The highest bit in which keys differ and the bits after it, `bitCount` in total.
    /// - Parameter differing: the bits in which any two of the keys differ, at least one.
    init(ofDiffering differing: UInt64, bitCount: Int) {
        shift = UInt64(max(64 - differing.leadingZeroBitCount - bitCount, 0))
        mask = 1 << UInt64(bitCount) - 1
    }

    var bucketCount: Int { Int(mask) + 1 }

    @inline(__always)
    func bucket(of key: UInt64) -> Int { Int(truncatingIfNeeded: key >> shift & mask) }
}
