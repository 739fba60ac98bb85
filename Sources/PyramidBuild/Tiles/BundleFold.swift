import PyramidTiles

/// The records of a subtree, folded together zoom by zoom, from the last to the first.
///
/// A *record* is a marker over the consecutive zooms at which its feature is the same. A tile that shows at most so many
/// records, there and at higher zooms, can be a bundle; the first such tile from zoom 0 on is one.
struct BundleFold {
    struct Record {
        /// Of the place where it is shown.
        let code: UInt64
        /// Its feature in the worker's buffer; for ``MarkerNumber/foreign``, where it is in memory.
        let feature: Range<Int>
        let number: MarkerNumber
        /// The marker at the first zoom; ``MarkerNumber/foreign`` if it is known elsewhere only.
        fileprivate(set) var firstMarker: MarkerNumber
        /// Of a foreign record: its index among all of them.
        let foreignIndex: Int32
        fileprivate(set) var firstZoom: Int8
        let lastZoom: Int8
    }

    /// In the order in which a bundle at the zoom that was added last shows them: by code, at each code those that are
    /// shown at that zoom as its tile has them, then the others by first zoom.
    private var records: [Record] = []
    /// By marker of that zoom: the index of its record.
    private var shown: [Int32] = []
    /// The nodes at that zoom that show something there or at higher zooms, in order, with the numbers of their records.
    private var nodes: [(node: UInt64, recordCount: Int)] = []
    /// The tiles that are bundles if no tile that contains them is one, in the order of their codes.
    private(set) var bundles: [TileCoordinate] = []

    /// Room to make the next zoom's.
    private var merged: [Record] = []

    mutating func removeAll() {
        records.removeAll(keepingCapacity: true)
        shown.removeAll(keepingCapacity: true)
        nodes.removeAll(keepingCapacity: true)
        bundles.removeAll(keepingCapacity: true)
    }

    /// Begins with a node that has bundles or files at higher zooms already, before its zoom is added; nodes come in order.
    mutating func append(node: UInt64, recordCount: Int) {
        // As a child, because adding a zoom climbs to the parents.
        nodes.append((node << 2, recordCount))
    }

    /// Begins with a bundle; bundles come in order.
    mutating func append(bundle: TileCoordinate) { bundles.append(bundle) }

    /// Begins with a record of a bundle; records come in the order in which it shows them.
    /// - Parameters:
    ///   - isShown: whether it is shown at the zoom after the first one to be added.
    ///   - index: its index among all foreign records.
    mutating func append(
        _ feature: Range<Int>, at code: UInt64, zooms: ClosedRange<Int>, isShown: Bool, index: Int
    ) {
        if isShown { shown.append(Int32(records.count)) }
        records.append(
            Record(
                code: code, feature: feature, number: .foreign, firstMarker: .foreign, foreignIndex: Int32(index),
                firstZoom: Int8(zooms.lowerBound), lastZoom: Int8(zooms.upperBound)))
    }

    /// Counts the records that begin in a layer.
    /// - Returns: by tile of the layer, how many records it shows at its own zoom and higher ones.
    mutating func count(_ layer: MarkerLayer, atZoom zoom: Int) -> [Int] {
        var parents: [(node: UInt64, recordCount: Int)] = []
        parents.reserveCapacity(nodes.count + layer.tiles.count)
        var next = 0
        func climb(_ isBefore: (UInt64) -> Bool) {
            while next < nodes.count, isBefore(nodes[next].node >> 2) {
                let parent = nodes[next].node >> 2
                if parents.last?.node == parent {
                    parents[parents.count - 1].recordCount += nodes[next].recordCount
                } else {
                    parents.append((parent, nodes[next].recordCount))
                }
                next += 1
            }
        }
        let counts = layer.tiles.map { tile in
            let node = tile.coordinate.node
            climb { $0 < node }
            var begun = 0
            for index in tile.markers where layer.placesBelow[index] == MarkerLayer.none { begun += 1 }
            parents.append((node, begun))
            climb { $0 == node }
            return parents[parents.count - 1].recordCount
        }
        climb { _ in true }
        nodes = parents
        return counts
    }

