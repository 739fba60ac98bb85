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
    /// - Throws: ``InputError`` and ``OutputError``.
    public func build(progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }) throws -> BuildReport {
        try TileDirectoryWriter.check(path: options.outputPath)
        let (points, quadtree) = try readPoints(progress)
        let content = try ClusterContent(options.clusters, idColumn: options.input.idColumn, of: points)
        let (standing, warnings) = try standing(of: points)
        let choice = options.choosesMaxZoom ? maxZoomChoice(quadtree, standing, progress) : nil
        let builder = choice.map { PyramidBuilder(options: options.choosing(maxZoom: $0.zoom)) } ?? self
        return try builder.write(points, quadtree, content, standing, progress)
            .adding(warnings: points.report.warnings + content.warnings + warnings, maxZoomChoice: choice)
    }

    private func write(
        _ points: PointTable, _ quadtree: LinearQuadtree, _ content: ClusterContent, _ standing: PointStanding,
        _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) throws -> BuildReport {
        let hierarchy = hierarchy(of: quadtree, standing, progress)
        let directory = try TileDirectoryWriter(path: options.outputPath)
        let tileWriter = TileWriter(
            points: points, content: content, countLabel: options.clusters.countLabel,
            keepsCount: options.clustering.keepsCount,
            compressionLevel: options.compressionLevel, jobs: options.jobs, sink: directory)
        let markerCount = markerCount(of: quadtree, hierarchy)
        var zooms: [Manifest.ZoomSummary] = []
        var tiles: [TileList.Entry] = []
        try forEachZoom(of: quadtree, hierarchy, points, content) { markers, clusters in
            let written = try tileWriter.write(markers, clusters: clusters) {
                progress(.writing(zoom: markers.zoom, tiles: $0, markers: $1, ofMarkers: markerCount))
            }
            zooms.insert(summary(of: markers, written), at: 0)
            tiles += written
        }

        let (changes, manifest) = try directory.finish(
            list: TileList(tiles), tileJSON: tileJSON(of: points), manifest: manifest(of: points, content, zooms: zooms)
        )
        let loneliness = hierarchy.map {
            Loneliness(of: $0, in: quadtree, lastZoom: options.clustering.clusterMaxZoom)
        }
        return BuildReport(
            input: points.report, manifest: manifest, changes: changes, sufficientZoom: loneliness?.firstZoomWithEnough)
    }

    /// The first zoom at which enough places stand alone.
    private func maxZoomChoice(
        _ quadtree: LinearQuadtree, _ standing: PointStanding, _ progress: (BuildProgress) -> Void
    ) -> BuildReport.MaxZoomChoice {
        var clustering = options.clustering
        clustering.minZoom = 0
        clustering.maxZoom = Loneliness.deepestChoice
        clustering.clusterMaxZoom = clustering.maxZoom - 1
        let candidates = Candidates(of: quadtree, nodesAtDepth: clustering.candidateDepth, standing: standing)
        let hierarchy = clustering.clustering.hierarchy(of: candidates, in: quadtree) {
            progress(.clustering(zoom: $0))
        }
        let loneliness = Loneliness(of: hierarchy, in: quadtree, lastZoom: clustering.clusterMaxZoom)
        let zoom = max(loneliness.firstZoomWithEnough ?? clustering.maxZoom, options.clustering.minZoom)
        return BuildReport.MaxZoomChoice(
            zoom: zoom, aloneShare: zoom < clustering.maxZoom ? loneliness.share(atZoom: zoom) : nil,
            placeCount: loneliness.placeCount)
    }

    private func readPoints(_ progress: (BuildProgress) -> Void) throws -> (PointTable, LinearQuadtree) {
        let inputs = try options.inputPaths.map { try InputBytes(path: $0) }
        var input = options.input
        if options.clusters.hasParents { input.reservedNames.insert(ClusterContentOptions.parentName) }
        var points = try PointTable(reading: inputs, options: input) { bytesRead, byteCount in
            progress(.reading(bytes: bytesRead, of: byteCount))
        }
        let (quadtree, order) = LinearQuadtree.sorting(
            count: points.count, worldPoint: { WebMercator.project(points.coordinate($0)) },
            precedes: points.recordPrecedes)
        points.reorder(by: order)
        return (points, quadtree)
    }

    /// What the columns of priority and weight say, and sentences about values that could not be used.
    private func standing(of points: PointTable) throws(InputError) -> (PointStanding, warnings: [String]) {
        var standing = PointStanding()
        var warnings: [String] = []
        if let name = options.clustering.priorityColumn {
            let column = NumberColumn(try points.column(named: name, option: "--priority"), of: points)
            standing.priorities = column.ranks[...]
            if column.otherCount > 0 {
                warnings.append("\(column.otherCount) priorities are no numbers; these points come last")
            }
        }
        if let name = options.clustering.weightColumn {
            let column = NumberColumn(try points.column(named: name, option: "--weight"), of: points)
            let (weights, otherCount) = column.weights()
            standing.weights = weights[...]
            if otherCount > 0 {
                warnings.append(
                    "\(otherCount) weights are no whole numbers from 0 to \(NumberColumn.weightLimit); "
                        + "these points count as 1")
            }
        }
        return (standing, warnings)
    }

    /// `nil` where no zoom is clustered.
    private func hierarchy(
        of quadtree: LinearQuadtree, _ standing: PointStanding, _ progress: (BuildProgress) -> Void
    ) -> ClusterHierarchy? {
        guard !options.clustering.clusteredZooms.isEmpty else { return nil }
        let candidates = Candidates(
            of: quadtree, nodesAtDepth: options.clustering.candidateDepth, standing: standing)
        return options.clustering.clustering.hierarchy(of: candidates, in: quadtree) {
            progress(.clustering(zoom: $0))
        }
    }

    /// How many markers there are at all zooms, but for clusters that are too small to be written.
    private func markerCount(of quadtree: LinearQuadtree, _ hierarchy: ClusterHierarchy?) -> Int {
        let clustered = options.clustering.clusteredZooms
        let all = (options.clustering.maxZoom - options.clustering.minZoom + 1 - clustered.count) * quadtree.count
        return clustered.reduce(all) { count, zoom in
            count + (hierarchy?.joinZoom.count { $0 < zoom } ?? 0)
        }
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
            let hasClustersAbove = zoom == clustering.clusterMaxZoom + 1
            try body(
                ZoomMarkers(allPointsOf: quadtree, atZoom: zoom, coordinate: points.coordinate),
                hasClustersAbove && options.clusters.hasParents
                    ? descent?.clusters(withMembers: false, withParents: options.clusters.hasParents) : nil)
        }
        for zoom in clustering.clusteredZooms {
            descent?.descend(toZoom: zoom)
            guard let markers = descent?.markers(in: quadtree, coordinate: points.coordinate) else { return }
            try body(
                markers,
                descent?.clusters(
                    withMembers: content.needsMembers, withParents: options.clusters.hasParents))
        }
    }
}

