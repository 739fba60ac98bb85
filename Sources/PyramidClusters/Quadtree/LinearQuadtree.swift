import PyramidStore
import PyramidTiles

/// Points in the order of their Morton codes. Every node of the quadtree, at any depth, is a contiguous range of them,
/// so no node is stored.
///
/// Each group has a quadtree of its own, one after the other; the points that never merge are last.
package struct LinearQuadtree: Sendable {
    /// Points that can merge with each other.
    package struct Group: Sendable {
        package let points: Range<Int>
        /// Makes its clusters' ids different from those of other groups (``ClusterGroup/idMask(of:)``).
        package let idMask: UInt64

        package init(points: Range<Int>, idMask: UInt64) { (self.points, self.idMask) = (points, idMask) }
    }

    /// The Morton codes of the points, ascending in each group. Equal codes mean the same place.
    package let codes: [UInt64]
    package let groups: [Group]

    package init(codes: [UInt64], groups: [Group]) {
        self.codes = codes
        self.groups = groups
    }

    package var count: Int { codes.count }

    /// The points that never merge.
    package var unclustered: Range<Int> { (groups.last?.points.upperBound ?? 0)..<count }

    /// The group of a point; it must be one that can merge. O(log groups)
    package func group(of point: Int) -> Group {
        groups[groups.partitioningIndex { $0.points.lowerBound > point } - 1]
    }

    /// Whether all points are in one group.
    package var isWhole: Bool { groups.count == 1 && unclustered.isEmpty }

    /// Sorts points along the Z-order curve. O(n), and O(m log m) for m points at one place.
    /// - Parameters:
    ///   - count: the number of points, less than 2³².
    ///   - worldPoint: the place of a point.
    ///   - precedes: orders two points at one place by their content, so that the order of the input doesn't matter.
    ///   - groupNumbers: by point: the number of its group, or `idMasks.count` if it never merges; empty if all points are
    ///     one group.
    ///   - idMasks: by group (``Group/idMask``).
    ///   - jobs: the number of threads.
    /// - Returns: the quadtree, and for each of its points the number before sorting.
    package static func sorting(
        count: Int, worldPoint: @Sendable (Int) -> WorldPoint, precedes: @Sendable (Int, Int) -> Bool,
        groupNumbers: [UInt32] = [], idMasks: [UInt64] = [0], jobs: Int = 1
    ) -> (quadtree: LinearQuadtree, order: [UInt32]) {
        let work = SharedWork(jobs: jobs)
        var codes = work.elements(count: count) { chunk, codes in
            for index in chunk { codes[index] = MortonCode(worldPoint(index)).rawValue }
        }
        var order = Array(0..<UInt32(count))
        MortonRadixSort.sort(keys: &codes, indices: &order, jobs: jobs)
        sortPlaces(of: codes, &order, precedes: precedes, work)
        guard !groupNumbers.isEmpty else {
            return (LinearQuadtree(codes: codes, groups: [Group(points: 0..<count, idMask: 0)]), order)
        }
        let groups = separate(&codes, &order, into: groupNumbers, idMasks)
        return (LinearQuadtree(codes: codes, groups: groups), order)
    }

    /// Moves the points of each group together, groups in order and points that never merge last; points of a group
    /// keep their order. O(n)
    /// - Returns: the non-empty groups.
    private static func separate(
        _ codes: inout [UInt64], _ order: inout [UInt32], into groupNumbers: [UInt32], _ idMasks: [UInt64]
    ) -> [Group] {
        var starts = [Int](repeating: 0, count: idMasks.count + 2)
        for group in groupNumbers { starts[Int(group) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        let groups = idMasks.indices.filter { starts[$0] < starts[$0 + 1] }
            .map { Group(points: starts[$0]..<starts[$0 + 1], idMask: idMasks[$0]) }
        var (sortedCodes, sortedOrder) = (codes, order)
        for (code, point) in zip(codes, order) {
            let group = Int(groupNumbers[Int(point)])
            sortedCodes[starts[group]] = code
            sortedOrder[starts[group]] = point
            starts[group] += 1
        }
        (codes, order) = (sortedCodes, sortedOrder)
        return groups
    }

    /// Sorts the points of each place (equal codes) by `precedes`.
    private static func sortPlaces(
        of codes: [UInt64], _ order: inout [UInt32], precedes: @Sendable (Int, Int) -> Bool, _ work: SharedWork
    ) {
        order.withSharedElements { order in
            work.forEach(work.chunks(of: codes.indices)) { _, chunk in
                var start = chunk.lowerBound
                // A place is sorted with the chunk in which it begins.
                while start > 0, start < chunk.upperBound, codes[start] == codes[start - 1] { start += 1 }
                while start < chunk.upperBound {
                    var end = start + 1
                    while end < codes.count, codes[end] == codes[start] { end += 1 }
                    if end - start > 1 {
                        let sorted = (start..<end).map { order[$0] }.sorted { precedes(Int($0), Int($1)) }
                        for (index, point) in zip(start..<end, sorted) { order[index] = point }
                    }
                    start = end
                }
            }
        }
    }

    /// Whether all points of a range are at one place.
    /// - Parameter points: at least one, of one group.
    package func isOnePlace(_ points: Range<Int>) -> Bool { codes[points.lowerBound] == codes[points.upperBound - 1] }

    package func point(at index: Int) -> WorldPoint { MortonCode(rawValue: codes[index]).point }
}
