import PyramidStore
import PyramidTiles

/// Makes a pyramid of tiles from files of points.
public struct PyramidBuilder: Sendable {
    public let options: BuildOptions
    /// How many markers a worker takes at a time; what is written doesn't depend on it.
    var markersPerSubtree = TileWriter.usualMarkersPerSubtree

    /// What made a pyramid, as its manifest names it.
    public static let generator = "pyramid \(version)"
    public static let version = "0.2.0"

    /// - Parameter options: without a ``BuildOptions/problem``.
    public init(options: BuildOptions) {
        precondition(options.problem == nil, options.problem?.description ?? "")
        self.options = options
    }

    /// Builds into the directory or the archive of the options. Nothing there is touched before the whole input is read and found good.
    /// - Parameter progress: is called now and then, by any worker.
    /// - Throws: ``InputError``, ``MemoryError`` and `OutputError`.
    public func build(progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }) throws -> BuildReport {
        try options.checkOutput()
        return try build(progress: progress) { try $0.openOutput() }
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
        let content = try ClusterContent(
            options.clusters, options.clustering, idColumn: options.input.idColumn, of: points, standing: standing)

        let work = SharedWork(jobs: options.jobs)
        let choice = maxZoomChoice(of: quadtree, standing, work, progress)
        var options = choice.map { self.options.choosing(maxZoom: $0.zoom) } ?? self.options
        options.storage.idProperty = try options.idProperty(of: points)
        let rules = ClusteringRules(options.clustering)
        var estimate = MemoryEstimate(
            of: quadtree, clustering: options.clustering, clusters: options.clusters,
            bundleLimit: options.storage.bundleLimit)
        try options.memoryLimit.check(estimate)

        var (bands, separation) = self.bands(of: points, quadtree, content, standing, rules: rules, work, progress)
        estimate.markerBytes = bands.markerBytes(allAtOnce: options.storage.bundleLimit != nil)
        try options.memoryLimit.check(estimate)

        for input in points.inputs.inputs {
            input.endWatch()
            try input.requireUnchanged()
        }
        let writer = try output(options)
        let source = MarkerSource(
            points: points, content: content, mode: rules.mode, keepsCount: options.clustering.keepsCount,
            unclustered: quadtree.unclustered)
        var written = WrittenTiles()
        let outcome: TilesetOutcome
        do {
            written = try write(&bands, of: source, to: writer, options, progress)
            for input in points.inputs.inputs { try input.requireUnchanged() }
            outcome = try writer.finish(
                options.metadata(
                    of: points, TilesetFacts(of: points, in: quadtree, content), content, &written,
                    generator: PyramidBuilder.generator))
        } catch {
            writer.abandon()
            throw error
        }

        return BuildReport(
            input: points.report, outcome: outcome, maxZoomChoice: choice, largest: written.largest,
            separation: separation, warnings: points.report.warnings + content.warnings + warnings)
    }
}

extension BuildOptions {
    /// Throws `OutputError` if nothing can be built at the output path; touches nothing.
    func checkOutput() throws {
        if isArchive {
            try ArchiveTilesetWriter.check(path: outputPath, force: force)
        } else {
            try DirectoryTilesetWriter.check(path: outputPath, force: force, previewPage: previewPage)
        }
    }

    /// Opens the directory or the archive.
    func openOutput() throws -> any TilesetWriter {
        guard !isArchive else {
            return try ArchiveTilesetWriter(path: outputPath, force: force, jobs: jobs, syncs: syncs)
        }
        return try DirectoryTilesetWriter(
            path: outputPath, storage: storage, compressor: storage.compressorName(level: compressionLevel),
            force: force,
            syncs: syncs)
    }
}

/// The stages that need more than a line.
extension PyramidBuilder {
    func readPoints(_ progress: @escaping (BuildProgress) -> Void) throws -> (PointTable, LinearQuadtree) {
        let inputs = try options.inputPaths.map { path in
            try InputBytes(path: path) { progress(.copying(bytes: $0)) }
        }
        var input = options.input
        input.reservedNames.formUnion(options.takenNames)
        let reading = Result {
            try PointTable(reading: inputs, options: input, cutting: InputCutting(jobs: options.jobs)) {
                progress(.reading(bytes: $0, of: $1))
            }
        }
        // An input that was changed has no other fault.
        for input in inputs { try input.requireUnchanged() }
        var points = try reading.get()
        try options.memoryLimit.check(
            MemoryEstimate(pointCount: points.count, clustering: options.clustering, clusters: options.clusters))
        for input in inputs { input.releasePages() }
        progress(.sorting(points: points.count))
        let sections = try PointSections(options.clustering, of: points)
        let quadtree = points.sort(in: sections, jobs: options.jobs).quadtree
        return (points, quadtree)
    }

