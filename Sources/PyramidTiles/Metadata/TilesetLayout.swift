/// Which files make up a tileset, with all that follows from it.
public enum TilesetLayout: Hashable, Sendable {
    /// A file for every tile.
    case files
    /// A file for every tile that shows more records than the limit together with its children at all higher zooms; the
    /// other tiles share bundles.
    case bundles(limit: Int)
    /// A single file, a PMTiles archive.
    case archive

    /// What the limit of bundles can be.
    public static let bundleLimits = 1...10_000

    /// The most records of a bundle at zooms before the last; `nil` if there are no bundles.
    public var bundleLimit: Int? {
        if case .bundles(let limit) = self { limit } else { nil }
    }

    /// The zooms whose markers a file of this zoom can hold.
    package func zooms(inFilesOf zoom: Int, maxZoom: Int) -> ClosedRange<Int> {
        bundleLimit == nil ? zoom...zoom : zoom...max(zoom, maxZoom)
    }

    /// Whether there can be files of a kind.
    /// - Parameter hasPages: whether clusters' points are written as pages.
    package func holds(_ kind: FileAddress.Kind, hasPages: Bool) -> Bool {
        switch kind {
        case .tile: true
        case .bundle: bundleLimit != nil
        case .page: hasPages
        }
    }

    /// Whether the files beside the tiles are in the same file as these.
    public var isOneFile: Bool { self == .archive }

    /// What is said of the number of tiles, such as " in bundles of up to 256 markers".
    public var remark: String { bundleLimit.map { " in bundles of up to \($0) markers" } ?? "" }

    /// What else than the tile's own file can hold a tile, the most likely first.
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

/// The parts of an archive of which the manifest has checksums, by their names among its files.
package enum ArchiveSection: String, CaseIterable, Sendable {
    case rootDirectory = "root directory"
    case leafDirectories = "leaf directories"
    case tileData = "tile data"
}
