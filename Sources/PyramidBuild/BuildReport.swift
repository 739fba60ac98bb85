import PyramidStore
import PyramidTiles

/// What a build did.
public struct BuildReport: Sendable {
    /// What was read, with examples of what was skipped.
    public let input: InputReport
    /// As it was written.
    public let manifest: Manifest
    /// To the tiles.
    public let changes: TilesetOutcome.Changes
    /// To the pages of clusters' points; `nil` where there are none and were none.
    public let pageChanges: TilesetOutcome.Changes?
    /// The first zoom at which 99 % of the places stand alone; `nil` where no clustered zoom is so deep.
    public let sufficientZoom: Int?
    /// Sentences for the user.
    public private(set) var warnings: [OptionMessage] = []
    /// `nil` where the max zoom was given.
    public private(set) var maxZoomChoice: MaxZoomChoice?

    init(
        input: InputReport, outcome: TilesetOutcome, sufficientZoom: Int?
    ) {
        self.input = input
        manifest = outcome.manifest
        changes = outcome.tiles
        let arePages = manifest.content.clusters.hasLeaves || outcome.pages.removed > 0
        pageChanges = arePages ? outcome.pages : nil
        self.sufficientZoom = sufficientZoom
    }

    func adding(warnings: [OptionMessage], maxZoomChoice: MaxZoomChoice?) -> BuildReport {
        var report = self
        report.warnings = warnings
        report.maxZoomChoice = maxZoomChoice
        return report
    }
}

/// How far a build is.
public enum BuildProgress: Equatable, Sendable {
    /// Bytes of the input.
    case reading(bytes: Int, of: Int)
    /// So many points are read.
    case sorting(points: Int)
    case clustering(zoom: Int)
    /// The markers of a zoom are put in order.
    case arranging(zoom: Int)
    /// So many more tiles and markers are done, of about so many markers at all zooms; none before the first.
    case writing(tiles: Int, markers: Int, ofMarkers: Int)
    /// So many more pages of points of clusters are done.
    case writingLeaves(pages: Int)
}
