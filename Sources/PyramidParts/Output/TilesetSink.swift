import PyramidBuild
import PyramidClusters
import PyramidStore

/// A whole tileset.
struct TilesetSink: PipelineSink {
    private let writer: any TilesetWriter
    /// Not in a build in parts, which abandons the writer itself after any failure.
    private let abandonsWriter: Bool

    init(writer: any TilesetWriter, abandonsWriter: Bool = true) {
        (self.writer, self.abandonsWriter) = (writer, abandonsWriter)
    }

    var files: (any TilesetFileWriter)? { writer }

    func finish(_ built: consuming BuiltTiles) throws -> BuildReport {
        let metadata = try built.metadata()
        return BuildReport(built, try writer.finish(metadata))
    }

    func abandon() { if abandonsWriter { writer.abandon() } }
}

/// Counts the places that stand alone at each zoom, to choose the max zoom.
struct CountingSink: PipelineSink {
    var files: (any TilesetFileWriter)? { nil }

    func finish(_ built: consuming BuiltTiles) -> PlaceSeparation? { built.separation }

    func abandon() {}
}
