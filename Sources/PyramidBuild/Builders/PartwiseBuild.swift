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
    private let options: BuildOptions
    private let choice: MaxZoomChoice?
    private let plan: PartPlan
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
        // From now on, rows are read by place.
        let placed = try spool.copies?.table(like: table) ?? table
        var choice: MaxZoomChoice?
        if options.choosesMaxZoom {
            var all = options
            all.clustering = options.choiceClustering
            let plan = try PartPlan(all, spool, memory, unclustered: survey.unclusteredCount)
            let found = try PartwiseSeparation(all, plan, placed, spool, progress)
            choice = options.maxZoomChoice(found.separation) { found.tiles }
            options = options.choosing(maxZoom: choice?.zoom ?? options.clustering.maxZoom)
        }
        plan = try PartPlan(options, spool, memory, unclustered: survey.unclusteredCount)
        (combinations, facetWarnings) = (survey.combinations, survey.warnings)
        (self.options, self.choice, self.table, self.spool) = (options, choice, placed, spool)
        (self.folder, self.markersPerSubtree, self.progress) = (folder, markersPerSubtree, progress)
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
        let collector = FileListCollector(options.listMemory ?? .unlimited)
        var (parts, reports): ([OpenedPart], [PartReport]) = ([], [])
        let handedOver = try Spool(in: folder)
        let steps = PartSteps(self.parts, progress)
        for part in self.parts {
            let first = handedOver.byteCount
            let file = PartFileWriter(in: handedOver, beside: writer, cutZoom: plan.cutZoom)
            steps.begin(part)
            let report = try build(part, file, collector, steps)
            let bytes = try handedOver.map(first..<handedOver.byteCount)
            parts.append(try OpenedPart(report.manifest, bytes, finishedTiles: file.finishedTiles))
            reports.append(report)
            steps.finish(part)
        }
        let source = try PartSource(parts, of: (table, collector), options, progress)
        var report = try Pipeline(
            options: options, span: .before(cutZoom: plan.cutZoom), source: source,
            markersPerSubtree: markersPerSubtree, progress: progress
        ).run { _ in TilesetSink(writer: writer, abandonsWriter: false) }
        let separations = reports.compactMap(\.separation)
        if let join = report.separation, !separations.isEmpty {
            report.separation = PlaceSeparation(parts: separations, join: join)
        }
        report.maxZoomChoice = choice
        report.warnings = table.report.warnings + facetWarnings + reports.map(\.countedWarnings).summedUp
        return report
    }

    private func build(
        _ part: PartPlan.Part, _ file: PartFileWriter, _ collector: FileListCollector, _ steps: PartSteps
    ) throws -> PartReport {
        var options = options
        options.part = WorldPart(tile: part.tile, cutZoom: plan.cutZoom)
        let area = PartArea(part.tile, haloUnits: plan.haloUnits)
        var points = table.with(spool.rows(in: area), in: area)
        var source = try InputSource(&points, area: area, options) { steps.report($0) }
        source.knownTexts = options.clusters.countBy.map { _ in [] } + [combinations]
        source.collector = collector
        defer { for input in table.inputs.inputs { input.releasePages() } }
        return try Pipeline(
            options: options, span: .from(cutZoom: plan.cutZoom), source: source,
            markersPerSubtree: markersPerSubtree, progress: { steps.report($0) }
        ).run { _ in PartSink(file: file) }
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
    private let rowCount: Int
    private let progress: @Sendable (BuildProgress) -> Void
    private let state = Mutex(State())

    init(_ parts: [PartPlan.Part], _ progress: @escaping @Sendable (BuildProgress) -> Void) {
        partCount = parts.count
        rowCount = parts.reduce(0) { $0 + $1.rowsWithHalo }
        self.progress = progress
    }

    func report(_ step: BuildProgress) {
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
        state.withLock { state in
            state.part += 1
            state.currentRows = part.rowsWithHalo
        }
    }

    func finish(_ part: PartPlan.Part) {
        state.withLock { state in
            state = State(part: state.part, rows: state.rows + part.rowsWithHalo)
        }
    }
}
