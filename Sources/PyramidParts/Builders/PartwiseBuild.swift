import PyramidBuild
import PyramidClusters
import PyramidInput
import PyramidStore
import PyramidTiles
import Synchronization

/// Builds a tileset in parts of the world, one after the other, because memory doesn't suffice for all points at once.
/// Byte for byte, it is the tileset of a build in memory.
///
/// The rows are in a ``RowSpool``. The tiles of a part go straight to the tileset; what the part hands over goes to a
/// temporary file, and is joined at the end.
struct PartwiseBuild {
    /// With a given max zoom.
    private var options: BuildOptions
    private var choice: MaxZoomChoice?
    private var plan: PartPlan
    /// The combinations of values to filter by.
    private let combinations: [[UInt8]]
    /// The columns and the report of the input.
    private let table: PointTable
    private let spool: RowSpool
    private let facetWarnings: [OptionMessage]
    private let folder: String
    private let markersPerSubtree: Int
    private let progress: @Sendable (BuildProgress) -> Void

    /// Checks the columns, chooses the max zoom and plans the parts.
    /// - Parameters:
    ///   - table: without rows.
    ///   - spool: has all rows.
    ///   - memory: that the build may use.
    ///   - folder: for temporary files.
    /// - Throws: ``InputError``; ``MemoryError`` if even a part or the join needs more memory.
    init(
        _ options: BuildOptions, _ table: PointTable, _ spool: RowSpool, _ memory: PartMemory, folder: String,
        markersPerSubtree: Int, progress: @escaping @Sendable (BuildProgress) -> Void
    ) throws {
        var options = options
        options.memoryLimit = .unlimited
        options.listMemory = ListMemory(budgetBytes: memory.listBytes, folder: folder)
        try table.checkColumns(options)
        let survey = try ColumnSurvey(options, table, spool)
        (combinations, facetWarnings) = (survey.combinations, survey.warnings)
        // From now on, rows are read by place.
        (self.table, self.spool) = (try spool.copies?.table(like: table) ?? table, spool)
        (self.folder, self.markersPerSubtree, self.progress) = (folder, markersPerSubtree, progress)
        self.options = options
        if options.choosesMaxZoom { self.options.clustering = options.choiceClustering }
        plan = try PartPlan(self.options, spool, memory, unclustered: survey.unclusteredCount)
        guard options.choosesMaxZoom else { return }
        let choice = try maxZoomChoice(options)
        self.choice = choice
        self.options = options.choosing(maxZoom: choice.zoom)
        plan = try PartPlan(self.options, spool, memory, unclustered: survey.unclusteredCount)
    }

    var partCount: Int { parts.count }

    /// The parts that can have tiles.
    private var parts: [PartPlan.Part] { plan.partsWithTiles(options.clustering) }

    /// - Parameter output: opens the output.
    func run(to output: (BuildOptions) throws -> any TilesetWriter) throws -> BuildReport {
        for input in table.inputs.inputs { try input.requireUnchanged() }
        let writer = try output(options)
        do {
            return try run(writer)
        } catch {
            writer.abandon()
            throw error
        }
    }

    private func run(_ writer: any TilesetWriter) throws -> BuildReport {
        var (report, parts) = try join(writer, progress) { TilesetSink(writer: writer, abandonsWriter: false) }
        report.maxZoomChoice = choice
        report.warnings = table.report.warnings + facetWarnings + parts.map(\.countedWarnings).summedUp
        return report
    }

    /// Chooses the max zoom by clustering all zooms, without writing tiles.
    /// - Parameter options: the options of the whole build.
    private func maxZoomChoice(_ options: BuildOptions) throws -> MaxZoomChoice {
        var all = self
        all.options.choosesMaxZoom = false
        // Neither changes at which zooms places stand alone.
        all.options.clusters = ClusterContentOptions()
        all.options.clustering.minPoints = 2
        let (joined, parts) = try all.join(nil, { _ in }) { CountingSink() }
        var tiles = TileCounts(codes: [])
        for part in parts { tiles.append(part.tiles) }
        return options.maxZoomChoice(
            PlaceSeparation(areas: parts.compactMap(\.separation), lowerZooms: joined)
        ) { tiles }
    }

