import PyramidClusters
import PyramidTiles

/// The markers of one zoom in a subtree, cut into tiles, with their encoded features and files.
package struct MarkerLayer {
    package struct Tile {
        let coordinate: TileCoordinate
        /// The indices of its markers in the layer.
        package let markers: Range<Int>
        /// `nil` before it is written.
        package var file: StoredFile?
        /// The range of the file's bytes in the worker's buffer.
        package var body = 0..<0
        /// The tile of a higher zoom for which the bytes were made; `nil` if they were made for this one.
        var origin: TileCoordinate?
    }

    package private(set) var zoom = 0
    /// The index of its first marker among all markers of the zoom.
    package private(set) var first = 0
    package private(set) var numbers: [MarkerNumber] = []
    package private(set) var codes: [UInt64] = []
    /// By marker: its index in the layer of the next higher zoom; ``none`` if it isn't there with the same feature.
    private(set) var nextIndices: [Int32] = []
    /// By marker: the id of its parent, if it states one, once ``findParents(of:in:)`` was called; otherwise 0.
    private(set) var parents: [UInt64] = []
    /// By marker: the range of its feature in the worker's buffer; empty if it was not encoded.
    var features: [Range<Int>] = []
    /// In the order of their markers.
    package var tiles: [Tile] = []
    /// By marker: the index of the tile that begins with it; ``none`` for other markers.
    private var tileStarts: [Int32] = []

    package static let none: Int32 = -1

    package mutating func removeAll() {
        numbers.removeAll(keepingCapacity: true)
        codes.removeAll(keepingCapacity: true)
        parents.removeAll(keepingCapacity: true)
        nextIndices.removeAll(keepingCapacity: true)
        features.removeAll(keepingCapacity: true)
        tiles.removeAll(keepingCapacity: true)
        tileStarts.removeAll(keepingCapacity: true)
    }

    /// Replaces all markers by markers of a band.
    /// - Parameters:
    ///   - range: the markers' indices at the zoom.
    ///   - next: the layer of the next higher zoom in the same subtree; empty if there is none.
    package mutating func begin(
        _ band: TileBand, _ range: Range<Int>, zoom: Int, next: MarkerLayer, of data: MarkerData
    ) {
        removeAll()
        self.zoom = zoom
        first = range.lowerBound
        let markers = band.markers(atZoom: zoom)
        numbers.append(contentsOf: markers.numbers[range])
        for index in range { codes.append(markers.code(of: index)) }
        parents.append(contentsOf: repeatElement(0, count: numbers.count))
        findMarkers(in: next, of: band, data)
        findTiles(zoom: zoom)
    }

    /// Adds a marker of which only the feature is known.
    package mutating func append(feature: Range<Int>, at code: UInt64) {
        numbers.append(.encoded)
        codes.append(code)
        features.append(feature)
        tileStarts.append(MarkerLayer.none)
    }

    /// Notes that a marker is the same as one of which only the feature is known.
    mutating func setNextIndex(of index: Int, to found: Int) { nextIndices[index] = Int32(found) }

    /// The indices of the tiles, column by column, so that files are written directory by directory.
    func tilesByColumn() -> [Int] {
        // Integers compare fastest. A subtree has far fewer tiles than 32 bits can count.
        tiles.indices.map { UInt64(tiles[$0].coordinate.x) << 32 | UInt64($0) }.sorted().map { Int($0 & 0xffff_ffff) }
    }

    /// Finds the parents that the markers of a tile state.
    mutating func findParents(of tile: Tile, in band: TileBand) {
        band.parents?.forEachParent(of: numbers[tile.markers], atZoom: zoom) { parents[$0] = $1 }
    }

    /// The tile of the next higher zoom with exactly the same features; `nil` if there is none.
    func sameTile(as index: Int, in next: MarkerLayer) -> Tile? {
        let markers = tiles[index].markers
        let first = nextIndices[markers.lowerBound]
        guard first != MarkerLayer.none, case let start = next.tileStarts[Int(first)], start != MarkerLayer.none,
            case let tile = next.tiles[Int(start)], tile.markers.count == markers.count,
            // There, none of them states a parent, because all stand here.
            markers.allSatisfy({ Int(nextIndices[$0]) == Int(first) + $0 - markers.lowerBound && parents[$0] == 0 })
        else { return nil }
        return tile
    }

    /// Finds the markers in the next layer. Both are sorted by code, with the markers of one place in the same order.
    private mutating func findMarkers(in next: MarkerLayer, of band: TileBand, _ data: MarkerData) {
        var place = 0
        for index in numbers.indices {
            while place < next.codes.count, next.codes[place] < codes[index] { place += 1 }
            var found = place
            while found < next.codes.count, next.codes[found] == codes[index], next.numbers[found] != numbers[index] {
                found += 1
            }
            if found < next.codes.count, next.codes[found] == codes[index],
                band.hasSameFeature(numbers[index], first + index, atZoom: zoom, as: next.first + found, of: data)
            {
                nextIndices.append(Int32(found))
                features.append(next.features[found])
                place = found + 1
            } else {
                nextIndices.append(MarkerLayer.none)
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
