import PyramidTiles

/// Some of the candidates of one zoom, in the order of rows: what stands near a candidate is in three runs of them.
struct ZoomCandidates: Sendable {
    let order: RowOrder
    /// The candidates' numbers in the hierarchy.
    private(set) var numbers: [UInt32] = []
    /// Their places as the order knows them, ascending.
    private(set) var keys: [UInt64] = []

    var count: Int { keys.count }

    /// So many are a part of the work that threads share.
    static let partCount = 1 << 14

    init(order: RowOrder) { self.order = order }

    /// All candidates.
    init(_ candidates: Candidates, of quadtree: LinearQuadtree, order: RowOrder) {
        self.init(order: order)
        keys = candidates.anchorPoint.map { order.key(quadtree.point(at: Int($0))) }
        numbers = Array(0..<UInt32(candidates.count))
        MortonRadixSort.sort(keys: &keys, indices: &numbers)
    }

    mutating func append(_ number: UInt32, _ key: UInt64) {
        numbers.append(number)
        keys.append(key)
    }

    /// Adds those of each of `parts`, which follow one another.
    mutating func append(_ parts: [ZoomCandidates]) {
        let count = parts.reduce(count) { $0 + $1.count }
        numbers.reserveCapacity(count)
        keys.reserveCapacity(count)
        for part in parts {
            numbers += part.numbers
            keys += part.keys
        }
    }

    /// These and others.
    func merging(_ others: ZoomCandidates) -> ZoomCandidates {
        guard others.count > 0 else { return self }
        var merged = ZoomCandidates(order: order)
        merged.numbers.reserveCapacity(count + others.count)
        merged.keys.reserveCapacity(count + others.count)
        var next = 0
        for (number, key) in zip(others.numbers, others.keys) {
            var end = next
            while end < count, keys[end] < key { end += 1 }
            merged.numbers += numbers[next..<end]
            merged.keys += keys[next..<end]
            merged.append(number, key)
            next = end
        }
        merged.numbers += numbers[next...]
        merged.keys += keys[next...]
        return merged
    }

    /// The same candidates in rows of another height.
    func reordered(_ order: RowOrder, jobs: Int) -> ZoomCandidates {
        if order.depth == self.order.depth - 1 { return mergingRows(order, jobs: jobs) }
        var sorted = ZoomCandidates(order: order)
        sorted.numbers = numbers
        sorted.keys = keys.map { order.key(self.order.point($0)) }
        MortonRadixSort.sort(keys: &sorted.keys, indices: &sorted.numbers)
        return sorted
    }

    /// In rows of twice the height, as most zooms have them: every two rows become one. O(n).
    private func mergingRows(_ order: RowOrder, jobs: Int) -> ZoomCandidates {
        var merged = ZoomCandidates(order: order)
        let parts = (0..<count).mapConcurrently(every: ZoomCandidates.partCount, jobs: jobs) { part in
            // Of the rows that begin in this part.
            self.mergingRows(order, from: firstOfPair(from: part.lowerBound), to: firstOfPair(from: part.upperBound))
        }
        merged.append(parts)
        return merged
    }

    /// The first candidate, from this one on, of a row that becomes the upper part of another.
    private func firstOfPair(from index: Int) -> Int {
        guard index > 0, index < count else { return index }
        let row = order.row(keys[index - 1]) / 2
        return keys.span.firstIndex(notBelow: order.firstKey(inRow: row * 2 + 2, x: 0))
    }

    private func mergingRows(_ order: RowOrder, from first: Int, to end: Int) -> ZoomCandidates {
        var merged = ZoomCandidates(order: order)
        guard first < end else { return merged }
        merged.numbers.reserveCapacity(end - first)
        merged.keys.reserveCapacity(end - first)
        let (numbers, keys) = (numbers.span, keys.span)
        var start = first
        while start < end {
            let row = self.order.row(keys[start]) / 2
            var middle = start
            while middle < end, self.order.row(keys[middle]) == row * 2 { middle += 1 }
            var next = middle
            while next < end, self.order.row(keys[next]) == row * 2 + 1 { next += 1 }
            var (upper, lower) = (start, middle)
            while upper < middle, lower < next {
                let upperKey = order.key(self.order.point(keys[upper]))
                let lowerKey = order.key(self.order.point(keys[lower]))
                if upperKey < lowerKey {
                    merged.append(numbers[upper], upperKey)
                    upper += 1
                } else {
                    merged.append(numbers[lower], lowerKey)
                    lower += 1
                }
            }
            for index in upper..<middle { merged.append(numbers[index], order.key(self.order.point(keys[index]))) }
            for index in lower..<next { merged.append(numbers[index], order.key(self.order.point(keys[index]))) }
            start = next
        }
        return merged
    }
}
