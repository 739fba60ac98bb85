import PyramidTiles

/// Makes a pyramid of tiles from files of points.
public struct PyramidBuilder: Sendable {
    public let options: BuildOptions

    /// What made a pyramid, as its manifest names it.
    public static let generator = "pyramid \(version)"
    public static let version = "0.1.0"

    /// - Parameter options: without a ``BuildOptions/problem``.
    public init(options: BuildOptions) {
        precondition(options.problem == nil, options.problem ?? "")
        self.options = options
    }

    /// Reads the points, clusters them and writes the tiles. Nothing in the output directory is touched before the whole
    /// input is read and found good.
    /// - Parameter progress: is called now and then, by any worker.
    /// - Throws: ``InputError``, ``MemoryError`` and ``OutputError``.
    public func build(progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }) throws -> BuildReport {
        try TileDirectoryWriter.check(
            path: options.outputPath, force: options.force, previewPage: options.previewPage)
        let (points, quadtree) = try readPoints(progress)
        let (standing, warnings) = try PointStanding.reading(options.clustering, of: points)
        let content = try ClusterContent(options, of: points, standing: standing)
        let choice =
            !options.choosesMaxZoom
            ? nil
            : Loneliness.maxZoomChoice(of: quadtree, standing: standing, options.clustering) {
                progress(.clustering(zoom: $0))
            }
        let builder = choice.map { PyramidBuilder(options: options.choosing(maxZoom: $0.zoom)) } ?? self
        return try builder.write(points, quadtree, content, standing, progress)
            .adding(warnings: points.report.warnings + content.warnings + warnings, maxZoomChoice: choice)
    }

    private func write(
        _ points: PointTable, _ quadtree: LinearQuadtree, _ content: ClusterContent, _ standing: PointStanding,
        _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) throws -> BuildReport {
        try options.memoryLimit.check(MemoryEstimate(of: quadtree, options: options))
        let hierarchy = options.clustering.hierarchy(of: quadtree, standing: standing) {
            progress(.clustering(zoom: $0))
        }
        let directory = try TileDirectoryWriter(
            path: options.outputPath, storage: options.storage,
            compressor: GzipCompressor.name(level: options.compressionLevel), force: options.force,
            syncs: options.syncs)
        let (tiles, leaves, zooms) = try write(points, quadtree, content, hierarchy, to: directory, progress)
        let outcome = try directory.finish(
            list: TileList(tiles), leaves: options.clusters.hasLeaves ? LeafList(leaves) : nil,
            tileJSON: tileJSON(of: points), manifest: manifest(of: points, in: quadtree, content, zooms: zooms),
            previewPage: options.previewPage)
        let loneliness = hierarchy.map {
            Loneliness(of: $0, in: quadtree, lastZoom: options.clustering.clusterMaxZoom)
        }
        return BuildReport(
            input: points.report, outcome: outcome, sufficientZoom: loneliness?.firstZoomWithEnough)
    }

    /// Does what ``build(progress:)`` does, but hands the tiles and the pages to `sink` and leaves the output directory
    /// alone: there is no list, no TileJSON and no manifest.
    /// - Returns: what stands in the list of tiles, in no particular order.
    /// - Throws: ``InputError``, and what the sink throws.
    public func writeTiles(
        to sink: any TileSink, progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) throws -> [TileList.Entry] {
        precondition(!options.choosesMaxZoom, "the max zoom is given")
        let (points, quadtree) = try readPoints(progress)
        let standing = try PointStanding.reading(options.clustering, of: points).standing
        let content = try ClusterContent(options, of: points, standing: standing)
        let hierarchy = options.clustering.hierarchy(of: quadtree, standing: standing) {
            progress(.clustering(zoom: $0))
        }
        return try write(points, quadtree, content, hierarchy, to: sink, progress).tiles
    }

    private func write(
        _ points: PointTable, _ quadtree: LinearQuadtree, _ content: ClusterContent, _ hierarchy: ClusterHierarchy?,
        to sink: any TileSink, _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) throws -> (tiles: [TileList.Entry], leaves: [LeafList.Entry], zooms: [Manifest.ZoomSummary]) {
        let tileWriter = TileWriter(
            points: points, content: content, countLabel: options.clusters.countLabel,
            keepsCount: options.clustering.keepsCount, unclustered: quadtree.unclustered,
            storage: options.storage, compressionLevel: options.compressionLevel, jobs: options.jobs,
            sink: sink)
        let leafWriter = LeafWriter(
            points: points, options: options.clusters, storage: options.storage,
            compressionLevel: options.compressionLevel, jobs: options.jobs, sink: sink)
        let markerCount = options.clustering.markerCount(pointCount: quadtree.count, hierarchy)
        var zooms: [Manifest.ZoomSummary] = []
        var tiles: [TileList.Entry] = []
        var leaves: [LeafList.Entry] = []
        let starting = { progress(.writing(zoom: $0, tiles: 0, markers: 0, ofMarkers: markerCount)) }
        starting(options.clustering.maxZoom)
        try forEachZoom(of: quadtree, hierarchy, points, content) { markers, clusters in
            starting(markers.zoom)
            let written = try tileWriter.write(markers, clusters: clusters) {
                progress(.writing(zoom: markers.zoom, tiles: $0, markers: $1, ofMarkers: markerCount))
            }
            zooms.insert(summary(of: markers, written), at: 0)
            tiles += written
            if let clusters, clusters.hasLeaves {
                leaves = try leafWriter.write(markers, clusters: clusters) { progress(.writingLeaves(pages: $0)) }
            }
        }
        return (tiles, leaves, zooms)
    }

    private func readPoints(_ progress: (BuildProgress) -> Void) throws -> (PointTable, LinearQuadtree) {
        let inputs = try options.inputPaths.map { try InputBytes(path: $0) }
        var input = options.input
        input.reservedNames.formUnion(options.takenNames)
        var points = try PointTable(reading: inputs, options: input, cutting: InputCutting(jobs: options.jobs)) {
            bytesRead, byteCount in
            progress(.reading(bytes: bytesRead, of: byteCount))
        }
        try options.memoryLimit.check(MemoryEstimate(pointCount: points.count, options: options))
        progress(.sorting(points: points.count))
        let quadtree = points.sort(in: try PointSections(options.clustering, of: points), jobs: options.jobs)
        return (points, quadtree)
    }

    /// Calls `body` with the markers of every zoom, from the last zoom to the first.
    private func forEachZoom(
        of quadtree: LinearQuadtree, _ hierarchy: ClusterHierarchy?, _ points: PointTable, _ content: ClusterContent,
        _ body: (ZoomMarkers, ZoomClusters?) throws -> Void
    ) rethrows {
        let clustering = options.clustering
        let firstUnclustered = max(clustering.clusterMaxZoom + 1, clustering.minZoom)
        var descent = hierarchy.map {
            ClusterDescent(of: $0, in: quadtree, options: clustering, coordinate: points.coordinate)
        }
        for zoom in (firstUnclustered...clustering.maxZoom).reversed() {
            // The last of these zooms is the one whose points clusters take in.
            let hasParents = options.clusters.hasParents && zoom == clustering.clusterMaxZoom + 1
            try body(
                ZoomMarkers(allPointsOf: quadtree, atZoom: zoom),
                hasParents ? descent?.clusters(withMembers: false, withParents: true, withLeaves: false) : nil)
        }
        for zoom in clustering.clusteredZooms {
            descent?.descend(toZoom: zoom)
            guard let markers = descent?.markers(in: quadtree, coordinate: points.coordinate) else { return }
            try body(
                markers,
                descent?.clusters(
                    withMembers: content.needsMembers, withParents: options.clusters.hasParents,
                    withLeaves: options.clusters.hasLeaves))
        }
    }
}
