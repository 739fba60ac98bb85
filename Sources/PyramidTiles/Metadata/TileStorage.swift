/// How tiles are stored: what ends the names of their files, and whether these are compressed.
public struct TileStorage: Codable, Hashable, Sendable {
    public enum Compression: String, Codable, CaseIterable, Sendable {
        /// The file is the JSON.
        case none
        /// The file is one gzip member (RFC 1952) that holds the JSON.
        case gzip
    }

    /// The folder of the tiles, in the tileset's.
    public static let tilesName = "tiles"
    /// The folder of the pages of clusters' points, in the tileset's.
    public static let leavesName = "leaves"
    /// The largest tile, as a file or as JSON, that is written or read: 1 GiB. It bounds the memory that a damaged file can
    /// cost its reader.
    public static let tileLimitBytes = 1 << 30
    /// Follows the name of a file while its next content is being written.
    package static let temporarySuffix = ".pyramid-tmp"

    /// What follows the row in a tile's name, such as ".json" or ".json.gz".
    public var suffix: String
    public var compression: Compression

    public init(suffix: String = ".json", compression: Compression = .gzip) {
        self.suffix = suffix
        self.compression = compression
    }

    /// Refuses what has a ``problem``: a suffix becomes part of paths.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        suffix = try container.decode(String.self, forKey: .suffix)
        compression = try container.decode(Compression.self, forKey: .compression)
        if let problem {
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath, debugDescription: problem.description))
        }
    }

    /// Where tiles are, as map clients write it: "tiles/{z}/{x}/{y}.json".
    public var template: String { "\(TileStorage.tilesName)/{z}/{x}/{y}\(suffix)" }

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

    /// "tiles/z/x/y.json" or "leaves/cluster/page.json".
    public func relativePath(of address: FileAddress) -> String {
        switch address {
        case .tile(let tile): relativePath(of: tile)
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
        return nil
    }

    private static let suffixLimit = 32

    /// Whether a name can end so. Capitals can't: not every file system tells them apart.
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

    /// The row and the suffix in the name of a file that is a tile's by its form; `nil` for any other name.
    package static func parse(fileName: String) -> (row: Substring, suffix: String)? {
        guard let dot = fileName.firstIndex(of: "."), isSuffix(fileName[dot...]) else { return nil }
        return (fileName[..<dot], String(fileName[dot...]))
    }
}
