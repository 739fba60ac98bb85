import PyramidStore
import PyramidTiles

/// Finds the tiles of an archive that are the same bytes as their parents, so that each needs to be read only once: archives
/// store equal tiles once, and at high zooms most tiles show one marker, zoom after zoom.
struct TileRepeats: Sendable {
    private let archive: ArchiveTileset
    private let list: FileList
    private let maxZoom: Int

    /// `nil` if tiles of different zooms can't be equal: those of other layouts are read one by one, and places in a vector
    /// tile depend on the tile.
    init?(_ tileset: any TilesetReader, _ manifest: Manifest, _ list: FileList) {
        guard let archive = tileset as? ArchiveTileset, manifest.content.storage.codec.hasExactPlaces else {
            return nil
        }
        (self.archive, self.list, maxZoom) = (archive, list, manifest.options.maxZoom)
    }

    /// The zooms at which the only marker of a tile is shown by the same bytes; `nil` for the tile's own alone.
    /// - Parameter indices: receives the indices of the tiles at higher zooms.
    func zooms(of tile: TileCoordinate, at place: WorldPoint, in indices: inout [Int]) -> ClosedRange<Int>? {
        guard tile.z < maxZoom, tile.contains(place), let range = try? archive.storedRange(of: tile) else { return nil }
        var last = tile.z
        while last < maxZoom {
            let next = TileCoordinate(containing: place, atZoom: last + 1)
            let address = FileAddress.tile(next)
            guard (try? archive.storedRange(of: next)) == range else { break }
            let index = list.entries.partitioningIndex { $0.address >= address }
            guard index < list.entries.count, list.entries[index].address == address else { break }
            indices.append(index)
            last += 1
        }
        return last > tile.z ? tile.z...last : nil
    }
}
