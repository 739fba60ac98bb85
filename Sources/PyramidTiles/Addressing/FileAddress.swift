/// The address of a file in a tileset: a tile, a bundle, or a page of a cluster's points.
///
/// Lists hold many addresses and are sorted, so an address takes only 12 bytes and compares as two integers. Tiles come
/// first, then bundles, then pages.
public struct FileAddress: Hashable, Sendable, BitwiseCopyable {
    public enum Kind: UInt8, CaseIterable, Sendable {
        case tile
        /// A file for a tile and its children at all higher zooms.
        case bundle
        case page

        /// The name of the files' folder in the tileset's folder.
        public var folder: String {
            switch self {
            case .tile: "tiles"
            case .bundle: "bundles"
            case .page: "leaves"
            }
        }

        /// How many numbers follow the folder in a path: zoom, column and row, or cluster and page.
        package var numberCount: Int { self == .page ? 2 : 3 }
    }

    /// The halves of ``key``. A single 8-byte integer would pad addresses in lists to 16 bytes.
    @usableFromInline let high, low: UInt32
    /// The page's number; 0 for a tile or a bundle.
    @usableFromInline let pageNumber: UInt32

    /// The kind in the two highest bits, then the tile's sort key or the cluster's id.
    @inlinable var key: UInt64 { UInt64(high) << 32 | UInt64(low) }

    private init(_ kind: Kind, _ key: UInt64, pageNumber: UInt32 = 0) {
        high = UInt32(kind.rawValue) << 30 | UInt32(key >> 32)
        low = UInt32(truncatingIfNeeded: key)
        self.pageNumber = pageNumber
    }

    public static func tile(_ tile: TileCoordinate) -> FileAddress { FileAddress(.tile, tile.key) }
    public static func bundle(_ tile: TileCoordinate) -> FileAddress { FileAddress(.bundle, tile.key) }
    public static func page(_ page: PointPage) -> FileAddress {
        FileAddress(.page, UInt64(page.clusterID), pageNumber: UInt32(page.page))
    }

    @inlinable public var kind: Kind { high >> 30 == 0 ? .tile : high >> 30 == 1 ? .bundle : .page }

    /// The tile, if this is the address of a tile or a bundle.
    @inlinable public var tile: TileCoordinate? {
        high >> 30 < 2 ? TileCoordinate(key: key & (1 << 62 - 1)) : nil
    }

    public var page: PointPage? {
        kind == .page ? PointPage(clusterID: Int(key & (1 << 62 - 1)), page: Int(pageNumber)) : nil
    }
}

extension FileAddress: Comparable {
    @inlinable
    public static func < (left: FileAddress, right: FileAddress) -> Bool {
        left.key == right.key ? left.pageNumber < right.pageNumber : left.key < right.key
    }
}

/// The components of the path.
extension FileAddress {
    /// The first address in the same directory.
    package var firstOfColumn: FileAddress {
        guard let tile else { return .page(PointPage(clusterID: number(0), page: 0)) }
        return FileAddress(kind, tile.z, tile.x) ?? self
    }

    /// The name of the file, such as "2.json".
    package func fileName(suffix: String) -> String { "\(number(kind.numberCount - 1))\(suffix)" }

    /// The address with these numbers in its path; `nil` if they are out of range.
    package init?(_ kind: Kind, _ first: Int, _ second: Int, _ third: Int = 0) {
        if kind == .page {
            guard PointPage.isPage(clusterID: first, page: second) else { return nil }
            self = .page(PointPage(clusterID: first, page: second))
        } else {
            guard let tile = TileCoordinate(z: first, x: second, y: third) else { return nil }
            self = FileAddress(kind, tile.key)
        }
    }

    package init?(_ kind: Kind, _ numbers: [Int]) {
        guard numbers.count == kind.numberCount else { return nil }
        self.init(kind, numbers[0], numbers[1], numbers.last ?? 0)
    }

    /// The numbers of the path.
    package var numbers: [Int] { (0..<kind.numberCount).map { number($0) } }

    /// The number at an index of the path, counted from 0.
    package func number(_ index: Int) -> Int {
        guard let tile else { return index == 0 ? Int(key & (1 << 62 - 1)) : Int(pageNumber) }
        return index == 0 ? tile.z : index == 1 ? tile.x : tile.y
    }

    /// Reads "tiles/z/x/y", "bundles/z/x/y" or "leaves/cluster/page" in decimal digits, without signs or leading zeros;
    /// `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let kind = Kind.allCases.first(where: { $0.folder == parts[0] }) else { return nil }
        let numbers = parts.dropFirst().compactMap { part in Int(part).flatMap { String($0) == part ? $0 : nil } }
        guard numbers.count == parts.count - 1 else { return nil }
        self.init(kind, numbers)
    }
}

extension FileAddress: CustomStringConvertible {
    /// "tiles/z/x/y", "bundles/z/x/y" or "leaves/cluster/page": the path without the suffix.
    public var description: String {
        guard let tile else { return "\(Kind.page.folder)/\(number(0))/\(pageNumber)" }
        return "\(kind.folder)/\(tile.z)/\(tile.x)/\(tile.y)"
    }
}

/// The address of a page of a cluster's points.
public struct PointPage: Hashable, Sendable {
    /// The cluster's id, of at most 53 bits.
    public let clusterID: Int
    /// Counted from 0.
    public let page: Int

    /// How many points each page holds, except the last one, which holds the rest.
    public static let pointLimit = 100

    public init(clusterID: Int, page: Int) {
        precondition(PointPage.isPage(clusterID: clusterID, page: page), "no such page")
        self.clusterID = clusterID
        self.page = page
    }

    fileprivate static func isPage(clusterID: Int, page: Int) -> Bool {
        (0..<1 << 53).contains(clusterID) && (0...Int(UInt32.max)).contains(page)
    }

    /// The number of pages for this many points.
    public static func count(ofPoints pointCount: Int) -> Int { (pointCount + pointLimit - 1) / pointLimit }
}