    /// Adds a layer whose features are encoded: each marker goes on with its record of the layer added before, or begins
    /// one.
    /// - Parameter isBundle: by tile of the layer, whether it can be a bundle.
    mutating func add(_ layer: MarkerLayer, atZoom zoom: Int, isBundle: [Bool]) {
        merged.removeAll(keepingCapacity: true)
        var nextShown: [Int32] = []
        nextShown.reserveCapacity(layer.codes.count)
        var (index, place) = (0, 0)
        while index < layer.codes.count {
            let code = layer.codes[index]
            while place < records.count, records[place].code < code {
                merged.append(records[place])
                place += 1
            }
            while index < layer.codes.count, layer.codes[index] == code {
                nextShown.append(Int32(merged.count))
                let below = layer.placesBelow[index]
                if below == MarkerLayer.none {
                    merged.append(
                        Record(
                            code: code, feature: layer.features[index], number: layer.numbers[index],
                            firstMarker: layer.numbers[index], foreignIndex: -1, firstZoom: Int8(zoom),
                            lastZoom: Int8(zoom)))
                } else {
                    let record = Int(shown[Int(below)])
                    records[record].firstZoom = Int8(zoom)
                    records[record].firstMarker = layer.numbers[index]
                    merged.append(records[record])
                }
                index += 1
            }
            while place < records.count, records[place].code == code {
                if records[place].firstZoom > zoom { merged.append(records[place]) }
                place += 1
            }
        }
        merged.append(contentsOf: records[place...])
        swap(&records, &merged)
        shown = nextShown
        replaceBundles(in: layer, isBundle)
    }

    /// Tiles that can be bundles replace those within them; where one can't, those within it are bundles, and done.
    private mutating func replaceBundles(in layer: MarkerLayer, _ isBundle: [Bool]) {
        var kept: [TileCoordinate] = []
        kept.reserveCapacity(bundles.count + layer.tiles.count)
        var next = 0
        for (number, tile) in layer.tiles.enumerated() {
            let codes = tile.coordinate.codes
            while next < bundles.count, case let code = bundles[next].codes.lowerBound, code <= codes.upperBound {
                if code < codes.lowerBound { kept.append(bundles[next]) }
                next += 1
            }
            if isBundle[number] { kept.append(tile.coordinate) }
        }
        kept.append(contentsOf: bundles[next...])
        bundles = kept
    }

    /// How many records are shown in a node of the zoom before the one added last that contains a tile.
    func recordCount(ofParentOf tile: TileCoordinate, atZoom zoom: Int) -> Int {
        let parent = MortonCode(rawValue: tile.codes.lowerBound).node(atDepth: zoom)
        let start = nodes.partitioningIndex { $0.node >> 2 >= parent }
        return nodes[start...].prefix { $0.node >> 2 == parent }.reduce(0) { $0 + $1.recordCount }
    }

    /// The tiles within another that are bundles if that one is not.
    func bundles(in tile: TileCoordinate) -> ArraySlice<TileCoordinate> {
        let codes = tile.codes
        let start = bundles.partitioningIndex { $0.codes.lowerBound >= codes.lowerBound }
        return bundles[
            start..<(start..<bundles.count).partitioningIndex { bundles[$0].codes.lowerBound > codes.upperBound }]
    }

    /// The records of a bundle, in its order; before a tile that contains it is added.
    func records(in tile: TileCoordinate) -> ArraySlice<Record> {
        let codes = tile.codes
        let start = records.partitioningIndex { $0.code >= codes.lowerBound }
        return records[start..<(start..<records.count).partitioningIndex { records[$0].code > codes.upperBound }]
    }
}
