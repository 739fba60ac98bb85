import PyramidStore
import PyramidTiles

/// The file of a tile, a bundle or a page, by its address.
struct PlacedFile: Hashable, Comparable, Sendable {
    var address: FileAddress
    var suffix: String

    var path: String { "\(address)\(suffix)" }

    static func < (left: PlacedFile, right: PlacedFile) -> Bool {
        left.address == right.address ? left.suffix < right.suffix : left.address < right.address
    }
}

extension PlacedFile {
    /// With the suffix that a tileset gives it.
    init(_ address: FileAddress, _ storage: TileStorage) {
        self.init(address: address, suffix: storage.suffix(of: address))
    }

    /// `nil` unless the path is exactly that of a tile, a bundle or a page.
    init?(path: some StringProtocol) {
        guard let (address, suffix) = TileStorage.parse(path: path) else { return nil }
        self.init(address: address, suffix: suffix)
    }
}
