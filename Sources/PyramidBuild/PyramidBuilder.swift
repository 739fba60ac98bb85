import PyramidStore
import PyramidTiles

/// Makes a pyramid of tiles from files of points.
public struct PyramidBuilder: Sendable {
    public private(set) var options: BuildOptions
    /// How many markers a worker takes at a time; what is written doesn't depend on it.
    var markersPerSubtree = TileWriter.usualMarkersPerSubtree

    /// What made a pyramid, as its manifest names it.
    public static let generator = "pyramid \(version)"
    public static let version = "0.1.0"

    /// - Parameter options: without a ``BuildOptions/problem``.
    public init(options: BuildOptions) {
        precondition(options.problem == nil, options.problem?.description ?? "")
        self.options = options
    }

    /// Builds into the directory of the options. Nothing in it is touched before the whole input is read and found good.
    /// - Parameter progress: is called now and then, by any worker.
    /// - Throws: ``InputError``, ``MemoryError`` and `OutputError`.
    public func build(progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }) throws -> BuildReport {
        try DirectoryTilesetWriter.check(
            path: options.outputPath, force: options.force, previewPage: options.previewPage)
        return try build(progress: progress) { options in
            try DirectoryTilesetWriter(
                path: options.outputPath, storage: options.storage,
                compressor: GzipCompressor.name(level: options.compressionLevel), force: options.force,
                syncs: options.syncs)
        }
    }

    /// Builds into any output.
    /// - Parameter output: opens it, once the whole input is read and found good.
    /// - Throws: ``InputError``, ``MemoryError``, and what the output throws.
    public func build(
        progress: @escaping @Sendable (BuildProgress) -> Void = { _ in },
        to output: (BuildOptions) throws -> any TilesetWriter
    ) throws -> BuildReport {
        let (points, quadtree) = try readPoints(progress)
        let (standing, warnings) = try PointStanding.reading(options.clustering, of: points)
        let content = try content(of: points, standing)
        let choice =
            !options.choosesMaxZoom
            ? nil
            : Loneliness.maxZoomChoice(of: quadtree, standing: standing, options.clustering, jobs: options.jobs) {
                progress(.clustering(zoom: $0))
            }
        var builder = self
        if let choice { builder.options = options.choosing(maxZoom: choice.zoom) }
        return try builder.write(points, quadtree, content, standing, to: output, progress)
            .adding(warnings: points.report.warnings + content.warnings + warnings, maxZoomChoice: choice)
    }

    private func write(
        _ points: PointTable, _ quadtree: LinearQuadtree, _ content: ClusterContent, _ standing: PointStanding,
        to output: (BuildOptions) throws -> any TilesetWriter, _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) throws -> BuildReport {
        try options.memoryLimit.check(
            MemoryEstimate(of: quadtree, clustering: options.clustering, clusters: options.clusters))
        let rules = ClusteringRules(options.clustering)
        let hierarchy = rules.hierarchy(
            of: quadtree, standing: standing, work: SharedWork(jobs: options.jobs)
        ) {
            progress(.clustering(zoom: $0))
        }
        let writer = try output(options)
        let (tiles, leaves, zooms) = try write(points, quadtree, content, rules, hierarchy, to: writer, progress)
        let outcome = try writer.finish(
            TilesetMetadata(
                tiles: TileList(tiles), leaves: options.clusters.hasLeaves ? LeafList(leaves) : nil,
                tileJSON: tileJSON(of: points), manifest: manifest(of: points, in: quadtree, content, zooms: zooms),
                previewPage: options.previewPage))
        let loneliness = hierarchy.map { Loneliness(of: $0, in: quadtree, rules) }
        return BuildReport(
            input: points.report, outcome: outcome, sufficientZoom: loneliness?.firstZoomWithEnough)
    }

    private func write(
        _ points: PointTable, _ quadtree: LinearQuadtree, _ content: ClusterContent, _ rules: ClusteringRules,
        _ hierarchy: ClusterHierarchy?, to output: any TilesetWriter,
        _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) throws -> (tiles: [TileList.Entry], leaves: [LeafList.Entry], zooms: [Manifest.ZoomSummary]) {
        let source = MarkerSource(
            points: points, content: content, output: rules.output, keepsCount: options.clustering.keepsCount,
            unclustered: quadtree.unclustered)
        let tileWriter = TileWriter(
            source: source, countLabel: options.clusters.countLabel, storage: options.storage,
            compressionLevel: options.compressionLevel, jobs: options.jobs, output: output,
            markersPerSubtree: markersPerSubtree)
        let leafWriter = LeafWriter(
            source: source, options: options.clusters, storage: options.storage,
            compressionLevel: options.compressionLevel, jobs: options.jobs, output: output)
        let markerCount = rules.markerCount(pointCount: quadtree.count, hierarchy)
        var zooms: [Manifest.ZoomSummary] = []
        var tiles: [TileList.Entry] = []
        var leaves: [LeafList.Entry] = []
        try forEachBand(of: quadtree, rules, hierarchy, points, content, progress) { band in
            progress(.writing(tiles: 0, markers: 0, ofMarkers: markerCount))
            let written = try tileWriter.write(band) {
                progress(.writing(tiles: $0, markers: $1, ofMarkers: markerCount))
            }
            zooms = summaries(of: band, written) + zooms
            if tiles.isEmpty { tiles = written } else { tiles += written }
            if band.hasLeaves, let clusters = band.clusters {
                let markers = band.markers(atZoom: options.clustering.clusterMaxZoom)
                leaves = try leafWriter.write(markers, clusters: clusters) { progress(.writingLeaves(pages: $0)) }
            }
        }
        return (tiles, leaves, zooms)
    }

    private func content(of points: PointTable, _ standing: PointStanding) throws(InputError) -> ClusterContent {
        try ClusterContent(
            options.clusters, options.clustering, idColumn: options.input.idColumn, of: points, standing: standing)
    }

    private func readPoints(_ progress: (BuildProgress) -> Void) throws -> (PointTable, LinearQuadtree) {
        let inputs = try options.inputPaths.map { try InputBytes(path: $0) }
        var input = options.input
        input.reservedNames.formUnion(options.takenNames)
        var points = try PointTable(reading: inputs, options: input, cutting: InputCutting(jobs: options.jobs)) {
            bytesRead, byteCount in
            progress(.reading(bytes: bytesRead, of: byteCount))
        }
        try options.memoryLimit.check(
            MemoryEstimate(pointCount: points.count, clustering: options.clustering, clusters: options.clusters))
        progress(.sorting(points: points.count))
        let quadtree = points.sort(in: try PointSections(options.clustering, of: points), jobs: options.jobs)
        return (points, quadtree)
    }

    /// Calls `body` with the markers of all zooms, the last ones first.
    private func forEachBand(
        of quadtree: LinearQuadtree, _ rules: ClusteringRules, _ hierarchy: ClusterHierarchy?, _ points: PointTable,
        _ content: ClusterContent, _ progress: (BuildProgress) -> Void, _ body: (TileBand) throws -> Void
    ) rethrows {
        let clustering = options.clustering
        progress(.arranging(zoom: clustering.maxZoom))
        let clusters = hierarchy.map {
            PyramidClusters(
                of: $0, in: quadtree, rules: rules,
                hasMembers: content.needsMembers || options.clusters.hasLeaves, coordinates: points.coordinates,
                values: content.values)
        }
        var descent = clusters.map {
            ClusterDescent(
                of: $0, in: quadtree, rules: rules,
                hasRoots: clustering.minPoints > 2 || options.clusters.hasParents)
        }
        for zooms in options.bands {
            var markers: [ArrangedMarkers] = []
            for zoom in zooms.reversed() {
                progress(.arranging(zoom: zoom))
                let isClustered = zoom < rules.firstUnclusteredZoom
                if isClustered { descent?.descend() }
                markers.append(
                    (isClustered ? descent.map { ArrangedMarkers(of: $0) } : nil)
                        ?? ArrangedMarkers(allPointsOf: quadtree, atZoom: zoom))
            }
            let hasParents = options.clusters.hasParents && zooms.lowerBound > clustering.minZoom
            let parents = descent.flatMap { hasParents && $0.zoom == zooms.lowerBound ? ParentClusters(of: $0) : nil }
            try body(
                TileBand(
                    markers: markers.reversed(), clusters: clusters, parents: parents,
                    hasLeaves: options.clusters.hasLeaves && zooms.contains(clustering.clusterMaxZoom)))
        }
    }
}

extension BuildOptions {
    /// The zooms whose tiles are written together, from the last to the first: all, as long as a marker has the same content
    /// at all of them.
    fileprivate var bands: [ClosedRange<Int>] {
        let all = clustering.minZoom...clustering.maxZoom
        if clusters.hasParents || clustering.position != .anchor { return all.reversed().map { $0...$0 } }
        // Clusters at the last clustered zoom say how many pages they have.
        let leafZoom = clustering.clusterMaxZoom
        guard clusters.hasLeaves, all.contains(leafZoom), all.lowerBound < leafZoom else { return [all] }
        return [leafZoom...all.upperBound, all.lowerBound...leafZoom - 1]
    }
}
