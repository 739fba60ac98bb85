import PyramidTiles

/// The markers of one zoom in a subtree, cut into tiles, and what a worker has made of them.
struct MarkerLayer {
    struct Tile {
        let coordinate: TileCoordinate
        /// By their places in the layer.
        let markers: Range<Int>
        /// `nil` before it is written.
        var file: StoredFile?
        /// The file's bytes, among those that the worker keeps.
        var body = 0..<0
    }

    private(set) var numbers: [MarkerNumber] = []
    private var codes: [UInt64] = []
    /// By marker: where it is in the layer of the zoom below; ``none`` where it isn't there, or as something else.
    private var placesBelow: [Int32] = []
    /// By marker: its feature, among those that the worker keeps; empty where it was not encoded.
    var features: [Range<Int>] = []
    /// In the order of their markers.
    var tiles: [Tile] = []
    /// By place in the layer below: the tile there whose first marker it is; ``none`` for other markers.
    private var tileStarts: [Int32] = []

    private static let none: Int32 = -1

    /// Forgets all markers.
    mutating func removeAll() {
        numbers.removeAll(keepingCapacity: true)
        codes.removeAll(keepingCapacity: true)
        placesBelow.removeAll(keepingCapacity: true)
        features.removeAll(keepingCapacity: true)
        tiles.removeAll(keepingCapacity: true)
        tileStarts.removeAll(keepingCapacity: true)
    }

    /// Begins with other markers.
    /// - Parameters:
    ///   - range: of the markers.
    ///   - below: of the same subtree's zoom below; empty where there is none.
    mutating func begin(_ markers: ArrangedMarkers, _ range: Range<Int>, zoom: Int, over below: MarkerLayer) {
        removeAll()
        numbers.append(contentsOf: markers.numbers[range])
        for index in range { codes.append(markers.code(of: index)) }
        findMarkers(in: below)
        findTiles(zoom: zoom)
    }

    /// The tiles, those of one column one after the other: so files come directory by directory.
    func tilesByColumn() -> [Int] {
        // As numbers, which are compared quickest. A subtree has far fewer tiles than 32 bits can count.
        tiles.indices.map { UInt64(tiles[$0].coordinate.x) << 32 | UInt64($0) }.sorted().map { Int($0 & 0xffff_ffff) }
    }

    /// The tile of the zoom below that has these very markers and no others; `nil` where there is none.
    func sameTile(as index: Int, in below: MarkerLayer) -> Tile? {
        let markers = tiles[index].markers
        let first = placesBelow[markers.lowerBound]
        guard first != MarkerLayer.none, case let start = below.tileStarts[Int(first)], start != MarkerLayer.none,
            case let tile = below.tiles[Int(start)], tile.markers.count == markers.count,
            markers.allSatisfy({ Int(placesBelow[$0]) == Int(first) + $0 - markers.lowerBound })
        else { return nil }
        return tile
    }

    /// Both layers are in the order of their codes, and markers of one place in the same order.
    private mutating func findMarkers(in below: MarkerLayer) {
        var place = 0
        for index in numbers.indices {
            while place < below.codes.count, below.codes[place] < codes[index] { place += 1 }
            var found = place
            while found < below.codes.count, below.codes[found] == codes[index], below.numbers[found] != numbers[index]
            {
                found += 1
            }
            if found < below.codes.count, below.codes[found] == codes[index] {
                placesBelow.append(Int32(found))
                features.append(below.features[found])
                place = found + 1
            } else {
                placesBelow.append(MarkerLayer.none)
                features.append(0..<0)
            }
        }
    }

    private mutating func findTiles(zoom: Int) {
        var start = 0
        while start < codes.count {
            let node = MortonCode(rawValue: codes[start]).node(atDepth: zoom)
            tileStarts.append(Int32(tiles.count))
            var end = start + 1
            while end < codes.count, MortonCode(rawValue: codes[end]).node(atDepth: zoom) == node {
                tileStarts.append(MarkerLayer.none)
                end += 1
            }
            let place = MortonCode(rawValue: codes[start]).point
            tiles.append(Tile(coordinate: TileCoordinate(containing: place, atZoom: zoom), markers: start..<end))
            start = end
        }
    }
}
