import PyramidBuild
import PyramidInput
import PyramidPlatform
import PyramidStore
import PyramidTiles

/// What to join, and how.
public struct JoinOptions: Sendable {
    /// The files that ``PartBuilder`` wrote for all parts of the world, in any order.
    public var partPaths: [String]
    /// As in `BuildOptions.outputPath`.
    public var outputPath: String
    /// As in `BuildOptions.previewPage`.
    public var previewPage: [UInt8]?
    /// As in `BuildOptions.force`.
    public var force = false
    /// As in `BuildOptions.syncs`.
    public var syncs = true
    /// As in `InputOptions.maxSkipped`, for the rows of all parts together.
    public var maxSkipped: SkipLimit?
    /// As in `InputOptions.isStrict`.
    public var isStrict = false
    /// The number of threads, at least 1. The output doesn't depend on it.
    public var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// As in `BuildOptions.memoryLimit`.
    public var memoryLimit = MemoryLimit.available

    public init(partPaths: [String], outputPath: String) {
        self.partPaths = partPaths
        self.outputPath = outputPath
    }
}

/// Joins the parts of the world into a tileset: byte for byte the same as one build of all their rows.
///
/// It clusters the markers of the cut zoom that the parts hand over. So it makes the cut zoom and all lower zooms, and
/// copies the files that the parts have written.
public struct PartJoiner: Sendable {
    private let options: JoinOptions

    public init(options: JoinOptions) { self.options = options }

    /// Joins the parts. Nothing in the output is touched before all parts are read and valid.
    /// - Throws: `InputError`, `MemoryError`, `StoreError` and `OutputError`.
    public func join(progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }) throws -> BuildReport {
        try PartFileWriter.requireNoPart(options.outputPath)
        let parts = try options.partPaths.map { try OpenedPart(path: $0) }.requireWhole()
        guard let manifest = parts.first?.manifest else {
            throw InputError(.usage, in: options.outputPath, "no part given, expected all parts of the world")
        }
        var build = manifest.options
        (build.inputPaths, build.outputPath) = (options.partPaths, options.outputPath)
        build.storage.layout = TilesetLayout(
            outputPath: options.outputPath, bundleLimit: build.storage.layout.bundleLimit)
        (build.previewPage, build.force, build.syncs) = (options.previewPage, options.force, options.syncs)
        (build.jobs, build.memoryLimit) = (options.jobs, options.memoryLimit)
        (build.input.maxSkipped, build.input.isStrict) = (options.maxSkipped, options.isStrict)
        if let problem = build.problem { throw InputError(.usage, in: options.outputPath, problem) }
        try build.checkOutput()
        try parts.requireFewSkippedRows(build.input)
        let source = try PartSource(parts, build, progress)
        do {
            return try Pipeline(
                options: build, span: .through(manifest.cutZoom), source: source, progress: progress
            ).run { TilesetSink(writer: try $0.build.openOutput()) }
        } catch let error as MemoryError {
            guard let estimate = error.estimate else { throw error }
            // The zooms of the parts are fixed.
            throw MemoryError(
                estimate: estimate, of: "marker", advice: "build the parts with a lower \(.cutZoom)",
                limitBytes: error.limitBytes, isAvailable: error.isAvailable)
        }
    }
}

extension [OpenedPart] {
    /// - Throws: ``InputError`` if all parts together have too many bad rows.
    fileprivate func requireFewSkippedRows(_ options: InputOptions) throws(InputError) {
        var skipped = SkippedRows(name: "the parts", rowsRead: 0, counts: [:])
        for part in self {
            skipped.rowsRead += part.manifest.input.rowsRead
            for (reason, count) in part.manifest.input.rowsSkipped {
                guard let problem = RowProblem(rawValue: reason) else { continue }
                skipped.counts[problem, default: 0] += count
            }
        }
        try SkippedRows.judge([skipped], all: skipped, options)
    }
}
