/// One thing that is not as it should be in a pyramid.
public struct Finding: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// A build is under way, or one was interrupted: nothing else was checked.
        case incomplete
        /// The manifest is missing, damaged, or contradicts itself.
        case damagedManifest
        /// The list of tiles is missing or damaged, or not of the manifest's zoom levels.
        case damagedTileList
        /// The TileJSON is missing or damaged.
        case damagedTileJSON
        /// The preview page that the manifest lists is missing or damaged.
        case damagedPreviewPage
        /// The TileJSON contradicts the manifest or the tiles.
        case wrongTileJSON
        /// The manifest's figures are not those of the tiles.
        case wrongFigures
        case missingTile
        /// A file or directory below the tiles that is no tile of the list.
        case extraFile
        /// A tile's file can't be read or is no file.
        case unreadableTile
        /// A tile's bytes are not those of the list.
        case damagedTile
        case notGzip
        /// A tile's JSON is not what a tile may hold.
        case notATile
        case emptyTile
        /// A marker stands in a tile that does not contain it.
        case outsideTile
        /// A tile's markers are not in the order of their Morton codes.
        case outOfOrder
        /// Two points or two clusters of a zoom level have the same id.
        case repeatedID
        /// Two markers are closer than the manifest promises.
        case tooClose
        /// The markers of a zoom level don't stand for all accepted points.
        case wrongSum
        /// A marker is not made of whole markers of the next zoom level, or not of those that belong to it.
        case wrongNesting
        case wrongExpansionZoom
        case wrongAbbreviatedCount
        /// What clusters carry of their members' values does not add up.
        case wrongContent
        /// A box does not hold the cluster's members, or is larger than they are.
        case wrongBoundingBox
        /// A cluster's id is not that of its place.
        case wrongClusterID
        /// A cluster stands for fewer points than the options allow.
        case clusterTooSmall
        /// A cluster stands at a zoom level at which every point is by itself.
        case unexpectedCluster
    }

    public let kind: Kind
    /// The file or directory, relative to the pyramid's.
    public let file: String
    /// What was found and what was expected there.
    public let detail: String

    public init(kind: Kind, file: String, detail: String) {
        self.kind = kind
        self.file = file
        self.detail = detail
    }
}

extension Finding: CustomStringConvertible {
    /// One line: "tiles/3/4/2.json: ...".
    public var description: String { "\(file): \(detail)" }
}
