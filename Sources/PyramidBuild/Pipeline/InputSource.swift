import PyramidClusters
import PyramidInput
import PyramidStore
import PyramidTiles

/// The rows of the input files, or only those in and around an area.
package struct InputSource: CandidateSource {
    package let points: PointTable
    package let quadtree: LinearQuadtree
    package let ownCodes: ClosedRange<UInt64>?
    package var knownTexts = CountedTexts()
    package var collector: FileListCollector?

    /// Sorts the rows.
    /// - Parameters:
    ///   - points: moved from there.
    ///   - ownCodes: where markers are written, as Morton codes; `nil` for the whole world.
    package init(
        _ points: inout PointTable, ownCodes: ClosedRange<UInt64>? = nil, _ options: BuildOptions,
        _ progress: (BuildProgress) -> Void
    ) throws {
        progress(.sorting(points: points.count))
        let groups = try PointGroups(options.clustering, of: points)
        var sorted = points.withoutRows
        swap(&sorted, &points)
        let quadtree = sorted.sort(in: groups, jobs: options.jobs).quadtree
        self.ownCodes = ownCodes
        // Points around the area can only be shown inside it by clusters that are displaced from their anchors.
        let isEmpty = ownCodes.map { !quadtree.codes.contains(where: $0.contains) } == true
        self.quadtree =
            isEmpty && options.clustering.position != .centroid
            ? LinearQuadtree(codes: [], groups: [.init(points: 0..<0, idMask: 0)]) : quadtree
        self.points = sorted
    }

    package var inputs: [InputBytes] { points.inputs.inputs }

    package func facts(_ content: ClusterContent) -> TilesetFacts {
        // Points around an area aren't its own.
        let totals = ownCodes == nil ? content.aggregates(count: quadtree.count) : nil
        return TilesetFacts(
            report: points.report,
            bounds: BoundingBox(
                west: points.longitudes.min() ?? 0, south: points.latitudes.min() ?? 0,
                east: points.longitudes.max() ?? 0, north: points.latitudes.max() ?? 0),
            totals: totals.map { content.totals($0, unclusteredPoints: quadtree.unclustered.count) }
                ?? ContentTotals(),
            facets: totals.flatMap { content.facets?.total(of: 0, $0) })
    }
}
