/// The address of a file in a tileset: a tile or a bundle.
///
/// Lists hold many addresses and are sorted, so an address takes only 8 bytes and compares as an integer. Tiles come
/// first, then bundles.
public struct FileAddress: Hashable, Sendable, BitwiseCopyable {
    public enum Kind: UInt8, CaseIterable, Sendable {
        case tile
        /// A file for a tile and its children at all higher zooms.
        case bundle

        /// The name of the files' folder in the tileset's folder.
        public var folder: String {
            switch self {
            case .tile: "tiles"
            case .bundle: "bundles"
            }
        }
    }

    /// The halves of ``key``. A single 8-byte integer would pad entries of lists.
    @usableFromInline let high, low: UInt32

    /// The kind in the two highest bits, then the tile's sort key.
    @inlinable var key: UInt64 { UInt64(high) << 32 | UInt64(low) }

    private init(_ kind: Kind, _ tile: TileCoordinate) {
        high = UInt32(kind.rawValue) << 30 | UInt32(tile.key >> 32)
        low = UInt32(truncatingIfNeeded: tile.key)
    }

    public static func tile(_ tile: TileCoordinate) -> FileAddress { FileAddress(.tile, tile) }
    public static func bundle(_ tile: TileCoordinate) -> FileAddress { FileAddress(.bundle, tile) }

    @inlinable public var kind: Kind { high >> 30 == 0 ? .tile : .bundle }

    /// The tile, or the one that a bundle is for.
    @inlinable public var tile: TileCoordinate { TileCoordinate(key: key & (1 << 62 - 1)) }
}

extension FileAddress: Comparable {
    @inlinable
    public static func < (left: FileAddress, right: FileAddress) -> Bool { left.key < right.key }
}

/// The components of the path.
extension FileAddress {
    /// How many numbers follow the folder in a path: zoom, column and row.
    package static let numberCount = 3

    /// The first address in the same directory.
    package var firstOfColumn: FileAddress { FileAddress(kind, tile.z, tile.x, 0) ?? self }

    /// The name of the file, such as "2.json".
    package func fileName(suffix: String) -> String { "\(tile.y)\(suffix)" }

    /// The address with these numbers in its path; `nil` if they are out of range.
    package init?(_ kind: Kind, _ z: Int, _ x: Int, _ y: Int) {
        guard let tile = TileCoordinate(z: z, x: x, y: y) else { return nil }
        self.init(kind, tile)
    }

    package init?(_ kind: Kind, _ numbers: [Int]) {
        guard numbers.count == FileAddress.numberCount else { return nil }
        self.init(kind, numbers[0], numbers[1], numbers[2])
    }

    /// The numbers of the path.
    package var numbers: [Int] { [tile.z, tile.x, tile.y] }

    /// The number at an index of the path, counted from 0.
    package func number(_ index: Int) -> Int { index == 0 ? tile.z : index == 1 ? tile.x : tile.y }

    /// Reads "tiles/z/x/y" or "bundles/z/x/y" in decimal digits, without signs or leading zeros; `nil` for any other
    /// text.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let kind = Kind.allCases.first(where: { $0.folder == parts[0] }) else { return nil }
        let numbers = parts.dropFirst().compactMap { part in Int(part).flatMap { String($0) == part ? $0 : nil } }
        guard numbers.count == parts.count - 1 else { return nil }
        self.init(kind, numbers)
    }
}

extension FileAddress: CustomStringConvertible {
    /// "tiles/z/x/y" or "bundles/z/x/y": the path without the suffix.
    public var description: String { "\(kind.folder)/\(tile.z)/\(tile.x)/\(tile.y)" }
}
