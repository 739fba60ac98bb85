/// How tiles are stored: their codec, the tileset's layout, and the suffix and compression of files.
public struct TileStorage: Codable, Hashable, Sendable {
    public enum Compression: String, Codable, CaseIterable, Sendable {
        /// The file is the tile itself.
        case none
        /// The file is one gzip member (RFC 1952) that contains the tile.
        case gzip
    }

    /// The largest tile that is written or read, compressed or not: 1 GiB. It limits how much memory a damaged file can
    /// cost its reader.
    public static let tileLimitBytes = 1 << 30
    /// The suffix of temporary files, which hold a file's new content while it is being written.
    package static let temporarySuffix = ".pyramid-tmp"

    public var codec: TileCodec
    public var layout: TilesetLayout
    /// The end of a tile's name, after its row, such as ".json" or ".json.gz".
    public var suffix: String
    public var compression: Compression
    /// The name of the only layer of MVT tiles.
    public var layer = TileStorage.defaultLayer

    public static let defaultLayer = "points"
    /// The longest name of a layer, in bytes: its length fits into one byte.
    public static let layerLimitBytes = 127

    /// - Parameter suffix: `nil` for the codec's default.
    public init(
        codec: TileCodec = .geojson, suffix: String? = nil, compression: Compression = .gzip,
        layout: TilesetLayout = .files
    ) {
        self.codec = codec
        self.layout = layout
        self.suffix = suffix ?? codec.defaultSuffix
        self.compression = compression
    }

    private enum CodingKeys: String, CodingKey {
        case codec = "format"
        case layout, suffix, compression, layer
    }

    /// Leaves out the name of the layer if tiles have none.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(codec, forKey: .codec)
        try container.encode(layout, forKey: .layout)
        try container.encode(suffix, forKey: .suffix)
        try container.encode(compression, forKey: .compression)
        if codec == .mvt { try container.encode(layer, forKey: .layer) }
    }

    /// Refuses values with a ``problem``, such as a suffix with a slash, which would become part of paths.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        codec = try container.decode(TileCodec.self, forKey: .codec)
        layout = try container.decode(TilesetLayout.self, forKey: .layout)
        suffix = try container.decode(String.self, forKey: .suffix)
        compression = try container.decode(Compression.self, forKey: .compression)
        if codec == .mvt { layer = try container.decode(String.self, forKey: .layer) }
        if let problem {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: container.codingPath, debugDescription: "no tileset can be stored like this: \(problem)"
                )
            )
        }
    }

    /// The path template of tiles or bundles, as map clients write it: "tiles/{z}/{x}/{y}.json".
    public func template(of kind: FileAddress.Kind) -> String { "\(kind.folder)/{z}/{x}/{y}\(suffix)" }

    /// "tiles/z/x/y.json" or "bundles/z/x/y.json".
    public func relativePath(of address: FileAddress) -> String { "\(address)\(suffix)" }

    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? {
        if !TileStorage.isSuffix(suffix) {
            return "\(.tileSuffix) is \"\(suffix)\", expected a dot followed by lower-case letters, digits, - or _, "
                + "once or more, at most \(TileStorage.suffixLimit) characters, such as .json or .json.gz, "
                + "but not .bak, .old or .orig"
        }
        if compression == .none, suffix.hasSuffix(".gz") {
            return "\(.tileSuffix) is \"\(suffix)\" with \(.compression) none, expected one that doesn't end in .gz"
        }
        if let limit = layout.bundleLimit {
            if !TilesetLayout.bundleLimits.contains(limit) { return "\(.bundle) is \(limit), expected 1 to 10000" }
            if !codec.canBeBundled { return "\(.bundle) can't be used with \(.format) \(codec.rawValue)" }
        }
        if !(1...TileStorage.layerLimitBytes).contains(layer.utf8.count) {
            return "\(.layer) is \"\(layer)\", expected 1 to \(TileStorage.layerLimitBytes) bytes"
        }
        return codec != .mvt && layer != TileStorage.defaultLayer ? "\(.layer) needs \(.format) mvt" : nil
    }

    /// How names of copies end that people and editors make. No tile's name ends like that.
    private static let copySuffixes = [".bak", ".orig", ".old"]

    /// The longest suffix, in characters.
    public static let suffixLimit = 32

    /// Whether a name may end like this. Capitals are refused because some file systems ignore case.
    package static func isSuffix(_ text: some StringProtocol) -> Bool {
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
            && !([temporarySuffix] + copySuffixes).contains { text.hasSuffix($0) }
            && parts.dropFirst().allSatisfy { isPart(Substring($0)) }
    }

    /// Splits the name of a tile into the row and the suffix, such as "2" and ".json"; `nil` for a name without a valid
    /// suffix. The row may be any text.
    package static func parse(fileName: String) -> (row: Substring, suffix: String)? {
        guard let dot = fileName.firstIndex(of: "."), isSuffix(fileName[dot...]) else { return nil }
        return (fileName[..<dot], String(fileName[dot...]))
    }

    /// Splits the path of a tile or bundle into its address and suffix; `nil` for any other text.
    package static func parse(path: some StringProtocol) -> (address: FileAddress, suffix: String)? {
        let name = path.lastIndex(of: "/").map { path[$0...] } ?? path[...]
        guard let dot = name.firstIndex(of: "."), isSuffix(path[dot...]),
            let address = FileAddress(path[..<dot])
        else { return nil }
        return (address, String(path[dot...]))
    }
}

extension OptionName {
    public static var format: OptionName { OptionName() }
    public static var layer: OptionName { OptionName() }
    public static var tileSuffix: OptionName { OptionName() }
    public static var bundle: OptionName { OptionName() }
    public static var compression: OptionName { OptionName() }
}
