/// One thing that is wrong with a tileset.
public struct Finding: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// A build is in progress, or one was interrupted: nothing else was checked.
        case incomplete
        /// The manifest is missing, damaged, or contradicts itself.
        case damagedManifest
        /// An archive's structure doesn't match its format or its manifest.
        case damagedArchive
        /// The list of files is missing or damaged, or doesn't match the options in the manifest.
        case damagedFileList
        /// The TileJSON is missing or damaged.
        case damagedTileJSON
        /// The preview page that the manifest lists is missing or damaged.
        case damagedPreviewPage
        /// The TileJSON contradicts the manifest or the tiles.
        case wrongTileJSON
        /// The figures in the manifest don't match the tiles.
        case wrongFigures
        case missingTile
        /// A file or directory among the tiles and bundles that isn't in the list.
        case extraFile
        /// A file can't be read or isn't a regular file. This and the next three kinds include bundles.
        case unreadableTile
        /// A file's bytes don't match the list.
        case damagedTile
        case notGzip
        /// A file can't be decoded as a tile.
        case notATile
        case emptyTile
        /// A marker is in a tile that doesn't contain the marker's place.
        case outsideTile
        /// A tile's markers are not in the order of their Morton codes.
        case outOfOrder
        /// Two points of a zoom, or two clusters of a group, have the same id.
        case repeatedID
        /// Two markers are closer than the manifest promises.
        case tooClose
        /// The markers of a zoom don't stand for all accepted rows.
        case wrongSum
        case wrongExpansionZoom
        case wrongAbbreviatedCount
        /// Properties that options add to markers don't add up to their totals or contradict each other.
        case wrongContent
        /// A cluster's place is outside its box.
        case wrongBoundingBox
        /// A cluster's id doesn't match its place.
        case wrongClusterID
        /// A cluster stands for fewer points than the options require.
        case clusterTooSmall
        /// A cluster, other than of coincident points, is at a zoom that isn't clustered.
        case unexpectedCluster
    }

    public let kind: Kind
    /// The path of the file or directory in the tileset.
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

extension Finding {
    /// The difference between a file and its stated size and checksum, which is in `statement`.
    static func mismatch(
        of found: (bytes: Int, crc32: String), with expected: (bytes: Int, crc32: String), in statement: String
    ) -> String {
        found.bytes == expected.bytes
            ? "checksum is \(found.crc32), expected \(expected.crc32) (\(statement))"
            : "has \(found.bytes) bytes, expected \(expected.bytes) (\(statement))"
    }
}
