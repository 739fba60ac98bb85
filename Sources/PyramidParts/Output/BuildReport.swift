import PyramidBuild
import PyramidClusters
import PyramidInput
import PyramidStore
import PyramidTiles

/// What a build did.
public struct BuildReport: Sendable {
    /// What was read, with examples of skipped rows.
    public let input: InputReport
    /// The manifest as written.
    public let manifest: Manifest
    /// Of the points.
    public let bounds: BoundingBox
    /// How the options differ from those of the last build there, if there was one.
    public internal(set) var changedOptions: [ChangedOption] = []
    /// What happened to the tiles.
    public let changes: TilesetOutcome.Changes
    /// The tile with the most stored bytes, not counting points that never merge; `nil` if there is none.
    public let largestTile: LargestTile?
    /// The tile with the most markers, not counting points that never merge; `nil` if there is none.
    public let fullestTile: LargestTile?
    /// `nil` if the max zoom was given.
    public internal(set) var maxZoomChoice: MaxZoomChoice?
    /// Sentences for the user.
    public internal(set) var warnings: [OptionMessage]
    /// Why the build was done in parts; `nil` for a build in memory.
    public internal(set) var partwise: PartwiseReport?

    init(_ built: borrowing BuiltTiles, _ outcome: TilesetOutcome) {
        input = built.facts.report
        manifest = outcome.manifest
        bounds = built.facts.bounds
        changes = outcome.changes
        maxZoomChoice = built.maxZoomChoice
        largestTile = built.written.largest.byBytes
        fullestTile = built.written.largest.byMarkers
        warnings = built.warnings
    }
}

/// A build in parts of the world, because memory doesn't suffice for all points at once.
public struct PartwiseReport: Equatable, Sendable {
    public let partCount: Int
    /// An estimate of the memory that a build without parts would need.
    public let neededBytes: Int
    public let limitBytes: Int
    /// Whether the limit is the system's rather than the user's.
    public let isAvailable: Bool

    init(partCount: Int, neededBytes: Int, limitBytes: Int, isAvailable: Bool) {
        self.partCount = partCount
        self.neededBytes = neededBytes
        self.limitBytes = limitBytes
        self.isAvailable = isAvailable
    }
}
