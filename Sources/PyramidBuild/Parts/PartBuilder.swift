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
        try PartFileWriter.check(options.outputPath)
        let source = try InputSource(options, area: PartArea(part.tile, haloUnits: haloUnits), progress)
        return try Pipeline(
            options: options, span: .from(cutZoom: part.cutZoom), source: source, progress: progress
        ).run {
            PartSink(
                file: try PartFileWriter(path: $0.build.outputPath, syncs: $0.build.syncs), part: part,
                unclustered: source.quadtree.unclustered)
        }
    }
}

/// The file of a part.
private struct PartSink: PipelineSink {
    let file: PartFileWriter
    let part: WorldPart
    /// The points that never merge.
    let unclustered: Range<Int>

    var files: any TilesetFileWriter { file }

    func finish(_ built: consuming BuiltTiles) throws -> PartReport {
        guard let handOver = built.handOver else { preconditionFailure("the cut zoom is clustered") }
        let (options, report) = (built.options.build, built.facts.report)
        try handOver.write(to: file, idRule: options.input)
        let manifest = PartManifest(
            compressor: options.storage.compressorName(level: options.compressionLevel), cutZoom: part.cutZoom,
            options: options, part: part.tile, rowCount: handOver.rowCount,
            input: Manifest.InputSummary(report, digest: String(report.rowsDigest)), bounds: handOver.bounds,
            unclusteredPoints: handOver.ownPoints.count { unclustered.contains($0) },
            zooms: built.written.zooms, largest: built.written.largest, idTypes: built.written.idTypes.rawValue)
        try file.writeSection(PartSection.manifest) { append in
            try manifest.encoded().withUnsafeBytes(append)
        }
        try file.finish()
        return PartReport(
            part: part, input: report, inputSummary: manifest.input,
            haloRows: built.points.count - report.rowsAccepted, zooms: built.written.zooms,
            markersHandedOver: handOver.candidateCount, warnings: built.warnings)
    }

    func abandon() { file.abandon() }
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