    /// Clusters the points. Nothing else refers to what the bands forget.
    private func bands(
        of points: PointTable, _ quadtree: LinearQuadtree, _ content: ClusterContent, _ standing: PointStanding,
        rules: ClusteringRules, _ work: SharedWork, _ progress: (BuildProgress) -> Void
    ) -> (TileBands, PlaceSeparation?) {
        let hierarchy = rules.hierarchy(of: quadtree, standing: standing, work: work) {
            progress(.clustering(zoom: $0))
        }
        progress(.arranging(zoom: rules.tileZooms.upperBound))
        let clusters = hierarchy.map {
            PyramidClusters(
                of: $0, in: quadtree, rules: rules, hasMembers: content.needsMembers || options.clusters.hasLeaves,
                coordinates: points.coordinates, values: content.values, standing: standing, jobs: options.jobs)
        }
        return (
            TileBands(of: quadtree, clusters, hierarchy, rules: rules, options: options.clusters),
            rules.zooms.isEmpty ? nil : hierarchy.map { PlaceSeparation(Loneliness(of: $0, in: quadtree, rules)) }
        )
    }

    /// `nil` if the max zoom is given.
    private func maxZoomChoice(
        of quadtree: LinearQuadtree, _ standing: PointStanding, _ work: SharedWork,
        _ progress: (BuildProgress) -> Void
    ) -> MaxZoomChoice? {
        guard options.choosesMaxZoom else { return nil }
        return options.maxZoomChoice(of: quadtree, standing: standing, work) { progress(.clustering(zoom: $0)) }
    }

    /// Writes the tiles and pages of all bands.
    /// - Parameters:
    ///   - bands: are used up.
    ///   - written: what is there already.
    ///   - codes: where places must be whose pages are written; `nil` for anywhere.
    ///   - cut: the markers of the cut zoom above, for bundles; `nil` if there is none.
    ///   - cutRecords: what parts have handed over of deeper zooms, for bundles; `nil` if nothing is deeper.
    func write(
        _ bands: inout TileBands, of source: MarkerSource, to output: any TilesetFileWriter, _ options: BuildOptions,
        after written: WrittenTiles = WrittenTiles(), codes: ClosedRange<UInt64>? = nil,
        cut: TileBand? = nil, cutRecords: CutRecords? = nil,
        _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) throws -> WrittenTiles {
        let markerCount = bands.markerCount
        let leafWriter = LeafWriter(
            source: source, options: options.clusters, storage: options.storage,
            compressionLevel: options.compressionLevel, jobs: options.jobs, output: output, codes: codes)
        var leaves: [LeafList.Entry] = []
        func forEachBand(_ body: (TileBand) throws -> Void) throws {
            try bands.forEach {
                progress(.arranging(zoom: $0))
            } _: { band in
                progress(.writing(tiles: 0, markers: 0, ofMarkers: markerCount))
                try body(band)
                leaves += try leafWriter.write(band, options.clustering) { progress(.writingLeaves(pages: $0)) }
            }
        }
        let tilesWritten: @Sendable (Int, Int) -> Void = {
            progress(.writing(tiles: $0, markers: $1, ofMarkers: markerCount))
        }

        var written = written
        if let limit = options.storage.bundleLimit {
            let writer = BundleWriter(
                encoding: options.encoding, storage: options.storage, limit: limit,
                compressionLevel: options.compressionLevel, jobs: options.jobs, output: output,
                markersPerSubtree: markersPerSubtree, maxZoom: options.clustering.maxZoom, cutRecords: cutRecords)
            var all: [TileBand] = []
            try forEachBand { all.append($0) }
            let markers = BundledMarkers(all.reversed(), cut: cut, of: source)
            written.append(try writer.write(markers, progress: tilesWritten), of: markers.whole, options.clustering)
        } else {
            let writer = TileWriter(
                source: source, encoding: options.encoding, storage: options.storage,
                compressionLevel: options.compressionLevel, jobs: options.jobs, output: output,
                markersPerSubtree: markersPerSubtree)
            try forEachBand { band in
                written.append(try writer.write(band, progress: tilesWritten), of: band, options.clustering)
            }
        }
        written.leaves += leaves
        return written
    }
}
