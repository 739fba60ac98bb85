/// The address of a file in one of a tileset's lists.
public enum FileAddress: Hashable, Sendable {
    case tile(TileCoordinate)
    /// A file for a tile and all tiles below it.
    case bundle(TileCoordinate)
    case page(LeafPage)
}

extension FileAddress: Comparable {
    /// Tiles come first, then bundles.
    public static func < (left: FileAddress, right: FileAddress) -> Bool {
        switch (left, right) {
        case (.tile(let left), .tile(let right)): left < right
        case (.bundle(let left), .bundle(let right)): left < right
        case (.page(let left), .page(let right)): left < right
        case (.tile, .bundle), (.tile, .page), (.bundle, .page): true
        case (.bundle, .tile), (.page, .tile), (.page, .bundle): false
        }
    }
}

/// The address of a bundle in its list: that of the tile for which it stands, and all below.
public struct BundleAddress: Hashable, Comparable, Sendable {
    public let tile: TileCoordinate

    @inlinable
    public init(_ tile: TileCoordinate) { self.tile = tile }

    @inlinable
    public static func < (left: BundleAddress, right: BundleAddress) -> Bool { left.tile < right.tile }
}

/// The address of a page of a cluster's points.
public struct LeafPage: Hashable, Sendable {
    /// The cluster's id, of at most 53 bits.
    public let clusterID: Int
    /// Counted from 0.
    public let page: Int

    /// The points of every page but the last, which has the rest.
    public static let pointLimit = 100

    public init(clusterID: Int, page: Int) {
        self.clusterID = clusterID
        self.page = page
    }

    /// Reads "cluster/page" in decimal digits, without signs or leading zeros; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
            .map { part in Int(part).flatMap { String($0) == part && $0 >= 0 ? $0 : nil } }
        guard numbers.count == 2, let clusterID = numbers[0], let page = numbers[1] else { return nil }
        self.init(clusterID: clusterID, page: page)
    }

    /// The number of pages for this many points.
    public static func count(ofPoints pointCount: Int) -> Int { (pointCount + pointLimit - 1) / pointLimit }
}

extension LeafPage: Comparable {
    @inlinable
    public static func < (left: LeafPage, right: LeafPage) -> Bool {
        (left.clusterID, left.page) < (right.clusterID, right.page)
    }
}