    /// Builds the parts and joins them.
    /// - Parameter writer: gets the parts' tiles; `nil` if they have none.
    private func join<Sink: PipelineSink>(
        _ writer: (any TilesetWriter)?, _ progress: @escaping @Sendable (BuildProgress) -> Void, to sink: () -> Sink
    ) throws -> (joined: Sink.Outcome, parts: [PartReport]) {
        let collector = FileListCollector(options.listMemory ?? .unlimited)
        var (opened, reports): ([OpenedPart], [PartReport]) = ([], [])
        let handedOver = try Spool(in: folder)
        let steps = PartSteps(parts, isCounting: writer == nil, self.progress)
        for part in parts {
            let first = handedOver.byteCount
            let file = PartFileWriter(in: handedOver, beside: writer, cutZoom: plan.cutZoom)
            steps.begin(part)
            let sink = PartSink(
                file: file, part: WorldPart(tile: part.tile, cutZoom: plan.cutZoom), writesTiles: writer != nil)
            let report = try build(part, sink, collector, steps)
            let bytes = try handedOver.map(first..<handedOver.byteCount)
            opened.append(try OpenedPart(report.manifest, bytes, finishedTiles: file.finishedTiles))
            reports.append(report)
            steps.finish(part)
        }
        let source = try PartSource(opened, of: (table, collector), options, progress)
        let joined = try Pipeline(
            options: options, span: .through(plan.cutZoom), source: source,
            markersPerSubtree: markersPerSubtree, countsPlaces: writer == nil, progress: progress
        ).run { _ in sink() }
        return (joined, reports)
    }

    private func build(
        _ part: PartPlan.Part, _ sink: PartSink, _ collector: FileListCollector, _ steps: PartSteps
    ) throws -> PartReport {
        let area = PartArea(part.tile, haloUnits: plan.haloUnits)
        var points = table.with(spool.rows(in: area), selection: area)
        var source = try InputSource(&points, ownCodes: part.tile.codes, options) { steps.report($0) }
        source.knownTexts.combinations = combinations
        source.collector = collector
        defer { for input in table.inputs.inputs { input.releasePages() } }
        var sink = sink
        return try Pipeline(
            options: options, span: .above(plan.cutZoom), source: source,
            markersPerSubtree: markersPerSubtree, countsPlaces: !sink.writesTiles,
            lowestZoom: {
                sink.handOver = HandOver(of: $0, inside: part.tile.codes, points: source.points, content: $1)
            },
            progress: { steps.report($0) }
        ).run { _ in sink }
    }
}

/// Reports the progress of parts as that of the whole.
private final class PartSteps: Sendable {
    private struct State {
        var part = 0
        /// Of finished parts.
        var rows = 0
        var currentRows = 0
        var markers = 0
        var allMarkers = 0
    }

    private let partCount: Int
    private let isCounting: Bool
    private let rowCount: Int
    private let progress: @Sendable (BuildProgress) -> Void
    private let state = Mutex(State())

    init(_ parts: [PartPlan.Part], isCounting: Bool, _ progress: @escaping @Sendable (BuildProgress) -> Void) {
        partCount = parts.count
        self.isCounting = isCounting
        rowCount = parts.reduce(0) { $0 + $1.rowsWithHalo }
        self.progress = progress
    }

    func report(_ step: BuildProgress) {
        guard !isCounting else { return }
        let (part, rows) = state.withLock { state in
            if case .writing(_, let markers, let all) = step {
                state.markers += markers
                state.allMarkers = all
            }
            let share = state.allMarkers > 0 ? Double(state.markers) / Double(state.allMarkers) : 0
            return (state.part, state.rows + Int(Double(state.currentRows) * min(share, 1)))
        }
        progress(.building(part: part, of: partCount, rows: rows, ofRows: rowCount))
    }

    func begin(_ part: PartPlan.Part) {
        let rows = state.withLock { state in
            state.part += 1
            state.currentRows = part.rowsWithHalo
            return state.rows
        }
        if isCounting { progress(.counting(rows: rows, of: rowCount)) }
    }

    func finish(_ part: PartPlan.Part) {
        state.withLock { state in
            state = State(part: state.part, rows: state.rows + part.rowsWithHalo)
        }
    }
}
