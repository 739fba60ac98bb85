import PyramidTiles

/// The files that the lists of a pyramid name, which a build may replace and remove without a look at them.
struct ListedFiles {
    /// What ends their names; `nil` where it is not known, and then there are none.
    let suffix: String?
    /// What compressed the tiles.
    let compressor: String?
    let tiles: TileList
    /// In their order.
    let pages: [LeafPage]

    /// Those of the pyramid in a directory; none where its metadata can't be read.
    init(in root: DirectoryHandle) throws(OutputError) {
        let manifest = try root.content(of: Manifest.fileName).flatMap { try? Manifest(decoding: $0) }
        let tiles = try root.content(of: TileList.fileName).flatMap { try? TileList(decoding: $0) }
        let leaves = try root.content(of: LeafList.fileName).flatMap { try? LeafList(decoding: $0) }
        let isKnown = tiles != nil && (leaves != nil || manifest?.content.clusters.hasLeaves == false)
        suffix = isKnown ? manifest?.content.storage.suffix : nil
        compressor = manifest?.content.compressor
        self.tiles = (suffix == nil ? nil : tiles) ?? TileList([])
        pages = suffix == nil ? [] : leaves?.entries.map(\.page) ?? []
    }

    /// Found in O(log n).
    func contain(_ tile: TileCoordinate, suffix: String) -> Bool {
        suffix == self.suffix && tiles.entry(of: tile) != nil
    }

    /// Found in O(log n).
    func contain(_ page: LeafPage, suffix: String) -> Bool {
        suffix == self.suffix && pages.sortedElement(page) { $0 } != nil
    }
}
