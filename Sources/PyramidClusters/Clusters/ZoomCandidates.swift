import PyramidStore
import PyramidTiles

/// All or some candidates of one zoom, in the order of rows.
struct ZoomCandidates: Sendable {
    let order: RowOrder
    /// The candidates' numbers in the hierarchy.
    private(set) var numbers: [UInt32]
    /// Their keys in `order`, ascending.
    private(set) var keys: [UInt64]

    var count: Int { keys.count }

    /// - Parameter write: fills every slot.
    private init(order: RowOrder, count: Int, _ write: (Slots) -> Void) {
        self.order = order
        var keys: [UInt64] = []
        numbers = [UInt32](unsafeUninitializedCapacity: count) { numbers, initializedCount in
            keys = [UInt64](unsafeUninitializedCapacity: count) { keys, initializedCount in
                write(Slots(numbers: SharedElements(numbers), keys: SharedElements(keys)))
                initializedCount = count
            }
            initializedCount = count
        }
        self.keys = keys
    }

    /// All candidates.
    init(_ candidates: Candidates, order: RowOrder, _ work: SharedWork) {
        self.order = order
        keys = work.elements(count: candidates.count) { chunk, keys in
            for index in chunk { keys[index] = order.key(MortonCode(rawValue: candidates.codes[index]).point) }
        }
        numbers = Array(0..<UInt32(candidates.count))
        MortonRadixSort.sort(keys: &keys, indices: &numbers, jobs: work.jobs)
    }

    /// The chosen candidates, and the others.
    func separated(by isChosen: [Bool], _ work: SharedWork) -> (chosen: ZoomCandidates, others: ZoomCandidates) {
        let chunks = work.chunks(of: 0..<count)
        let counts = work.map(chunks) { chunk in chunk.count { isChosen[$0] } }
        let starts = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        let chosenCount = starts[chunks.count]
        var others = self  // replaced below
        let chosen = ZoomCandidates(order: order, count: chosenCount) { chosen in
            others = ZoomCandidates(order: order, count: count - chosenCount) { others in
                work.forEach(chunks) { number, chunk in
                    var nextChosen = starts[number]
                    var nextOther = chunk.lowerBound - nextChosen
                    for index in chunk {
                        if isChosen[index] {
                            chosen.put(numbers[index], keys[index], at: nextChosen)
                            nextChosen += 1
                        } else {
                            others.put(numbers[index], keys[index], at: nextOther)
                            nextOther += 1
                        }
                    }
                }
            }
        }
        return (chosen, others)
    }

    /// The candidates of both lists.
    func merged(with others: ZoomCandidates, _ work: SharedWork) -> ZoomCandidates {
        guard others.count > 0 else { return self }
        guard count > 0 else { return others }
        let chunks = work.chunks(of: 0..<count)
        return ZoomCandidates(order: order, count: count + others.count) { merged in
            work.forEach(chunks) { number, chunk in
                // The others from this chunk's first key on; the first chunk also gets all before it.
                let keys = keys.span
                let otherKeys = others.keys.span
                var other = number == 0 ? 0 : otherKeys.firstIndex(notBelow: keys[chunk.lowerBound])
                let end =
                    number == chunks.count - 1 ? others.count : otherKeys.firstIndex(notBelow: keys[chunk.upperBound])
                for index in chunk {
                    while other < end, otherKeys[other] < keys[index] {
                        merged.put(others.numbers[other], otherKeys[other], at: index + other)
                        other += 1
                    }
                    merged.put(numbers[index], keys[index], at: index + other)
                }
                while other < end {
                    merged.put(others.numbers[other], otherKeys[other], at: chunk.upperBound + other)
                    other += 1
                }
            }
        }
    }

    /// The same candidates in rows of another height.
    func reordered(_ order: RowOrder, _ work: SharedWork) -> ZoomCandidates {
        guard order.depth == self.order.depth - 1 else {
            var reordered = ZoomCandidates(order: order, count: count) { slots in
                for index in 0..<count {
                    slots.put(numbers[index], order.key(self.order.point(keys[index])), at: index)
                }
            }
            MortonRadixSort.sort(keys: &reordered.keys, indices: &reordered.numbers, jobs: work.jobs)
            return reordered
        }
        // Each pair of rows becomes one row.
        return ZoomCandidates(order: order, count: count) { slots in
            work.forEach(work.chunks(of: 0..<count)) { _, chunk in mergeRows(of: chunk, order, into: slots) }
        }
    }

    /// Merges the pairs of rows that begin in a chunk. A pair keeps its range among all candidates.
    private func mergeRows(of chunk: Range<Int>, _ order: RowOrder, into slots: Slots) {
        let keys = keys.span
        func newKey(_ index: Int) -> UInt64 { order.key(self.order.point(keys[index])) }

        var start = chunk.lowerBound
        while start > 0, start < chunk.upperBound, isOfOnePair(keys[start - 1], keys[start]) { start += 1 }
        while start < chunk.upperBound {
            let southRow = self.order.row(keys[start]) | 1
            var middle = start
            while middle < count, self.order.row(keys[middle]) < southRow { middle += 1 }
            var end = middle
            while end < count, self.order.row(keys[end]) == southRow { end += 1 }

            var (north, south) = (start, middle)
            for index in start..<end {
                let takesNorth = south == end || north < middle && newKey(north) < newKey(south)
                let taken = takesNorth ? north : south
                slots.put(numbers[taken], newKey(taken), at: index)
                north += takesNorth ? 1 : 0
                south += takesNorth ? 0 : 1
            }
            start = end
        }
    }

    private func isOfOnePair(_ key: UInt64, _ other: UInt64) -> Bool {
        order.row(key) / 2 == order.row(other) / 2
    }
}

extension ZoomCandidates {
    /// Candidates written by several threads, each at its own indices.
    struct Slots: Sendable {
        fileprivate let numbers: SharedElements<UInt32>
        fileprivate let keys: SharedElements<UInt64>

        @inline(__always)
        fileprivate func put(_ number: UInt32, _ key: UInt64, at index: Int) {
            numbers[index] = number
            keys[index] = key
        }
    }
}
