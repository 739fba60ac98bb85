import PyramidClusters
import PyramidTiles

/// Collects the records of a subtree, zoom by zoom from the last to the first.
///
/// A *record* is a marker over the consecutive zooms at which its feature is the same. A tile with markers can be a
/// bundle if it is at the last zoom, or if it shows at most the bundle limit of records, at its own and all higher zooms together. Of nested
/// tiles that can be bundles, the one at the lowest zoom becomes one.
package struct BundleFold {
    package struct Record {
        /// The Morton code of the place where it is shown.
        package let code: UInt64
        /// The range of its feature in the worker's buffer.
        let feature: Range<Int>
        package let number: MarkerNumber
        /// The marker at the first zoom; ``MarkerNumber/encoded`` if it is known elsewhere only.
        fileprivate(set) var firstMarker: MarkerNumber
        /// Of a record of an ``OpenBundle``: its index among all of them.
        let openIndex: Int32
        fileprivate(set) var firstZoom: Int8
        let lastZoom: Int8
    }

    /// In the order of a bundle at the zoom added last: by code. At the same code, the records shown at that zoom come
    /// first, in the order of its markers, then the others by first zoom.
    private var records: [Record] = []
    /// By marker of the zoom added last: the index of its record.
    private var shown: [Int32] = []
    /// The quadtree nodes of the zoom counted last that have records, at that zoom or higher ones, in order.
    private var nodes: [(node: UInt64, recordCount: Int)] = []
    /// The tiles that are bundles unless a tile that contains them becomes one, in the order of their codes.
    package private(set) var bundles: [TileCoordinate] = []

    /// A reused buffer for the next `records`.
    private var merged: [Record] = []

    package mutating func removeAll() {
        records.removeAll(keepingCapacity: true)
        shown.removeAll(keepingCapacity: true)
        nodes.removeAll(keepingCapacity: true)
        bundles.removeAll(keepingCapacity: true)
    }

    /// Starts with a node that has bundles or files at higher zooms. Call it before any zoom is added, in the order of the
    /// nodes.
    package mutating func append(node: UInt64, recordCount: Int) {
        // As one of its children, because counting a zoom first climbs to the parents.
        nodes.append((node << 2, recordCount))
    }

    /// Starts with a bundle that isn't written yet. Call it in the order of their codes.
    package mutating func append(bundle: TileCoordinate) { bundles.append(bundle) }

    /// Starts with a record of such a bundle. Call it in the bundle's order.
    /// - Parameters:
    ///   - isShown: whether it is shown one zoom higher than the first zoom that will be added.
    ///   - index: its index among the records of all open bundles.
    package mutating func append(
        _ feature: Range<Int>, at code: UInt64, zooms: ClosedRange<Int>, isShown: Bool, index: Int
    ) {
        if isShown { shown.append(Int32(records.count)) }
        records.append(
            Record(
                code: code, feature: feature, number: .encoded, firstMarker: .encoded,
                openIndex: Int32(index), firstZoom: Int8(zooms.lowerBound), lastZoom: Int8(zooms.upperBound)))
    }

    /// Counts a layer's new records: those of markers that the next higher zoom doesn't show with the same feature.
    /// - Returns: by tile of the layer, how many records it shows at its own and all higher zooms.
    package mutating func count(_ layer: MarkerLayer, atZoom zoom: Int) -> [Int] {
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
            for index in tile.markers where layer.nextIndices[index] == MarkerLayer.none { begun += 1 }
            parents.append((node, begun))
            climb { $0 == node }
            return parents[parents.count - 1].recordCount
        }
        climb { _ in true }
        nodes = parents
        return counts
    }

    /// Adds a layer whose features are encoded. Each marker extends its record of the layer added before, or starts a new
    /// one.
    /// - Parameter isBundle: by tile of the layer, whether it can be a bundle.
    package mutating func add(_ layer: MarkerLayer, atZoom zoom: Int, isBundle: [Bool]) {
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
                let next = layer.nextIndices[index]
                if next == MarkerLayer.none {
                    merged.append(
                        Record(
                            code: code, feature: layer.features[index], number: layer.numbers[index],
                            firstMarker: layer.numbers[index], openIndex: -1, firstZoom: Int8(zoom),
                            lastZoom: Int8(zoom)))
                } else {
                    let record = Int(shown[Int(next)])
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

    /// Tiles that can be bundles replace the bundles inside them. If a tile can't be one, the bundles inside it have been
    /// written, and are dropped.
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

    /// How many records a tile's ancestor at `zoom` shows at higher zooms.
    /// - Parameter zoom: one lower than the zoom added last.
    func recordCount(ofParentOf tile: TileCoordinate, atZoom zoom: Int) -> Int {
        let parent = MortonCode(rawValue: tile.codes.lowerBound).node(atDepth: zoom)
        let start = nodes.partitioningIndex { $0.node >> 2 >= parent }
        return nodes[start...].prefix { $0.node >> 2 == parent }.reduce(0) { $0 + $1.recordCount }
    }

    /// The bundles inside a tile that isn't one itself.
    package func bundles(in tile: TileCoordinate) -> ArraySlice<TileCoordinate> {
        let codes = tile.codes
        let start = bundles.partitioningIndex { $0.codes.lowerBound >= codes.lowerBound }
        return bundles[
            start..<(start..<bundles.count).partitioningIndex { bundles[$0].codes.lowerBound > codes.upperBound }]
    }

    /// The records of a bundle, in its order. Call it before a tile that contains the bundle is added.
    func records(in tile: TileCoordinate) -> ArraySlice<Record> {
        let codes = tile.codes
        let start = records.partitioningIndex { $0.code >= codes.lowerBound }
        return records[start..<(start..<records.count).partitioningIndex { records[$0].code > codes.upperBound }]
    }
}
