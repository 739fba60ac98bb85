import PyramidTiles

/// The markers of one zoom in a subtree, and what a worker has made of them.
struct MarkerLayer {
    /// A tile that is written.
    struct Tile {
        /// By their places in the layer.
        let markers: Range<Int>
        let file: StoredFile
        /// The file's bytes, among those that the worker keeps.
        let body: Range<Int>
    }

    private(set) var numbers: [MarkerNumber] = []
    private(set) var codes: [UInt64] = []
    /// By marker: where it is in the layer of the zoom below; ``none`` where it isn't there, or as something else.
    private(set) var placesBelow: [Int32] = []
    /// By marker: its feature, among those that the worker keeps; empty where it was not encoded.
    var features: [Range<Int>] = []
    var tiles: [Tile] = []

    private static let none: Int32 = -1

    /// Begins with other markers, as they are in a tile of the zoom above.
    /// - Parameter below: of the zoom below; empty where there is none.
    mutating func begin(_ markers: ZoomMarkers, _ range: Range<Int>, over below: MarkerLayer) {
        numbers.removeAll(keepingCapacity: true)
        codes.removeAll(keepingCapacity: true)
        placesBelow.removeAll(keepingCapacity: true)
        features.removeAll(keepingCapacity: true)
        tiles.removeAll(keepingCapacity: true)
        numbers.append(contentsOf: markers.numbers[range])
        var place = 0
        for index in range {
            let code = markers.code(of: index)
            codes.append(code)
            // Both layers are in the order of their codes, and markers of one place in the same order.
            while place < below.codes.count, below.codes[place] < code { place += 1 }
            var found = place
            while found < below.codes.count, below.codes[found] == code, below.numbers[found] != markers.numbers[index]
            {
                found += 1
            }
            if found < below.codes.count, below.codes[found] == code {
                placesBelow.append(Int32(found))
                features.append(below.features[found])
                place = found + 1
            } else {
                placesBelow.append(MarkerLayer.none)
                features.append(0..<0)
            }
        }
    }

    /// Forgets all markers.
    mutating func removeAll() {
        numbers.removeAll(keepingCapacity: true)
        codes.removeAll(keepingCapacity: true)
        tiles.removeAll(keepingCapacity: true)
    }

    /// The markers that are in the same tile as the first of them.
    func tile(from start: Int, zoom: Int) -> Range<Int> {
        let node = MortonCode(rawValue: codes[start]).node(atDepth: zoom)
        var end = start + 1
        while end < codes.count, MortonCode(rawValue: codes[end]).node(atDepth: zoom) == node { end += 1 }
        return start..<end
    }

    /// The tile of the zoom below that has these very markers and no others; `nil` where there is none.
    /// - Parameter next: the first tile of the layer below that can be meant, moved on from call to call.
    func sameTile(_ markers: Range<Int>, in below: MarkerLayer, next: inout Int) -> Tile? {
        let first = placesBelow[markers.lowerBound]
        guard first != MarkerLayer.none else { return nil }
        while next < below.tiles.count, below.tiles[next].markers.upperBound <= Int(first) { next += 1 }
        guard next < below.tiles.count, below.tiles[next].markers.lowerBound == Int(first),
            below.tiles[next].markers.count == markers.count,
            markers.allSatisfy({ Int(placesBelow[$0]) == Int(first) + $0 - markers.lowerBound })
        else { return nil }
        return below.tiles[next]
    }
}
