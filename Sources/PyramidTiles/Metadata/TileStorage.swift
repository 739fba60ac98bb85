/// How the markers of tiles are encoded. Pages of clusters' points are GeoJSON in any case.
public enum TileFormat: String, Codable, CaseIterable, Sendable {
    /// GeoJSON (RFC 7946).
    case geojson
    /// [Mapbox Vector Tiles 2.1](https://github.com/mapbox/vector-tile-spec/tree/master/2.1).
    case mvt

    /// The type that servers send with a tile.
    public var mediaType: String {
        switch self {
        case .geojson: "application/geo+json"
        case .mvt: "application/vnd.mapbox-vector-tile"
        }
    }

    /// How the names of tiles end if nothing else is wanted.
    public var usualSuffix: String { self == .geojson ? ".json" : ".mvt" }

    /// The pixels that maps give the side of a tile if nothing else is wanted: MapLibre's for the sources that read the format.
    public var usualTileSize: Int { self == .geojson ? 256 : 512 }
}

/// What clusters in MVT tiles carry only if it is wanted.
public enum MVTProperty: String, Codable, CaseIterable, Sendable {
    /// The feature's id once more.
    case clusterID = "cluster_id"
    /// The box around the members, as JSON text.
    case boundingBox = "bbox"
}

/// How tiles are stored: their format, the suffix of their files, and whether these are compressed.
public struct TileStorage: Codable, Hashable, Sendable {
    public enum Compression: String, Codable, CaseIterable, Sendable {
        /// The file is the tile in its format.
        case none
        /// The file is one gzip member (RFC 1952) that holds the tile.
        case gzip
    }

    /// The folder of the tiles, within that of the tileset.
    public static let tilesName = "tiles"
    /// The folder of the bundles, within that of the tileset.
    public static let bundlesName = "bundles"
    /// The folder of the pages of clusters' points, within that of the tileset.
    public static let leavesName = "leaves"
    /// The largest tile that is written or read, as a file or in its format: 1 GiB. It limits how much memory a damaged file
    /// can cost its reader.
    public static let tileLimitBytes = 1 << 30
    /// The suffix of a file's new content while it is being written.
    package static let temporarySuffix = ".pyramid-tmp"

    public var format: TileFormat
    /// What follows the row in a tile's name, such as ".json" or ".json.gz".
    public var suffix: String
    public var compression: Compression
    /// The most records of a bundle above the last zoom; `nil` if every tile has a file of its own.
    public var bundleLimit: Int?
    /// What clusters in MVT tiles carry besides the usual; in any order.
    public var mvtProperties: [MVTProperty]
    /// The name of the only layer of MVT tiles.
    public var layer = TileStorage.defaultLayer

    public static let defaultLayer = "points"
    /// The longest name of a layer, in bytes: one byte says how long it is.
    private static let layerLimitBytes = 127

    /// What ``bundleLimit`` can be.
    public static let bundleLimits = 1...10_000

    /// - Parameter suffix: `nil` for the format's usual one.
    public init(
        format: TileFormat = .geojson, suffix: String? = nil, compression: Compression = .gzip, bundleLimit: Int? = nil,
        mvtProperties: [MVTProperty] = []
    ) {
        self.format = format
        self.suffix = suffix ?? format.usualSuffix
        self.compression = compression
        self.bundleLimit = bundleLimit
        self.mvtProperties = mvtProperties
    }

    private enum CodingKeys: CodingKey {
        case format, suffix, compression, bundleLimit, mvtProperties, layer
    }

