import PyramidStore
import PyramidTiles

/// Builds a part of the world: from the rows inside and in a halo round it, the tiles beyond the cut zoom, and what the
/// join needs of its markers at the cut zoom.
public struct PartBuilder: Sendable {
    private let options: BuildOptions
    private let part: WorldPart
    /// How far around the part rows are read, in world units.
    var haloUnits: UInt64

    /// - Parameter options: of a part, without a ``BuildOptions/problem``.
    public init(options: BuildOptions) {
        precondition(options.problem == nil, options.problem?.description ?? "")
        guard let part = options.part else { preconditionFailure("the options are of no part") }
        self.part = part
        self.options = options
        haloUnits = options.clustering.haloUnits(cutZoom: part.cutZoom)
    }

    /// Builds the part's file. Nothing there is touched before all rows are read and found good.
    /// - Parameter progress: is called now and then, by any worker.
    /// - Throws: ``InputError``, ``MemoryError`` and `OutputError`.
    public func build(progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }) throws -> PartReport {
        guard let schema = options.input.schema else { preconditionFailure("a part without a schema") }
        try PartFileWriter.check(options.outputPath)
        var options = options
        options.input.area = PartArea(part.tile, haloUnits: haloUnits)
        let builder = PyramidBuilder(options: options)
        let (points, allPoints) = try builder.readPoints(progress)
        var quadtree = allPoints
        let (standing, warnings) = try PointStanding.reading(options.clustering, of: points)
        let content = try ClusterContent(
            options.clusters, options.clustering, idColumn: options.input.idColumn, of: points, standing: standing)
        options.storage.idProperty = try options.idProperty(of: points)
        let rules = ClusteringRules(options.clustering, span: .below(cutZoom: part.cutZoom))
        if points.report.rowsAccepted == 0, !rules.needsMeans {
            // Only clusters that are moved from their anchors can be shown in a part without points.
            quadtree = LinearQuadtree(codes: [], groups: [.init(points: 0..<0, idMask: 0)])
        }
        let estimate = MemoryEstimate(of: quadtree, clustering: options.clustering, clusters: options.clusters)
        try options.memoryLimit.check(estimate)

        let hierarchy = rules.hierarchy(of: quadtree, standing: standing, work: SharedWork(jobs: options.jobs)) {
            progress(.clustering(zoom: $0))
        }
        guard let hierarchy else { preconditionFailure("the cut zoom is clustered") }
        progress(.arranging(zoom: rules.tileZooms.upperBound))
        let clusters = PyramidClusters(
            of: hierarchy, in: quadtree, rules: rules,
            hasMembers: content.needsMembers || options.clusters.hasLeaves || rules.minPoints > 2,
            coordinates: points.coordinates, values: content.values, standing: standing, jobs: options.jobs)
        var bands = TileBands(
            of: quadtree, clusters, hierarchy, rules: rules, options: options.clusters, codes: part.tile.codes)
        let isBundled = options.storage.bundleLimit != nil
        var descent = ClusterDescent(
            of: clusters, hierarchy, in: quadtree, rules: rules, hasRoots: isBundled && rules.minPoints > 2)
        while descent.zoom > part.cutZoom { descent.descend() }
        var cut: TileBand?
        if isBundled {
            var markers = ArrangedMarkers(of: descent)
            markers.crop(to: part.tile.codes)
            cut = TileBand(markers: [markers], clusters: clusters)
        }
        let handOver = PartHandOver(of: descent, inside: part.tile.codes, points: points, content: content)

        for input in points.inputs.inputs {
            input.endWatch()
            try input.requireUnchanged()
        }
        let file = try PartFileWriter(path: options.outputPath, syncs: options.syncs)
        let source = MarkerSource(
            points: points, content: content, mode: rules.mode, keepsCount: options.clustering.keepsCount,
            unclustered: quadtree.unclustered)
        do {
            let written = try builder.write(
                &bands, of: source, to: file, options, codes: part.tile.codes, cut: cut, progress)
            for input in points.inputs.inputs { try input.requireUnchanged() }
            try handOver.write(to: file, idRule: options.input)
            let report = points.report
            let manifest = PartManifest(
                settings: PartSettings(options, part, schema: schema), part: part.tile,
                rowCount: handOver.rowCount,
                input: Manifest.InputSummary(report, digest: String(report.rowsDigest)),
                bounds: handOver.bounds,
                unclusteredPoints: handOver.ownPoints.count { quadtree.unclustered.contains($0) },
                zooms: written.zooms, largest: written.largest, idTypes: written.idTypes.rawValue)
            try file.writeSection(PartSection.manifest) { append in
                try manifest.encoded().withUnsafeBytes(append)
            }
            try file.finish()
            return PartReport(
                part: part, input: report, inputSummary: manifest.input, haloRows: points.count - report.rowsAccepted,
                zooms: written.zooms, markersHandedOver: handOver.candidateCount,
                warnings: report.warnings + content.warnings + warnings)
        } catch {
            file.abandon()
            throw error
        }
    }
}

/// What the build of a part did.
public struct PartReport: Sendable {
    public let part: WorldPart
    /// What was read, with examples of skipped rows; only the part's own rows count.
    public let input: InputReport
    /// The figures of ``input``, for programs.
    public let inputSummary: Manifest.InputSummary
    /// How many rows around the part were read too.
    public let haloRows: Int
    /// The zooms that were written.
    public let zooms: [Manifest.ZoomSummary]
    public let markersHandedOver: Int
    /// Sentences for the user.
    public let warnings: [OptionMessage]
}
