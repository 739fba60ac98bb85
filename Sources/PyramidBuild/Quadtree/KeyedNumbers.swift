import PyramidTiles

/// Keys and the numbers they came with, in memory that several threads sort at once, each a range of its own.
struct KeyedNumbers: Sendable {
    let keys: SharedElements<UInt64>
    let numbers: SharedElements<UInt32>

    /// Calls `body` with room for so many; valid during the call.
    static func withRoom(for count: Int, _ body: (KeyedNumbers) -> Void) {
        SharedElements.withRoom(for: count) { keys in
            SharedElements.withRoom(for: count) { numbers in body(KeyedNumbers(keys: keys, numbers: numbers)) }
        }
    }

    var count: Int { keys.count }

    /// The bits in which any two keys of a range differ.
    func differingBits(in range: Range<Int>, jobs: Int) -> UInt64 {
        let first = keys[range.lowerBound]
        let differing = SharedWork(jobs: jobs).map(range.split(into: jobs)) { part in
            var bits: UInt64 = 0
            for index in part { bits |= keys[index] ^ first }
            return bits
        }
        return differing.reduce(0, |)
    }

    /// Puts a range into the same range of `target`, bucket after bucket, in each in the order that it has.
    /// - Returns: the buckets that are not empty, in their order.
    func distribute(_ range: Range<Int>, by digit: SortDigit, into target: KeyedNumbers, jobs: Int) -> [Range<Int>] {
        let bucketCount = digit.bucketCount
        let work = SharedWork(jobs: jobs)
        let parts = range.split(into: jobs)
        // First how many keys of each part there are in each bucket, then where the next of them goes.
        var positions = [Int](repeating: 0, count: parts.count * bucketCount)
        positions.withSharedElements { positions in
            work.forEach(parts) { number, part in
                let base = number * bucketCount
                for index in part { positions[base + digit.bucket(of: keys[index])] += 1 }
            }
            var position = range.lowerBound
            for bucket in 0..<bucketCount {
                for part in parts.indices {
                    let count = positions[part * bucketCount + bucket]
                    positions[part * bucketCount + bucket] = position
                    position += count
                }
            }
            work.forEach(parts) { number, part in
                let base = number * bucketCount
                for index in part {
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
        // What the last part has put into a bucket ends it.
        for end in positions[(positions.count - bucketCount)...] where end > start {
            buckets.append(start..<end)
            start = end
        }
        return buckets
    }

    /// Sorts a range into the same range of `target`, which may be the same memory: fast for a few keys, linear where
    /// they are in order.
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

/// Some neighbouring bits of 64-bit keys: the number of the bucket that a key belongs to.
struct SortDigit: Sendable {
    private let shift: UInt64
    private let mask: UInt64

    /// The highest `bitCount` bits in which keys differ and those below.
    /// - Parameter differing: the bits in which any two of the keys differ, at least one.
    init(ofDiffering differing: UInt64, bitCount: Int) {
        shift = UInt64(max(64 - differing.leadingZeroBitCount - bitCount, 0))
        mask = 1 << UInt64(bitCount) - 1
    }

    var bucketCount: Int { Int(mask) + 1 }

    @inline(__always)
    func bucket(of key: UInt64) -> Int { Int(truncatingIfNeeded: key >> shift & mask) }
}
