import PyramidTiles

/// How many tiles there are at each zoom if every point is shown.
package struct TileCounts: Sendable {
    /// By zoom: the number of tiles that begin with another point than the tiles of lower zooms do.
    private var firstTiles = [Int](repeating: 0, count: ClusteringOptions.zooms.count)
    /// The first and the last code.
    private var codes: ClosedRange<UInt64>?

    /// O(n), and O(n log n) if the points are in several groups.
    package init(of quadtree: LinearQuadtree) {
        let codes = quadtree.isWhole ? quadtree.codes : quadtree.codes.sorted()
        self.init(codes: codes[...])
    }

    /// - Parameter codes: ascending.
    package init(codes: ArraySlice<UInt64>) {
        guard let first = codes.first, let last = codes.last else { return }
        self.codes = first...last
        firstTiles[0] = 1
        for (code, next) in zip(codes, codes.dropFirst()) { add(next, after: code) }
    }

    private mutating func add(_ code: UInt64, after previous: UInt64) {
        // The lowest zoom at which they are in different tiles.
        let zoom = (previous ^ code).leadingZeroBitCount / 2 + 1
        if zoom < firstTiles.count { firstTiles[zoom] += 1 }
    }

    /// Adds points whose codes come next.
    package mutating func append(_ next: TileCounts) {
        guard let added = next.codes else { return }
        guard let codes else {
            self = next
            return
        }
        for zoom in firstTiles.indices.dropFirst() { firstTiles[zoom] += next.firstTiles[zoom] }
        add(added.lowerBound, after: codes.upperBound)
        self.codes = codes.lowerBound...added.upperBound
    }

    /// The number of tiles at all these zooms.
    package func total(_ zooms: ClosedRange<Int>) -> Int { firstTiles.runningTotals[zooms].reduce(0, +) }
}

extension [Int] {
    /// The sums of the first one, two, ... elements.
    package var runningTotals: [Int] {
        var total = 0
        return map { element in
            total += element
            return total
        }
    }
}
