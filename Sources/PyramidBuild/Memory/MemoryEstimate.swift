import PyramidTiles

/// How much memory a build comes to at its peak, foretold from what it knows so far.
///
/// The figures are an upper bound of peaks that were measured in release builds, mapped inputs left out because the
/// kernel can drop them; 100,000 to 1,000,000 points, evenly spread and in lumps, 974 to 1,137,319 tiles. The estimate was
/// 1.1 to 2.1 times the peak, of first builds and of builds over an unchanged pyramid.
struct MemoryEstimate: Equatable {
    /// What a build of no points needs: the program, and the buffers of its workers.
    static let baseBytes = 20_000_000
    /// Coordinate, record, Morton code, candidate, and what sorting them takes.
    static let bytesPerPoint = 80
    /// A column that clusters sum up, count or list, or that decides which point keeps its place.
    static let bytesPerColumnAndPoint = 60
    /// Entries of the list of tiles, of this build and of the one before it.
    static let bytesPerTile = 100

    var pointCount: Int
    var columnCount = 0
    /// 0 as long as it isn't known.
    var tileCount = 0

    var bytes: Int {
        MemoryEstimate.baseBytes
            + pointCount * (MemoryEstimate.bytesPerPoint + columnCount * MemoryEstimate.bytesPerColumnAndPoint)
            + tileCount * MemoryEstimate.bytesPerTile
    }
}

extension MemoryEstimate {
    /// Before the points are sorted.
    init(pointCount: Int, clustering: ClusteringOptions, clusters: ClusterContentOptions) {
        self.init(
            pointCount: pointCount,
            columnCount: clusters.accumulate.count + clusters.countBy.count
                + [clustering.priorityColumn, clustering.weightColumn].count { $0 != nil }
                + (clusters.memberLimit == nil ? 0 : 1))
    }

    /// Before they are clustered.
    init(of quadtree: LinearQuadtree, clustering: ClusteringOptions, clusters: ClusterContentOptions) {
        self.init(pointCount: quadtree.count, clustering: clustering, clusters: clusters)
        tileCount = quadtree.tileCount(zooms: clustering.minZoom...clustering.maxZoom)
    }
}

extension LinearQuadtree {
    /// How many tiles hold points, at all these zooms: no more tiles are written, but for clusters that are shown where
    /// none of their points is. O(n)
    func tileCount(zooms: ClosedRange<Int>) -> Int {
        guard count > 0 else { return 0 }
        // Points of several groups are in one tile.
        let codes = isWhole ? codes : codes.sorted()
        var tiles = zooms.count
        for index in 1..<count {
            // Two bits a level: neighbours come apart at the zoom after those that they have in common.
            let sharedLevels = (codes[index - 1] ^ codes[index]).leadingZeroBitCount / 2
            tiles += max(zooms.upperBound - max(sharedLevels, zooms.lowerBound - 1), 0)
        }
        return tiles
    }
}
