import PyramidStore
import PyramidTiles

/// The file of a tile, a bundle or a page, by its address.
struct PlacedFile: Hashable, Comparable, Sendable {
    var address: FileAddress
    var suffix: String

    var path: String { TileStorage(suffix: suffix).relativePath(of: address) }

    init(address: FileAddress, suffix: String) {
        self.address = address
        self.suffix = suffix
    }

    /// As a tileset names it.
    init(_ address: FileAddress, _ storage: TileStorage) {
        self.init(address: address, suffix: storage.suffix(of: address))
    }

    static func < (left: PlacedFile, right: PlacedFile) -> Bool {
        left.address == right.address ? left.suffix < right.suffix : left.address < right.address
    }
}

extension PlacedFile {
    /// `nil` unless the path is exactly that of a tile, a bundle or a page.
    init?(path: some StringProtocol) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        guard let last = parts.last, let (number, suffix) = TileStorage.parse(fileName: last) else { return nil }
        let text = (parts[1...].dropLast() + [String(number)]).joined(separator: "/")
        if parts[0] == TileStorage.tilesName, let tile = TileCoordinate(text) {
            self.init(address: .tile(tile), suffix: suffix)
        } else if parts[0] == TileStorage.bundlesName, let tile = TileCoordinate(text) {
            self.init(address: .bundle(tile), suffix: suffix)
        } else if parts[0] == TileStorage.leavesName, let page = LeafPage(text) {
            self.init(address: .page(page), suffix: suffix)
        } else {
            return nil
        }
    }
}
