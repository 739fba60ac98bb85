/// How tiles are stored: the suffix of their files, and whether these are compressed.
public struct TileStorage: Codable, Hashable, Sendable {
    public enum Compression: String, Codable, CaseIterable, Sendable {
        /// The file is the JSON.
        case none
        /// The file is one gzip member (RFC 1952) that holds the JSON.
        case gzip
    }

    /// The folder of the tiles, within that of the tileset.
    public static let tilesName = "tiles"
    /// The folder of the bundles, within that of the tileset.
    public static let bundlesName = "bundles"
    /// The folder of the pages of clusters' points, within that of the tileset.
    public static let leavesName = "leaves"
    /// The largest tile that is written or read, as a file or as JSON: 1 GiB. It limits how much memory a damaged file
    /// can cost its reader.
    public static let tileLimitBytes = 1 << 30
    /// The suffix of a file's new content while it is being written.
    package static let temporarySuffix = ".pyramid-tmp"

    /// What follows the row in a tile's name, such as ".json" or ".json.gz".
    public var suffix: String
    public var compression: Compression
    /// The most records of a bundle above the last zoom; `nil` if every tile has a file of its own.
    public var bundleLimit: Int?

    /// What ``bundleLimit`` can be.
    public static let bundleLimits = 1...10_000

    public init(suffix: String = ".json", compression: Compression = .gzip, bundleLimit: Int? = nil) {
        self.suffix = suffix
        self.compression = compression
        self.bundleLimit = bundleLimit
    }

    /// Refuses values with a ``problem``: the suffix becomes part of paths.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        suffix = try container.decode(String.self, forKey: .suffix)
        compression = try container.decode(Compression.self, forKey: .compression)
        bundleLimit = try container.decodeIfPresent(Int.self, forKey: .bundleLimit)
        if let problem {
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath, debugDescription: problem.description))
        }
    }

    /// The path template of the tiles, as map clients write it: "tiles/{z}/{x}/{y}.json".
    public var template: String { "\(TileStorage.tilesName)/{z}/{x}/{y}\(suffix)" }

    /// The path template of the bundles.
    public var bundleTemplate: String { "\(TileStorage.bundlesName)/{z}/{x}/{y}\(suffix)" }

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
    package func fileName(of page: LeafPage) -> String { "\(page.page)\(suffix)" }

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