/// The metadata.
extension PyramidBuilder {
    private func summary(of markers: ZoomMarkers, _ tiles: [TileList.Entry]) -> Manifest.ZoomSummary {
        Manifest.ZoomSummary(
            zoom: markers.zoom, tiles: tiles.count, markers: markers.entries.count, clusters: markers.clusterCount,
            bodyBytes: tiles.reduce(0) { $0 + $1.bodyByteCount }, storedBytes: tiles.reduce(0) { $0 + $1.byteCount },
            minimumDistanceUnits: options.clustering.promisedDistanceUnits(atZoom: markers.zoom))
    }

    private func tileJSON(of points: PointTable) -> TileJSON {
        let bounds = BoundingBox(
            west: points.longitudes.min() ?? 0, south: points.latitudes.min() ?? 0,
            east: points.longitudes.max() ?? 0, north: points.latitudes.max() ?? 0)
        return TileJSON(
            tileTemplate: TileDirectory.tileTemplate, minZoom: options.clustering.minZoom,
            maxZoom: options.clustering.maxZoom, bounds: bounds, fields: points.fields)
    }

    private func manifest(
        of points: PointTable, _ content: ClusterContent, zooms: [Manifest.ZoomSummary]
    ) -> Manifest {
        let report = points.report
        return Manifest(
            generator: PyramidBuilder.generator, options: options.clustering,
            content: .init(
                idColumn: options.input.idColumn, properties: points.propertyNames, clusters: content.writtenOptions,
                compressionLevel: options.compressionLevel),
            input: .init(
                digest: report.digest.hexadecimal, rowsRead: report.rowsRead, rowsAccepted: report.rowsAccepted,
                rowsClamped: report.rowsClamped,
                rowsSkipped: Dictionary(
                    uniqueKeysWithValues: report.rowsSkipped.map { ($0.key.rawValue, $0.value) })),
            totals: content.totals(pointCount: points.count), zooms: zooms)
    }
}
