import PyramidBuild
import PyramidClusters
import PyramidInput
import PyramidStore
import PyramidTiles

/// Builds a part of the world. From the rows in the part and in a halo around it, it makes the tiles of the zooms
/// higher than the cut zoom, and hands over the markers of the cut zoom to the join.
public struct PartBuilder: Sendable {
    private let options: BuildOptions
    private let part: WorldPart
    /// The width of the halo around the part, in world units.
    var haloUnits: UInt64

    /// - Parameter options: valid ones (``PartOptions/problem`` is `nil`).
    public init(options: PartOptions) {
        precondition(options.problem == nil, options.problem?.description ?? "")
        (self.options, part) = (options.build, options.part)
        haloUnits = self.options.clustering.partHaloUnits(cutZoom: part.cutZoom)
    }

    /// Builds the part's file. Nothing there is touched before all rows are read and valid.
    /// - Parameter progress: called now and then, on any thread.
    /// - Throws: `InputError`, `MemoryError` and `OutputError`.
    public func build(progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }) throws -> PartReport {
        try PartFileWriter.check(options.outputPath)
        let area = PartArea(
            part.tile, haloUnits: haloUnits, digestZoom: options.clustering.digestZoom(cutZoom: part.cutZoom))
        var points = try InputReading(options, selection: area, progress).points
        try options.memoryLimit.check(
            MemoryEstimate(pointCount: points.count, clustering: options.clustering, clusters: options.clusters))
        let source = try InputSource(&points, ownCodes: part.tile.codes, options, progress)
        var handOver: HandOver?
        return try Pipeline(
            options: options, span: .above(part.cutZoom), source: source,
            lowestZoom: { handOver = HandOver(of: $0, inside: part.tile.codes, points: source.points, content: $1) },
            progress: progress
        ).run {
            let file = try PartFileWriter(path: $0.build.outputPath, syncs: $0.build.syncs)
            return PartSink(file: file, part: part, handOver: handOver)
        }
    }
}

/// Writes the file of a part.
struct PartSink: PipelineSink {
    let file: PartFileWriter
    let part: WorldPart
    var writesTiles = true
    /// `nil` until the lowest zoom is clustered.
    var handOver: HandOver?

    var files: (any TilesetFileWriter)? { writesTiles ? file : nil }
    var openBundles: OpenBundleOutput? { { [file] in try PartBundle.write($1, of: $0, to: file) } }

    func finish(_ built: consuming BuiltTiles) throws -> PartReport {
        let (options, report) = (built.options.build, built.facts.report)
        guard let handOver else { preconditionFailure("the cut zoom is clustered") }
        try handOver.write(to: file, idRule: options.input)
        var input = Manifest.InputSummary(report, digest: String(report.rowsDigest))
        // A build that joins its parts reports on all rows, not only on the part's.
        input.rowsAccepted = handOver.ownPoints.count
        let manifest = PartManifest(
            compressor: options.storage.compressorName(level: options.compressionLevel), cutZoom: part.cutZoom,
            options: options, part: part.tile, rowCount: handOver.rowCount, input: input, bounds: handOver.bounds,
            unclusteredPoints: handOver.unclusteredPoints, zooms: built.written.zooms, largest: built.written.largest,
            idTypes: built.written.idTypes)
        if !file.isOfJoin {
            try file.writeSection(PartSection.manifest) { append in
                try manifest.encoded().withUnsafeBytes(append)
            }
        }
        try file.finish()
        return PartReport(
            manifest: manifest, input: report, haloRows: built.points.count - input.rowsAccepted,
            markersHandedOver: handOver.candidateCount, warnings: built.warnings,
            countedWarnings: built.countedWarnings, separation: built.separation,
            tiles: writesTiles ? TileCounts(codes: []) : TileCounts(codes: handOver.ownCodes.sorted()[...]))
    }

    func abandon() { file.abandon() }
}

/// What the build of a part did.
public struct PartReport: Sendable {
    let manifest: PartManifest
    /// What was read, with examples of skipped rows; only the part's own rows count.
    public let input: InputReport
    /// How many accepted rows are in the halo.
    public let haloRows: Int
    public let markersHandedOver: Int
    /// Warnings, as sentences for the user.
    public let warnings: [OptionMessage]
    /// Warnings about single values.
    let countedWarnings: [CountedWarning]
    let separation: PlaceSeparation?
    /// The part's own tiles; counted only if none are written.
    let tiles: TileCounts

    public var part: WorldPart { WorldPart(tile: manifest.part, cutZoom: manifest.cutZoom) }
    /// The figures of ``input``, in the form of the manifest.
    public var inputSummary: Manifest.InputSummary { manifest.input }
    /// The zooms that were written.
    public var zooms: [Manifest.ZoomSummary] { manifest.zooms }
}
