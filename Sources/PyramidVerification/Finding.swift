/// One thing that is wrong with a tileset.
public struct Finding: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// A build is in progress, or one was interrupted: nothing else was checked.
        case incomplete
        /// The manifest is missing, damaged, or contradicts itself.
        case damagedManifest
        /// An archive is not put together as its format and its manifest say.
        case damagedArchive
        /// The list of files is missing or damaged, or doesn't match the options in the manifest.
        case damagedFileList
        /// The TileJSON is missing or damaged.
        case damagedTileJSON
        /// The preview page that the manifest lists is missing or damaged.
        case damagedPreviewPage
        /// The TileJSON contradicts the manifest or the tiles.
        case wrongTileJSON
        /// The manifest's figures don't match the tiles.
        case wrongFigures
        case missingTile
        /// A file or directory among the tiles that isn't a tile of the list.
        case extraFile
        /// A tile's file can't be read or isn't a regular file.
        case unreadableTile
        /// A tile's bytes don't match the list.
        case damagedTile
        case notGzip
        /// A tile's JSON isn't what a tile may contain.
        case notATile
        case emptyTile
        /// A marker is in a tile that doesn't contain its place.
        case outsideTile
        /// A tile's markers are not in the order of their Morton codes.
        case outOfOrder
        /// Two points or two clusters of a zoom level have the same id.
        case repeatedID
        /// Two markers are closer than the manifest promises.
        case tooClose
        /// The markers of a zoom level don't stand for all accepted points.
        case wrongSum
        /// A marker doesn't consist of whole markers of the next zoom level, or not of those that belong to it.
        case wrongNesting
        case wrongExpansionZoom
        case wrongAbbreviatedCount
        /// The totals that clusters carry don't match their members' values.
        case wrongContent
        /// A box doesn't contain the cluster's members, or is larger than necessary.
        case wrongBoundingBox
        /// A cluster's id doesn't match its place.
        case wrongClusterID
        /// A cluster stands for fewer points than the options allow.
        case clusterTooSmall
        /// A file is a bundle and should not be, or the other way round.
        case wrongBundle
        /// A cluster is at a zoom level at which every point stands alone.
        case unexpectedCluster
    }

    public let kind: Kind
    /// The file or directory, relative to the tileset's.
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
