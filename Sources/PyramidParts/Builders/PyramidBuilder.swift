import PyramidBuild
import PyramidInput
import PyramidStore
import PyramidTiles

/// Makes a tileset from files of points.
///
/// If the points need more memory than there is, they go to temporary files, and the tileset is built in parts of the
/// world, one after the other. Its bytes are the same.
public struct PyramidBuilder: Sendable {
    public let options: BuildOptions
    /// How many markers a worker takes at a time. The output doesn't depend on it.
    package var markersPerSubtree = TileWriter.defaultMarkersPerSubtree
    /// Whether parts are built if there isn't enough memory.
    package var worksInParts = true
    /// Overrides the limits derived from the memory limit. The output doesn't depend on them.
    package var partLimits: PartLimits?

    /// - Parameter options: valid ones (`BuildOptions.problem` is `nil`).
    public init(options: BuildOptions) {
        precondition(options.problem == nil, options.problem?.description ?? "")
        self.options = options
    }

    /// Builds the tileset at the output path of the options. Nothing there is touched before the whole input is read
    /// and valid.
    /// - Parameter progress: called now and then, on any thread.
    /// - Throws: `InputError`, `MemoryError` and `OutputError`.
    public func build(progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }) throws -> BuildReport {
        try options.checkOutput()
        let last = try? LocalTileset.open(path: options.outputPath).manifest()
        var report = try build(progress: progress) { try $0.openOutput() }
        if let last {
            report.changedOptions = ChangedOption.all(
                from: last, to: report.manifest, choosesMaxZoom: options.choosesMaxZoom)
        }
        return report
    }

    /// Builds into any output.
    /// - Parameter output: opens the output, once the whole input is read and valid.
    /// - Throws: `InputError`, `MemoryError`, and what the output throws.
    public func build(
        progress: @escaping @Sendable (BuildProgress) -> Void = { _ in },
        to output: (BuildOptions) throws -> any TilesetWriter
    ) throws -> BuildReport {
        let obstacle = options.partObstacle
        let memory = worksInParts && obstacle == nil ? partMemory : nil
        let folder = SpoolFolder.choose(beside: options.outputPath)
        var reading = try InputReading(
            options,
            spooling: memory.map { memory in
                SpoolOptions(
                    rowLimit: memory.limits.rowsRead,
                    memory: ListMemory(budgetBytes: memory.listBytes, folder: folder), copiesRows: memory.copiesRows)
            }, progress)
        guard reading.spool == nil else { return try buildInParts(reading, memory, folder, progress, to: output) }
        do {
            try options.memoryLimit.check(
                MemoryEstimate(
                    pointCount: reading.points.count, clustering: options.clustering, clusters: options.clusters))
            let source = try InputSource(&reading.points, options, progress)
            do {
                return try Pipeline(
                    options: options, span: .whole, source: source, markersPerSubtree: markersPerSubtree,
                    progress: progress
                ).run { TilesetSink(writer: try output($0.build)) }
            } catch let error as MemoryError {
                reading.points = source.points
                throw error
            }
        } catch var error as MemoryError {
            guard memory != nil else {
                error.obstacle = obstacle
                throw error
            }
            try reading.spoolRows()
            return try buildInParts(reading, memory, folder, progress, to: output, neededBytes: error.needBytes)
        }
    }

    /// `nil` without a limit.
    private var partMemory: PartMemory? {
        guard let bytes = options.memoryLimit.limitBytes else { return nil }
        return PartMemory(
            limitBytes: bytes, isAvailable: options.memoryLimit == .available,
            limits: partLimits ?? PartLimits(bytes: bytes, options))
    }

    private func buildInParts(
        _ reading: InputReading, _ memory: PartMemory?, _ folder: String,
        _ progress: @escaping @Sendable (BuildProgress) -> Void,
        to output: (BuildOptions) throws -> any TilesetWriter, neededBytes: Int? = nil
    ) throws -> BuildReport {
        guard let spool = reading.spool, let memory else { preconditionFailure("the rows are on disk") }
        let build = try PartwiseBuild(
            options, reading.points, spool, memory, folder: folder, markersPerSubtree: markersPerSubtree,
            progress: progress)
        var report = try build.run(to: output)
        report.partwise = PartwiseReport(
            partCount: build.partCount, neededBytes: neededBytes ?? MemoryEstimate.bytesToRead(spool.count, options),
            limitBytes: memory.limitBytes, isAvailable: memory.isAvailable)
        return report
    }
}
