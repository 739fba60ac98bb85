import PyramidTiles

/// The rows of the input files, or only the rows that a part of the world needs.
struct InputSource: CandidateSource {
    let points: PointTable
    let quadtree: LinearQuadtree
    let ownCodes: ClosedRange<UInt64>?

    /// Reads and sorts the rows.
    /// - Parameter area: the part and its halo; `nil` for all rows.
    init(
        _ options: BuildOptions, area: PartArea? = nil, _ progress: @escaping (BuildProgress) -> Void
    ) throws {
        let inputs = try options.inputPaths.map { path in
            try InputBytes(path: path) { progress(.copying(bytes: $0)) }
        }
        let reading = Result {
            try PointTable(
                reading: inputs, options: options.input, reservedNames: options.reservedNames, area: area,
                cutting: InputCutting(jobs: options.jobs)
            ) { progress(.reading(bytes: $0, of: $1)) }
        }
        // If an input was changed meanwhile, that explains any other error.
        for input in inputs { try input.requireUnchanged() }
        var points = try reading.get()
        try options.memoryLimit.check(
            MemoryEstimate(pointCount: points.count, clustering: options.clustering, clusters: options.clusters))
        for input in inputs { input.releasePages() }
        progress(.sorting(points: points.count))
        let groups = try PointGroups(options.clustering, of: points)
        let quadtree = points.sort(in: groups, jobs: options.jobs).quadtree
        // The points of the halo can only be shown in the part by clusters that are displaced from their anchors.
        let isEmpty = area != nil && points.report.rowsAccepted == 0 && !options.clustering.position.isMean
        self.quadtree = isEmpty ? LinearQuadtree(codes: [], groups: [.init(points: 0..<0, idMask: 0)]) : quadtree
        self.points = points
        ownCodes = area?.tile.codes
    }

    var inputs: [InputBytes] { points.inputs.inputs }

    func facts(_ content: ClusterContent) -> TilesetFacts {
        // A part hands over the totals of its own points.
        let totals = ownCodes == nil ? content.aggregates(of: 0..<quadtree.count) : nil
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
