/// Which files make up a tileset, and what depends on it.
public enum TilesetLayout: Hashable, Sendable {
    /// A file for every tile.
    case files
    /// A tile with markers has its own file if it and its descendants have more records than the limit. All others are
    /// in bundles.
    case bundles(limit: Int)
    /// A single file, a PMTiles archive.
    case archive

    /// The values that the limit of bundles can have.
    public static let bundleLimits = 1...10_000

    /// The most records in a bundle, except at the last zoom; `nil` if there are no bundles.
    public var bundleLimit: Int? {
        if case .bundles(let limit) = self { limit } else { nil }
    }

    /// Whether every tile is stored by itself, so that each zoom adds all its tiles.
    package var storesEveryTile: Bool { bundleLimit == nil }

    /// Whether there can be files of a kind.
    package func holds(_ kind: FileAddress.Kind) -> Bool { kind == .tile || bundleLimit != nil }

    /// Whether the tiles and the metadata are all in a single file.
    public var isOneFile: Bool { self == .archive }

    /// Follows the number of tiles in a summary, such as " in bundles of up to 256 markers".
    public var remark: String { bundleLimit.map { " in bundles of up to \($0) markers" } ?? "" }

    /// The bundles that can hold a tile, its own and its ancestors', from the highest zoom to the lowest.
    public func bundles(holding tile: TileCoordinate) -> [FileAddress] {
        guard bundleLimit != nil else { return [] }
        return (0...tile.z).reversed().compactMap { tile.ancestor(atZoom: $0).map { .bundle($0) } }
    }
}

/// As "files", `{"bundles": 256}` or "archive".
extension TilesetLayout: Codable {
    private enum CodingKeys: CodingKey {
        case bundles
    }

    private enum Name: String, Codable {
        case files, archive
    }

    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: CodingKeys.self) {
            self = .bundles(limit: try container.decode(Int.self, forKey: .bundles))
        } else {
            switch try decoder.singleValueContainer().decode(Name.self) {
            case .files: self = .files
            case .archive: self = .archive
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if let bundleLimit {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(bundleLimit, forKey: .bundles)
        } else {
            var container = encoder.singleValueContainer()
            try container.encode(self == .archive ? Name.archive : Name.files)
        }
    }
}

/// The sections of an archive whose checksums the manifest lists, by their names in its `files`.
package enum ArchiveSection: String, CaseIterable, Sendable {
    case rootDirectory = "root directory"
    case leafDirectories = "leaf directories"
    case tileData = "tile data"
}
