/// Sorts 64-bit keys together with the numbers they came with: least significant digit first, eight bits at a time.
///
/// It is stable, takes O(n) time for each digit that differs, and needs 12 bytes a key besides the input.
enum MortonRadixSort {
    /// Sorts `keys` in ascending order and `indices` along with them.
    /// - Parameter significantBits: only so many of the lowest bits can differ.
    static func sort(keys: inout [UInt64], indices: inout [UInt32], significantBits: Int = 64) {
        precondition(keys.count == indices.count, "every key has an index")
        guard keys.count > 1 else { return }
        var otherKeys = [UInt64](repeating: 0, count: keys.count)
        var otherIndices = [UInt32](repeating: 0, count: keys.count)
        for shift in stride(from: 0, to: significantBits, by: 8) {
            guard let starts = bucketStarts(of: keys.span, shift: UInt64(shift)) else { continue }
            var fromKeys = otherKeys.mutableSpan
            var fromIndices = otherIndices.mutableSpan
            scatter(
                keys.span, indices.span, toKeys: &fromKeys, toIndices: &fromIndices, shift: UInt64(shift),
                starts: starts)
            swap(&keys, &otherKeys)
            swap(&indices, &otherIndices)
        }
    }

    /// Where each of the 256 buckets begins; `nil` where all keys fall into one.
    private static func bucketStarts(of keys: Span<UInt64>, shift: UInt64) -> [Int]? {
        var starts = [Int](repeating: 0, count: 256)
        var counts = starts.mutableSpan
        for index in keys.indices { counts[Int(truncatingIfNeeded: keys[index] >> shift & 255)] += 1 }
        var start = 0
        for bucket in 0..<256 {
            let count = counts[bucket]
            if count == keys.count { return nil }
            counts[bucket] = start
            start += count
        }
        return starts
    }

    private static func scatter(
        _ keys: Span<UInt64>, _ indices: Span<UInt32>, toKeys: inout MutableSpan<UInt64>,
        toIndices: inout MutableSpan<UInt32>, shift: UInt64, starts: [Int]
    ) {
        var starts = starts
        var next = starts.mutableSpan
        for index in keys.indices {
            let bucket = Int(truncatingIfNeeded: keys[index] >> shift & 255)
            let place = next[bucket]
            next[bucket] = place + 1
            toKeys[place] = keys[index]
            toIndices[place] = indices[index]
        }
    }
}
