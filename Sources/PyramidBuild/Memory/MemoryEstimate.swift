import PyramidTiles

/// The peak memory of a build, estimated from what is known so far.
///
/// The figures are upper bounds on peaks measured in release builds, without the mapped inputs, which the kernel can
/// drop, for 100,000 to 1,000,000 points, evenly spread and clumped, and 974 to 1,137,319 tiles. Estimates were 1.1 to
/// 2.1 times the peak, for first builds and for builds over an unchanged tileset.
struct MemoryEstimate: Equatable {
    /// What a build without points needs: the program, and its workers' buffers.
    static let baseBytes = 20_000_000
    /// Coordinate, row start, Morton code and candidate, and the memory to sort them.
    static let bytesPerPoint = 80
    /// A column that clusters add up, count or list, or that decides which point keeps its place.
    static let bytesPerColumnAndPoint = 60
    /// List entries of the tiles of this build and of the previous one.
    static let bytesPerTile = 100

    var pointCount: Int
    var columnCount = 0
    /// 0 while unknown.
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
    /// How many tiles contain points, over all these zooms. No more tiles are written, except for clusters shown in a
    /// tile that contains none of their points. O(n)
    func tileCount(zooms: ClosedRange<Int>) -> Int {
        guard count > 0 else { return 0 }
        // Points of several groups share tiles.
        let codes = isWhole ? codes : codes.sorted()
        var tiles = zooms.count
        for index in 1..<count {
            // Two bits per level: neighbours separate at the zoom after the last one they share.
            let sharedLevels = (codes[index - 1] ^ codes[index]).leadingZeroBitCount / 2
            tiles += max(zooms.upperBound - max(sharedLevels, zooms.lowerBound - 1), 0)
        }
        return tiles
    }
}
