import PyramidStore

/// Makes a tileset from files of points.
public struct PyramidBuilder: Sendable {
    public let options: BuildOptions
    /// How many markers a worker takes at a time; what is written doesn't depend on it.
    var markersPerSubtree = TileWriter.defaultMarkersPerSubtree

    /// - Parameter options: without a ``BuildOptions/problem``.
    public init(options: BuildOptions) {
        precondition(options.problem == nil, options.problem?.description ?? "")
        self.options = options
    }

    /// Builds into the directory or the archive of the options. Nothing there is touched before the whole input is read
    /// and found good.
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
        let source = try InputSource(options, progress)
        return try Pipeline(
            options: options, span: .whole, source: source, markersPerSubtree: markersPerSubtree, progress: progress
        ).run { TilesetSink(writer: try output($0.build)) }
    }
}
