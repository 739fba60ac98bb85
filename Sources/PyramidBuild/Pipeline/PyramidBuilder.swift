import PyramidStore

/// Makes a tileset from files of points.
public struct PyramidBuilder: Sendable {
    public let options: BuildOptions
    /// How many markers a worker takes at a time. The output doesn't depend on it.
    var markersPerSubtree = TileWriter.defaultMarkersPerSubtree

    /// - Parameter options: valid ones (``BuildOptions/problem`` is `nil`).
    public init(options: BuildOptions) {
        precondition(options.problem == nil, options.problem?.description ?? "")
        self.options = options
    }

    /// Builds the tileset at the output path of the options. Nothing there is touched before the whole input is read
    /// and valid.
    /// - Parameter progress: called now and then, on any thread.
    /// - Throws: ``InputError``, ``MemoryError`` and `OutputError`.
    public func build(progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }) throws -> BuildReport {
        try options.checkOutput()
        return try build(progress: progress) { try $0.openOutput() }
    }

    /// Builds into any output.
    /// - Parameter output: opens the output, once the whole input is read and valid.
    /// - Throws: ``InputError``, ``MemoryError``, and what the output throws.
    public func build(
        progress: @escaping @Sendable (BuildProgress) -> Void = { _ in },
        to output: (BuildOptions) throws -> any TilesetWriter
    ) throws -> BuildReport {
        let source = try InputSource(options, progress)
        return try Pipeline(
            options: options, span: .whole, source: source, markersPerSubtree: markersPerSubtree, progress: progress
        ).run { TilesetSink(writer: try output($0.build)) }
    }
}
