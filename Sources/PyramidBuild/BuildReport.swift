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
    /// So many more tiles and markers are done at a zoom, of about so many markers at all zooms.
    case writing(zoom: Int, tiles: Int, markers: Int, ofMarkers: Int)
}
