import PyramidTiles

/// What a build did.
public struct BuildReport: Sendable {
    /// Which max zoom was chosen, and why.
    public struct MaxZoomChoice: Sendable {
        public let zoom: Int
        /// How much of the places stand alone at that zoom, in 0 ... 1; `nil` for the deepest zoom that is ever chosen.
        public let aloneShare: Double?
        /// How many different places there are.
        public let placeCount: Int
    }

    /// What was read, with examples of what was skipped.
    public let input: InputReport
    /// As it was written.
    public let manifest: Manifest
    public let changes: TileDirectoryWriter.Changes
    /// The first zoom at which 99 % of the places stand alone; `nil` where no clustered zoom is so deep.
    public let sufficientZoom: Int?
    /// Sentences for the user.
    public private(set) var warnings: [String] = []
    /// `nil` where the max zoom was given.
    public private(set) var maxZoomChoice: MaxZoomChoice?

    init(
        input: InputReport, manifest: Manifest, changes: TileDirectoryWriter.Changes, sufficientZoom: Int?
    ) {
        self.input = input
        self.manifest = manifest
        self.changes = changes
        self.sufficientZoom = sufficientZoom
    }

    func adding(warnings: [String], maxZoomChoice: MaxZoomChoice?) -> BuildReport {
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
    case clustering(zoom: Int)
    /// So many more tiles and markers are done at a zoom, of about so many markers at all zooms.
    case writing(zoom: Int, tiles: Int, markers: Int, ofMarkers: Int)
}
