import PyramidTiles

/// What a build did.
public struct BuildReport: Sendable {
    /// What was read, with examples of what was skipped.
    public let input: InputReport
    /// Sentences for the user.
    public let warnings: [String]
    /// As it was written.
    public let manifest: Manifest
    public let changes: TileDirectoryWriter.Changes
}

/// How far a build is.
public enum BuildProgress: Equatable, Sendable {
    /// Bytes of the input.
    case reading(bytes: Int, of: Int)
    case clustering(zoom: Int)
    /// So many more tiles are done at a zoom.
    case writing(zoom: Int, tiles: Int)
}
