import PyramidTiles

/// Points in the order of their Morton codes: every node of the quadtree, at any depth, is a contiguous range of them,
/// so no node needs to be stored.
struct LinearQuadtree: Sendable {
    /// The points' Morton codes, ascending. Points of equal codes lie at one place.
    let codes: [UInt64]

    var count: Int { codes.count }

    /// Sorts points by the places of their coordinates. O(n), and O(m log m) for m points at one place.
    /// - Parameters:
    ///   - count: the number of points, below 2³².
    ///   - worldPoint: the place of a point.
    ///   - precedes: orders two points at one place by their content, so that the order of the input can't show.
    /// - Returns: the quadtree, and the number that each of its points had before.
    static func sorting(
        count: Int, worldPoint: (Int) -> WorldPoint, precedes: (Int, Int) -> Bool
    ) -> (quadtree: LinearQuadtree, order: [UInt32]) {
        var codes = [UInt64](repeating: 0, count: count)
        var order = [UInt32](repeating: 0, count: count)
        for index in 0..<count {
            codes[index] = MortonCode(worldPoint(index)).rawValue
            order[index] = UInt32(index)
        }
        MortonRadixSort.sort(keys: &codes, indices: &order)
        var start = 0
        while start < count {
            var end = start + 1
            while end < count, codes[end] == codes[start] { end += 1 }
            if end - start > 1 {
                order[start..<end].sort { precedes(Int($0), Int($1)) }
            }
            start = end
        }
        return (LinearQuadtree(codes: codes), order)
    }

    func point(at index: Int) -> WorldPoint { MortonCode(rawValue: codes[index]).point }
}
