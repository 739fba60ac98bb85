import PyramidClusters
import PyramidTiles

/// An estimate of a build's peak memory.
///
/// The figures are upper bounds of peaks measured in release builds, without the mapped inputs, which the kernel can
/// drop. The builds had 100,000 to 1,000,000 points, evenly spread and clustered, and 974 to 1,137,319 tiles, as files
/// or in bundles. Estimates were 1.1 to 2.1 times the peak, both for first builds and for builds over an unchanged
/// tileset.
package struct MemoryEstimate: Equatable {
    /// What a build needs without any points: the program and its workers' buffers.
    package static let baseBytes = 20_000_000
    /// What bundles need in addition.
    package static let bundleBytes = 20_000_000
    /// A record with its feature, which a worker holds until the bundle is written. Features with long texts need more.
    package static let bytesPerRecord = 64
    /// A point's coordinate, row start, Morton code and candidate, the memory to sort them, and the hierarchy in which
    /// markers find their parents.
    package static let bytesPerPoint = 94
    /// A point's value in a column that clusters sum up, count or list, or that decides which point keeps its place.
    static let bytesPerColumnAndPoint = 60
    /// A tile's or bundle's entries in the lists of this build and the previous one.
    static let bytesPerTile = 100

    package var pointCount: Int
    package var columnCount = 0
    /// The number of tile and bundle files; 0 while unknown.
    var tileCount = 0
    var hasBundles = false
    /// The number of records that all workers hold at once.
    var recordCount = 0
    /// The size of all markers that are in memory at once; 0 while unknown.
    var markerBytes = 0

    package var bytes: Int {
        MemoryEstimate.baseBytes + (hasBundles ? MemoryEstimate.bundleBytes : 0)
            + pointCount * (MemoryEstimate.bytesPerPoint + columnCount * MemoryEstimate.bytesPerColumnAndPoint)
            + tileCount * MemoryEstimate.bytesPerTile + recordCount * MemoryEstimate.bytesPerRecord + markerBytes
    }
}

extension MemoryEstimate {
    /// The estimate before the points are sorted.
    package init(pointCount: Int, clustering: ClusteringOptions, clusters: ClusterContentOptions) {
        self.init(
            pointCount: pointCount,
            columnCount: clusters.accumulate.count + clusters.countedColumnCount
                // Clusters keep all combinations.
                + (clusters.filterBy.isEmpty ? 0 : 1)
                + [clustering.priorityColumn, clustering.weightColumn].count { $0 != nil }
                + (clusters.memberLimit == nil ? 0 : 1))
    }

    /// The estimate before the points are clustered.
    package init(
        of quadtree: LinearQuadtree, clustering: ClusteringOptions, clusters: ClusterContentOptions,
        bundleLimit: Int? = nil, jobs: Int = 1
    ) {
        self.init(pointCount: quadtree.count, clustering: clustering, clusters: clusters)
        hasBundles = bundleLimit != nil
        let zooms = clustering.minZoom...clustering.maxZoom
        // A worker holds as many records as the largest bundle can have.
        recordCount = jobs * min((bundleLimit ?? 0) * zooms.count, quadtree.count)
        // The only other tiles are those with clusters whose points are all in neighbouring tiles.
        tileCount =
            bundleLimit.map { quadtree.bundledTileCount(zooms: zooms, limit: $0) }
            ?? TileCounts(of: quadtree).total(zooms)
    }
}

extension LinearQuadtree {
    /// Estimates the number of files of a tileset with bundles, mostly too high. O(files × log n)
    func bundledTileCount(zooms: ClosedRange<Int>, limit: Int) -> Int {
        let codes = isWhole ? codes : codes.sorted()
        // A point can have several records: as itself, and as the anchor of clusters.
        let pointLimit = limit / 4
        func count(_ points: ArraySlice<UInt64>, depth: Int) -> Int {
            if points.isEmpty { return 0 }
            if depth >= zooms.lowerBound, depth == zooms.upperBound || points.count <= pointLimit { return 1 }
            var sum = depth >= zooms.lowerBound ? 1 : 0
            var rest = points
            for child in UInt64(0)..<4 {
                let end = rest.partitioningIndex { $0 >> UInt64(62 - 2 * depth) & 3 > child }
                sum += count(rest[..<end], depth: depth + 1)
                rest = rest[end...]
            }
            return sum
        }
        return count(codes[...], depth: 0)
    }
}