    /// The format is written unless it is GeoJSON, which older manifests don't name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if format != .geojson { try container.encode(format, forKey: .format) }
        try container.encode(suffix, forKey: .suffix)
        try container.encode(compression, forKey: .compression)
        try container.encodeIfPresent(bundleLimit, forKey: .bundleLimit)
        if !mvtProperties.isEmpty {
            try container.encode(MVTProperty.allCases.filter(mvtProperties.contains), forKey: .mvtProperties)
        }
        if layer != TileStorage.defaultLayer { try container.encode(layer, forKey: .layer) }
    }

    /// Refuses values with a ``problem``: the suffix becomes part of paths.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        format = try container.decodeIfPresent(TileFormat.self, forKey: .format) ?? .geojson
        suffix = try container.decode(String.self, forKey: .suffix)
        compression = try container.decode(Compression.self, forKey: .compression)
        bundleLimit = try container.decodeIfPresent(Int.self, forKey: .bundleLimit)
        mvtProperties = try container.decodeIfPresent([MVTProperty].self, forKey: .mvtProperties) ?? []
        layer = try container.decodeIfPresent(String.self, forKey: .layer) ?? TileStorage.defaultLayer
        if let problem {
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath, debugDescription: problem.description))
        }
    }

    /// The path template of the tiles, as map clients write it: "tiles/{z}/{x}/{y}.json".
    public var template: String { "\(TileStorage.tilesName)/{z}/{x}/{y}\(suffix)" }

    /// The path template of the bundles.
    public var bundleTemplate: String { "\(TileStorage.bundlesName)/{z}/{x}/{y}\(suffix)" }

    /// What follows the number in a page's name.
    public var pageSuffix: String { format == .geojson ? suffix : TileFormat.geojson.usualSuffix }

    /// What the name of a file ends in.
    package func suffix(of address: FileAddress) -> String {
        if case .page = address { pageSuffix } else { suffix }
    }

    /// The type that servers send with a file.
    public func mediaType(of address: FileAddress) -> String {
        if case .page = address { TileFormat.geojson.mediaType } else { format.mediaType }
    }

    /// "y.json".
    public func fileName(of tile: TileCoordinate) -> String { String(tile.y) + suffix }

    /// "tiles/z/x/y.json".
    public func relativePath(of tile: TileCoordinate) -> String {
        "\(TileStorage.tilesName)/\(tile.z)/\(tile.x)/\(tile.y)\(suffix)"
    }

    /// "leaves/cluster/page.json".
    public func relativePath(of page: LeafPage) -> String {
        "\(TileStorage.leavesName)/\(page.clusterID)/\(fileName(of: page))"
    }

    /// "tiles/z/x/y.json", "bundles/z/x/y.json" or "leaves/cluster/page.json".
    public func relativePath(of address: FileAddress) -> String {
        switch address {
        case .tile(let tile): relativePath(of: tile)
        case .bundle(let tile): "\(TileStorage.bundlesName)/\(tile.z)/\(tile.x)/\(fileName(of: tile))"
        case .page(let page): relativePath(of: page)
        }
    }

    /// "page.json".
    package func fileName(of page: LeafPage) -> String { "\(page.page)\(pageSuffix)" }

    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? {
        guard TileStorage.isSuffix(suffix) else {
            return "\(.tileSuffix) is \"\(suffix)\", expected a dot followed by lower-case letters, digits, - or _, "
                + "once or more, at most \(TileStorage.suffixLimit) characters, such as .json or .json.gz"
        }
        if compression == .none, suffix.hasSuffix(".gz") {
            return "\(.tileSuffix) is \"\(suffix)\" with \(.compression) none, expected one that doesn't end in .gz"
        }
        if let bundleLimit, !TileStorage.bundleLimits.contains(bundleLimit) {
            return "\(.bundle) is \(bundleLimit), expected 1 to 10000"
        }
        if format == .mvt, bundleLimit != nil { return "\(.bundle) needs GeoJSON, expected no \(.format) mvt" }
        if format != .mvt, !mvtProperties.isEmpty { return "\(.mvtProperties) needs \(.format) mvt" }
        if !(1...TileStorage.layerLimitBytes).contains(layer.utf8.count) {
            return "\(.layer) is \"\(layer)\", expected 1 to \(TileStorage.layerLimitBytes) bytes"
        }
        if format != .mvt, layer != TileStorage.defaultLayer { return "\(.layer) needs \(.format) mvt" }
        return nil
    }

    private static let suffixLimit = 32

    /// Whether a name may end like this. Capitals are refused: some file systems ignore case.
    private static func isSuffix(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isPart = { (part: String.SubSequence) in
            !part.isEmpty
                && part.utf8.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        }
        return parts.count > 1 && parts[0].isEmpty && text.utf8.count <= suffixLimit
            && !text.hasSuffix(TileStorage.temporarySuffix)
            && parts.dropFirst().allSatisfy { isPart(Substring($0)) }
    }

    /// The row and the suffix in a file name that has the form of a tile's; `nil` for any other name.
    package static func parse(fileName: String) -> (row: Substring, suffix: String)? {
        guard let dot = fileName.firstIndex(of: "."), isSuffix(fileName[dot...]) else { return nil }
        return (fileName[..<dot], String(fileName[dot...]))
    }
}
