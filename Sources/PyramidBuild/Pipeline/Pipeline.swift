import PyramidClusters
import PyramidInput
import PyramidStore
import PyramidTiles

/// How points become tiles: the same stages for all, or some, zooms. Three values say what is built: the span of zooms,
/// the source of the candidates, and the sink.
package struct Pipeline<Source: CandidateSource> {
    let options: BuildOptions
    let span: ClusteringRules.Span
    let source: Source
    /// How many markers a worker takes at a time. The output doesn't depend on it.
    let markersPerSubtree: Int
    /// Whether to count the places that stand alone, to choose the max zoom.
    let countsPlaces: Bool
    /// Takes the markers of the lowest zoom, with what clusters say, before the memory of the hierarchy is free again.
    let lowestZoom: ((ClusterDescent, ClusterContent) -> Void)?
    let progress: @Sendable (BuildProgress) -> Void

    package init(
        options: BuildOptions, span: ClusteringRules.Span, source: Source,
        markersPerSubtree: Int = TileWriter.defaultMarkersPerSubtree, countsPlaces: Bool = false,
        lowestZoom: ((ClusterDescent, ClusterContent) -> Void)? = nil,
        progress: @escaping @Sendable (BuildProgress) -> Void
    ) {
        (self.options, self.span, self.source, self.progress) = (options, span, source, progress)
        (self.markersPerSubtree, self.countsPlaces, self.lowestZoom) = (markersPerSubtree, countsPlaces, lowestZoom)
    }

    /// - Parameter open: opens the sink, once the whole input is read and valid.
    package func run<Sink: PipelineSink>(to open: (ResolvedOptions) throws -> Sink) throws -> Sink.Outcome {
        let (points, quadtree) = (source.points, source.quadtree)
        var options = try ResolvedOptions(options, of: points)
        let (precedence, warnings) = try PointPrecedence.reading(options.clustering, of: points)
        let content = try ClusterContent(options, of: points, precedence: precedence, knownTexts: source.knownTexts)
        let candidates = try source.candidates(content, precedence)
        let choice = maxZoomChoice(of: quadtree, precedence)
        if let choice { options.build = options.build.choosing(maxZoom: choice.zoom) }

        var estimate = MemoryEstimate(
            of: quadtree, clustering: options.clustering, clusters: options.clusters,
            bundleLimit: options.storage.layout.bundleLimit, jobs: options.build.jobs)
        try options.build.memoryLimit.check(estimate)
        var clustered = try cluster(points, quadtree, candidates, content, precedence, options)
        estimate.markerBytes = clustered.bands.markerBytes(allAtOnce: options.storage.layout.bundleLimit != nil)
        try options.build.memoryLimit.check(estimate)

        let facts = try source.facts(content)
        for input in source.inputs { try input.requireUnchanged() }
        let sink = try open(options)
        do {
            let markers = MarkerData(
                points: points, content: content, mode: options.clustering.mode, unclustered: quadtree.unclustered)
            var written = WrittenTiles(source.collector ?? FileListCollector(options.build.listMemory ?? .unlimited))
            if let files = sink.files {
                try source.copyFiles(to: files, content, &written)
                try write(&clustered, of: markers, to: files, openBundles: sink.openBundles, options, &written)
            }
            for input in source.inputs { try input.requireUnchanged() }
            return try sink.finish(
                BuiltTiles(
                    options: options, points: points, content: content, facts: facts, written: consume written,
                    maxZoomChoice: choice, separation: clustered.separation,
                    // The builds that made the candidates have warned of their points.
                    facetWarnings: candidates == nil ? content.facets?.warnings ?? [] : [],
                    countedWarnings: candidates == nil ? content.warnings + warnings : []))
        } catch {
            sink.abandon()
            throw error
        }
    }
}

/// What is clustered: the points of rows, or existing markers.
package protocol CandidateSource {
    var points: PointTable { get }
    /// The sorted points.
    var quadtree: LinearQuadtree { get }
    /// As Morton codes: only markers shown there are written. `nil` for the whole world.
    var ownCodes: ClosedRange<UInt64>? { get }
    /// Values of rows outside ``points``, if they are known; they may include values of ``points``.
    var knownTexts: CountedTexts { get }
    /// Collects the list of files; `nil` for a new one.
    var collector: FileListCollector? { get }

    /// Existing markers; `nil` if the points are the candidates.
    func candidates(_ content: ClusterContent, _ precedence: PointPrecedence) throws -> Candidates?

    /// The facts of all points, including those that aren't in ``points``.
    func facts(_ content: ClusterContent) throws -> TilesetFacts

    /// Copies existing tiles and bundles.
    func copyFiles(to files: any TilesetFileWriter, _ content: ClusterContent, _ written: inout WrittenTiles) throws

    /// The files whose rows are read while tiles are written.
    var inputs: [InputBytes] { get }
}

extension CandidateSource {
    package var ownCodes: ClosedRange<UInt64>? { nil }
    package var knownTexts: CountedTexts { CountedTexts() }
    package var collector: FileListCollector? { nil }
    package func candidates(_ content: ClusterContent, _ precedence: PointPrecedence) throws -> Candidates? { nil }
    package func copyFiles(
        to files: any TilesetFileWriter, _ content: ClusterContent, _ written: inout WrittenTiles
    ) throws {}
}

/// Where the output of the pipeline goes.
package protocol PipelineSink {
    associatedtype Outcome

    /// Where tiles and bundles go; `nil` if none are written.
    var files: (any TilesetFileWriter)? { get }
    /// Takes the bundles that a tile of a lower zoom than the span's may contain; `nil` if no lower zoom follows.
    var openBundles: OpenBundleOutput? { get }

    /// Writes everything else.
    func finish(_ built: consuming BuiltTiles) throws -> Outcome

    /// Cleans up after a failure.
    func abandon()
}

extension PipelineSink {
    package var openBundles: OpenBundleOutput? { nil }
}

/// What the pipeline has built, once all tiles are written.
package struct BuiltTiles {
    package let options: ResolvedOptions
    package let points: PointTable
    package let content: ClusterContent
    package let facts: TilesetFacts
    package var written: WrittenTiles
    /// `nil` if the max zoom was given.
    package let maxZoomChoice: MaxZoomChoice?
    /// `nil` unless places are counted, or if no zoom is clustered.
    package let separation: PlaceSeparation?
    /// Warnings about the columns to filter by.
    package let facetWarnings: [OptionMessage]
    /// Warnings about single values.
    package let countedWarnings: [CountedWarning]

    package var warnings: [OptionMessage] { facts.report.warnings + facetWarnings + countedWarnings.map(\.message) }
}
