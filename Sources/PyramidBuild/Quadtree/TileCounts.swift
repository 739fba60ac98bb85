import PyramidTiles

/// How many tiles there are at each zoom if every point is shown.
struct TileCounts: Sendable {
    /// By zoom.
    private let counts: [Int]

    /// O(n), and O(n log n) if the points are in several groups.
    init(of quadtree: LinearQuadtree) {
        let codes = quadtree.isWhole ? quadtree.codes : quadtree.codes.sorted()
        var firstTiles = [Int](repeating: 0, count: ClusteringOptions.zooms.count)
        if !codes.isEmpty { firstTiles[0] = 1 }
        for (code, next) in zip(codes, codes.dropFirst()) {
            // The lowest zoom at which they are in different tiles.
            let zoom = (code ^ next).leadingZeroBitCount / 2 + 1
            if zoom < firstTiles.count { firstTiles[zoom] += 1 }
        }
        counts = firstTiles.runningTotals
    }

    subscript(zoom: Int) -> Int { counts[zoom] }

    /// The number of tiles at all these zooms.
    func total(_ zooms: ClosedRange<Int>) -> Int { counts[zooms].reduce(0, +) }
}

extension [Int] {
    /// The sums of the first one, two, ... elements.
    var runningTotals: [Int] {
        var total = 0
        return map { element in
            total += element
            return total
        }
    }
}
