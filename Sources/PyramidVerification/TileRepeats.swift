import PyramidStore
import PyramidTiles

/// Finds the tiles of an archive that show the same single marker as a tile at a lower zoom, so that each marker needs to be
/// decoded only once: at high zooms most tiles show one marker, zoom after zoom.
///
/// Archives store equal tiles once. In a vector tile, only the place differs.
struct TileRepeats {
    struct Repeat {
        /// Of the tile in the list.
        let index: Int
        /// Where the tile shows the marker.
        let place: WorldPoint
    }

    private let archive: ArchiveTileset
    private let list: FileList
    private let maxZoom: Int
    private let hasExactPlaces: Bool
    private var body: [UInt8] = []

    init(_ archive: ArchiveTileset, _ manifest: Manifest, _ list: FileList) {
        (self.archive, self.list, maxZoom) = (archive, list, manifest.options.maxZoom)
        hasExactPlaces = manifest.content.storage.codec.hasExactPlaces
    }

    /// The tiles at the next zooms that show the only marker of a tile as well, as far as none is missing.
    mutating func following(
        _ tile: TileCoordinate, _ body: [UInt8], at place: WorldPoint, _ reader: inout StoredFileReader
    ) -> [Repeat] {
        guard tile.contains(place) else { return [] }
        // In GeoJSON, tiles that show the same are the same.
        let outline = hasExactPlaces ? nil : MVTOutline(body, at: tile)
        var (repeats, place) = ([Repeat](), place)
        for zoom in tile.z..<maxZoom {
            let next = TileCoordinate(containing: place, atZoom: zoom + 1)
            guard let index = list.index(of: .tile(next)) else { break }
            if let outline {
                let file = list.entries[index].file
                guard (try? reader.read(.tile(next), file, &self.body)) != nil,
                    let other = MVTOutline(self.body, at: next), outline.isSame(as: other)
                else { break }
                place = other.place
            } else if !isSame(tile, next) {
                break
            }
            repeats.append(Repeat(index: index, place: place))
        }
        return repeats
    }

    /// Whether the archive has the same bytes for both tiles.
    private func isSame(_ tile: TileCoordinate, _ other: TileCoordinate) -> Bool {
        guard let range = try? archive.storedRange(of: tile) else { return false }
        return (try? archive.storedRange(of: other)) == range
    }
}
