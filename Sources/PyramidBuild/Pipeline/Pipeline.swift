import PyramidStore
import PyramidTiles

/// How points become a tileset: the program on one screen. What is built differs in three values: the span of zooms, the
/// source of the candidates and the sink.
struct Pipeline<Source: CandidateSource> {
    let options: BuildOptions
    let span: ClusteringRules.Span
    let source: Source
    /// How many markers a worker takes at a time; what is written doesn't depend on it.
    var markersPerSubtree = TileWriter.defaultMarkersPerSubtree
    let progress: @Sendable (BuildProgress) -> Void

    /// - Parameter open: opens the sink, once the whole input is read and found good.
    func run<Sink: PipelineSink>(to open: (ResolvedOptions) throws -> Sink) throws -> Sink.Outcome {
        let (points, quadtree) = (source.points, source.quadtree)
        let (precedence, warnings) = try PointPrecedence.reading(options.clustering, of: points)
        let content = try ClusterContent(
            options.clusters, options.clustering, idColumn: options.input.idColumn, of: points, precedence: precedence,
            knownTexts: source.knownTexts)
        let handedOver = try source.handedOver(content, precedence)
        let choice = maxZoomChoice(of: quadtree, precedence)
        let options = try ResolvedOptions(options, maxZoom: choice?.zoom, content, of: points)

        var estimate = MemoryEstimate(
            of: quadtree, clustering: options.clustering, clusters: options.clusters,
            bundleLimit: options.storage.layout.bundleLimit, jobs: options.build.jobs)
        try options.build.memoryLimit.check(estimate)
        var clustered = try cluster(points, quadtree, handedOver, content, precedence, options)
        estimate.markerBytes = clustered.bands.markerBytes(allAtOnce: options.storage.layout.bundleLimit != nil)
        try options.build.memoryLimit.check(estimate)

        let facts = try source.facts(content)
        for input in source.inputs { try input.requireUnchanged() }
        let sink = try open(options)
        do {
            let markers = MarkerSource(
                points: points, content: content, mode: options.clustering.mode,
                keepsCount: options.clustering.keepsCount, unclustered: quadtree.unclustered)
            var written = try source.copyFiles(to: sink.files)
            try write(&clustered, of: markers, to: sink.files, options, &written)
            for input in source.inputs { try input.requireUnchanged() }
            return try sink.finish(
                BuiltTiles(
                    options: options, points: points, content: content, facts: facts, written: consume written,
                    handOver: clustered.handOver, maxZoomChoice: choice, separation: clustered.separation,
                    // Parts have warned of their rows.
                    warnings: handedOver == nil ? facts.report.warnings + content.warnings + warnings : []))
        } catch {
            sink.abandon()
            throw error
        }
    }
}

/// Points or markers to be clustered: rows that were read, or what parts hand over.
protocol CandidateSource {
    var points: PointTable { get }
    /// Of the points that are clustered.
    var quadtree: LinearQuadtree { get }
    /// Where the markers to be written are shown; `nil` for anywhere.
    var ownCodes: ClosedRange<UInt64>? { get }
    /// By column of which values are counted: texts that points elsewhere have.
    var knownTexts: [[[UInt8]]] { get }

    /// The markers that parts have made of points; `nil` if the points are the candidates.
    func handedOver(_ content: ClusterContent, _ precedence: PointPrecedence) throws -> HandedOverClusters?

    /// What is known of all points, here or in parts.
    func facts(_ content: ClusterContent) throws -> TilesetFacts

    /// Copies the tiles, bundles and pages that are there already.
    func copyFiles(to files: any TilesetFileWriter) throws -> WrittenTiles

    /// The files whose rows are read until all tiles are written.
    var inputs: [InputBytes] { get }
}

extension CandidateSource {
    var ownCodes: ClosedRange<UInt64>? { nil }
    var knownTexts: [[[UInt8]]] { [] }
    func handedOver(_ content: ClusterContent, _ precedence: PointPrecedence) throws -> HandedOverClusters? { nil }
    func copyFiles(to files: any TilesetFileWriter) throws -> WrittenTiles { WrittenTiles() }
}

/// Where what is built goes: a tileset, or the file of a part. A sink can be both: its files are the tileset's, and it
/// keeps what is handed over.
protocol PipelineSink {
    associatedtype Outcome

    /// Where tiles, bundles and pages go.
    var files: any TilesetFileWriter { get }

    /// Writes all else.
    func finish(_ built: consuming BuiltTiles) throws -> Outcome

    /// Makes room after a failure.
    func abandon()
}

/// What a pipeline has built, when all tiles are written.
struct BuiltTiles {
    let options: ResolvedOptions
    let points: PointTable
    let content: ClusterContent
    let facts: TilesetFacts
    var written: WrittenTiles
    /// What a part hands over; `nil` if the span has no zoom that is made elsewhere.
    let handOver: HandOver?
    /// `nil` if the max zoom was given.
    let maxZoomChoice: MaxZoomChoice?
    /// `nil` if not all zooms were built here, or none is clustered.
    let separation: PlaceSeparation?
    let warnings: [OptionMessage]
}
