import PyramidStore
import PyramidTiles

/// What a build did.
public struct BuildReport: Sendable {
    /// What was read, with examples of skipped rows.
    public let input: InputReport
    /// As it was written.
    public let manifest: Manifest
    /// What happened to the tiles.
    public let changes: TilesetOutcome.Changes
    /// What happened to the pages of clusters' points; `nil` if there are none and were none.
    public let pageChanges: TilesetOutcome.Changes?
    /// The tile with the most stored bytes, not counting points that never merge; `nil` if there is none.
    public let largestTile: LargestTile?
    /// The tile with the most markers, not counting points that never merge; `nil` if there is none.
    public let fullestTile: LargestTile?
    /// How far the clustered zooms separate the places; `nil` if no zoom is clustered.
    public let separation: PlaceSeparation?
    /// `nil` if the max zoom was given.
    public let maxZoomChoice: MaxZoomChoice?
    /// Sentences for the user.
    public let warnings: [OptionMessage]

    init(
        input: InputReport, outcome: TilesetOutcome, maxZoomChoice: MaxZoomChoice?, largest: LargestTiles,
        separation: PlaceSeparation?,
        warnings: [OptionMessage]
    ) {
        self.input = input
        manifest = outcome.manifest
        changes = outcome.tiles
        let hasPages = manifest.content.clusters.hasLeaves || outcome.pages.removed > 0
        pageChanges = hasPages ? outcome.pages : nil
        self.maxZoomChoice = maxZoomChoice
        largestTile = largest.byBytes
        fullestTile = largest.byMarkers
        self.separation = separation
        self.warnings = warnings
    }
}

/// How far the clustered zooms separate the different places.
public struct PlaceSeparation: Sendable {
    public let placeCount: Int
    /// The first zoom at which 95 % of the places stand alone; `nil` if no clustered zoom is that deep.
    public let sufficientZoom: Int?
    /// The share of places that stand alone at the last clustered zoom, in 0 ... 1.
    public let lastShare: Double

    init(_ loneliness: Loneliness) {
        placeCount = loneliness.placeCount
        sufficientZoom = loneliness.firstZoomWithEnough
        lastShare = loneliness.lastShare
    }
}

/// How far a build is.
public enum BuildProgress: Equatable, Sendable {
    /// The bytes of standard input, a pipe or gzip data that have been copied to a temporary file to be read from there.
    case copying(bytes: Int)
    /// The bytes of the input that have been read.
    case reading(bytes: Int, of: Int)
    /// All points have been read.
    case sorting(points: Int)
    case clustering(zoom: Int)
    /// The markers of a zoom are being put in order.
    case arranging(zoom: Int)
    /// The tiles and markers written since the last report, and the approximate number of markers at all zooms.
    case writing(tiles: Int, markers: Int, ofMarkers: Int)
    /// The pages of clusters' points written since the last report.
    case writingLeaves(pages: Int)
}
