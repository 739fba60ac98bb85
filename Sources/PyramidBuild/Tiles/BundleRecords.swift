import PyramidStore
import PyramidTiles

/// A marker over the consecutive zooms at which its feature is the same.
struct BundleRecord {
    /// Of the place where it is shown.
    let code: UInt64
    /// The point at whose place it stands, for the order of rows.
    let point: UInt32
    let number: MarkerNumber
    /// Its index among the markers of ``lastZoom``, or of the last zoom that is made here.
    let index: UInt32
    fileprivate(set) var firstZoom: Int8
    let lastZoom: Int8
    /// The index of its feature among those that parts have handed over; `nil` if its marker is known.
    var feature: UInt32?
}

/// The markers of all zooms that bundles are made from.
///
/// A class, because workers pass it along for every marker.
final class BundledMarkers: Sendable {
    /// From the first zoom to the last.
    private let bands: [TileBand]
    /// All zooms as one, to be cut into subtrees.
    let whole: TileBand
    /// Those of the cut zoom above, whose tiles another process writes; `nil` if there is none.
    let cut: TileBand?
    let source: MarkerSource
    private let hasOneBand: Bool
    /// Whether clusters are shown elsewhere than at their anchors.
    private let isDisplaced: Bool

    /// - Parameter bands: from the first zooms to the last, without parents.
    init(_ bands: [TileBand], cut: TileBand? = nil, of source: MarkerSource) {
        self.cut = cut
        self.bands = bands.flatMap { band in band.zooms.map { _ in band } }
        whole = TileBand(
            markers: bands.flatMap { band in band.zooms.map { band.markers(atZoom: $0) } }, clusters: bands[0].clusters)
        self.source = source
        hasOneBand = bands.count == 1 && cut == nil
        isDisplaced = bands.contains { band in band.zooms.contains { band.markers(atZoom: $0).isDisplaced } }
    }

    var zooms: ClosedRange<Int> { whole.zooms }

    func band(atZoom zoom: Int) -> TileBand {
        if zoom < zooms.lowerBound, let cut { return cut }
        return bands[zoom - zooms.lowerBound]
    }

    func markers(atZoom zoom: Int) -> ArrangedMarkers { band(atZoom: zoom).markers(atZoom: zoom) }

    /// Where a cluster is shown; `nil` for the place of its anchor.
    private func coordinate(ofMarker index: Int, atZoom zoom: Int) -> Coordinate? {
        guard isDisplaced else { return nil }
        return band(atZoom: zoom).coordinate(ofMarker: index, atZoom: zoom)
    }

    /// Shows markers of these zooms.
    func reader() -> MarkerReader {
        var reader = MarkerReader(source)
        reader.enter(bands[0])
        return reader
    }

    /// Moves to a marker of a zoom.
    func move(_ reader: inout MarkerReader, to number: MarkerNumber, index: Int, atZoom zoom: Int) {
        if !hasOneBand { reader.enter(band(atZoom: zoom)) }
        reader.move(to: number, shownAt: coordinate(ofMarker: index, atZoom: zoom))
    }

    /// What a marker shows: clusters that are shown as the same point are the same.
    @inline(__always)
    fileprivate func shownNumber(of number: MarkerNumber) -> MarkerNumber {
        guard source.mode == .filter, !source.keepsCount else { return number }
        return .point(Int(point(of: number)))
    }

    @inline(__always)
    fileprivate func point(of number: MarkerNumber) -> UInt32 {
        guard number.isCluster, let clusters = whole.clusters else { return UInt32(number.index) }
        return clusters.entry(number).anchorPoint
    }

    /// Whether a marker that is shown at two zooms has the same feature at both.
    @inline(__always)
    fileprivate func hasSameFeature(
        _ number: MarkerNumber, _ index: Int, atZoom zoom: Int, as other: Int, atZoom otherZoom: Int
    ) -> Bool {
        guard number.isCluster else { return true }
        let (band, otherBand) = (band(atZoom: zoom), band(atZoom: otherZoom))
        if band === otherBand { return true }
        if band.hasLeaves != otherBand.hasLeaves, let clusters = whole.clusters,
            source.content.leafPageCount(ofPoints: Int(clusters.entry(number).pointCount)) != nil
        {
            return false
        }
        let anchor = source.points.coordinate(Int(point(of: number)))
        return (coordinate(ofMarker: index, atZoom: zoom) ?? anchor)
            == (coordinate(ofMarker: other, atZoom: otherZoom) ?? anchor)
    }
}

/// The records of a subtree, and how many of them are shown in each of its tiles or below.
struct BundleRecords {
    /// A tile of the subtree.
    struct Tile {
        /// Its quadtree node at its zoom.
        let node: UInt64
        /// Its markers at its zoom.
        let markers: Range<Int>
        /// How many records are shown in it at its own and all deeper zooms.
        fileprivate(set) var recordCount: Int
    }

    /// In the order of code, first zoom and point, after ``sort()``.
    private(set) var records: [BundleRecord] = []
    /// What parts have handed over.
    private(set) var features: [UnsafeRawBufferPointer] = []
    /// By zoom, from the last to the first; in the order of their nodes.
    private(set) var tiles: [[Tile]] = []
    /// By marker of the zoom that was added last: its code, and the index of its record.
    private var above: [(code: UInt64, record: Int)] = []
    private var below: [(code: UInt64, record: Int)] = []
    /// The nodes at that zoom that show something there or below, in order, with the numbers of their records.
    private var nodes: [(node: UInt64, count: Int)] = []

    mutating func removeAll() {
        records.removeAll(keepingCapacity: true)
        features.removeAll(keepingCapacity: true)
        tiles.removeAll(keepingCapacity: true)
        above.removeAll(keepingCapacity: true)
        nodes.removeAll(keepingCapacity: true)
    }

    /// Adds the markers of a zoom; zooms come from the last to the first.
    mutating func add(_ range: Range<Int>, atZoom zoom: Int, of markers: BundledMarkers) {
        swap(&above, &below)
        above.removeAll(keepingCapacity: true)
        let zoomMarkers = markers.markers(atZoom: zoom)
        var tiles: [Tile] = []
        var place = 0
        var added: [(node: UInt64, count: Int)] = []
        for index in range {
            let code = zoomMarkers.code(of: index)
            let number = markers.shownNumber(of: zoomMarkers.numbers[index])
            while place < below.count, below[place].code < code { place += 1 }
            let same = record(of: number, index, code, from: place, atZoom: zoom, markers)
            if let same {
                records[same].firstZoom = Int8(zoom)
            } else {
                records.append(
                    BundleRecord(
                        code: code, point: markers.point(of: number), number: number, index: UInt32(index),
                        firstZoom: Int8(zoom), lastZoom: Int8(zoom)))
            }
            above.append((code, same ?? records.count - 1))

            let node = MortonCode(rawValue: code).node(atDepth: zoom)
            let isNew = same == nil ? 1 : 0
            if let last = tiles.last, last.node == node {
                tiles[tiles.count - 1] = Tile(node: node, markers: last.markers.lowerBound..<index + 1, recordCount: 0)
                added[added.count - 1].count += isNew
            } else {
                tiles.append(Tile(node: node, markers: index..<index + 1, recordCount: 0))
                added.append((node, isNew))
            }
        }
        climb(adding: added)
        var index = 0
        for number in tiles.indices {
            while nodes[index].node < tiles[number].node { index += 1 }
            tiles[number].recordCount = nodes[index].count
        }
        self.tiles.append(tiles)
    }

    /// The record of the zoom below that a marker continues.
    /// - Parameter place: the first marker of the zoom below at the code, or behind it.
    @inline(__always)
    private func record(
        of number: MarkerNumber, _ index: Int, _ code: UInt64, from place: Int, atZoom zoom: Int,
        _ markers: BundledMarkers
    ) -> Int? {
        var place = place
        while place < below.count, below[place].code == code {
            let record = records[below[place].record]
            if record.number == number {
                return markers.hasSameFeature(
                    number, index, atZoom: zoom, as: Int(record.index),
                    atZoom: min(Int(record.lastZoom), markers.zooms.upperBound))
                    ? below[place].record : nil
            }
            place += 1
        }
        return nil
    }

    /// Replaces the nodes by those of the zoom above.
    /// - Parameter added: how many records begin in each node there.
    private mutating func climb(adding added: [(node: UInt64, count: Int)]) {
        var parents: [(node: UInt64, count: Int)] = []
        parents.reserveCapacity(nodes.count)
        func add(_ node: UInt64, _ count: Int) {
            if let last = parents.last, last.node == node {
                parents[parents.count - 1].count += count
            } else {
                parents.append((node, count))
            }
        }
        var next = 0
        for (node, count) in nodes {
            let parent = node >> 2
            while next < added.count, added[next].node <= parent {
                add(added[next].node, added[next].count)
                next += 1
            }
            add(parent, count)
        }
        for (node, count) in added[next...] { add(node, count) }
        nodes = parents
    }

    /// How many of the records are shown in each tile of the zoom above the one added last, in the order of their nodes.
    var countsAbove: [(node: UInt64, count: Int)] {
        var counts: [(node: UInt64, count: Int)] = []
        for (node, count) in nodes {
            if let last = counts.last, last.node == node >> 2 {
                counts[counts.count - 1].count += count
            } else {
                counts.append((node >> 2, count))
            }
        }
        return counts
    }

    /// The records of a quadtree node, in order; after ``sort()``.
    func records(in codes: ClosedRange<UInt64>) -> ArraySlice<BundleRecord> {
        let start = records.partitioningIndex { $0.code >= codes.lowerBound }
        return records[start..<(start..<records.count).partitioningIndex { records[$0].code > codes.upperBound }]
    }

    /// Begins with what parts have handed over, before the cut zoom, the last one that is made here, is added.
    /// - Parameter limit: the most records of a bundle.
    mutating func begin(
        with cut: CutRecords, in codes: ClosedRange<UInt64>, of markers: BundledMarkers, limit: Int
    ) throws(OutputError) {
        let zoomMarkers = markers.markers(atZoom: cut.cutZoom)
        for tile in cut.tiles(in: codes) {
            let ofTile = try cut.records(of: tile)
            let deeperCount = ofTile.count { $0.lastZoom > cut.cutZoom }
            if deeperCount > 0 { nodes.append((tile.node << 2, deeperCount)) }
            var markerIndices = CutMarkers(zoomMarkers)
            for record in ofTile {
                if let feature = record.feature {
                    features.append(feature)
                    records.append(
                        BundleRecord(
                            code: record.code, point: record.point, number: .point(0), index: 0,
                            firstZoom: Int8(record.firstZoom), lastZoom: Int8(record.lastZoom),
                            feature: UInt32(features.count - 1)))
                    continue
                }
                guard let index = markerIndices.index(of: record), record.lastZoom > cut.cutZoom else { continue }
                // As if the zoom below had been added.
                let number = markers.shownNumber(of: zoomMarkers.numbers[index])
                above.append((record.code, records.count))
                records.append(
                    BundleRecord(
                        code: record.code, point: markers.point(of: number), number: number, index: UInt32(index),
                        firstZoom: Int8(cut.cutZoom + 1), lastZoom: Int8(record.lastZoom)))
            }
        }
        for node in cut.writtenNodes(in: codes) { nodes.append((node << 2, limit + 1)) }
        nodes.sort { $0.node < $1.node }
    }

    mutating func sort() {
        records.sort { ($0.code, $0.firstZoom, $0.point) < ($1.code, $1.firstZoom, $1.point) }
    }

    /// Calls `body` with the records of a bundle in the order in which it shows them.
    func forEach(in tile: TileCoordinate, _ body: (BundleRecord, _ firstZoom: Int) -> Void) {
        let codes = tile.codes
        let zoom = Int8(tile.z)
        var start = records.partitioningIndex { $0.code >= codes.lowerBound }
        while start < records.count, codes.contains(records[start].code) {
            var end = start + 1
            while end < records.count, records[end].code == records[start].code { end += 1 }
            // Most places have one record, which needs no sorting.
            if end - start == 1 {
                let record = records[start]
                if record.lastZoom >= zoom { body(record, Int(max(record.firstZoom, zoom))) }
                start = end
                continue
            }
            // What is above the bundle counts as from its zoom on, so that the points' order decides.
            for record in records[start..<end].filter({ $0.lastZoom >= zoom && $0.firstZoom <= zoom })
                .sorted(by: { $0.point < $1.point })
            {
                body(record, Int(zoom))
            }
            for record in records[start..<end] where record.firstZoom > zoom { body(record, Int(record.firstZoom)) }
            start = end
        }
    }
}

/// Finds the markers of the cut zoom that records of one tile stand for: at each place, both are in the same order.
struct CutMarkers {
    private let markers: ArrangedMarkers
    private var code: UInt64?
    private var index = 0

    init(_ markers: ArrangedMarkers) { self.markers = markers }

    /// The index of the marker of the next record of the cut zoom; records come in order.
    mutating func index(of record: CutRecord) -> Int? {
        if code == record.code {
            index += 1
        } else {
            code = record.code
            index = markers.firstIndex(notBelow: record.code, in: 0..<markers.count)
        }
        return index < markers.count && markers.code(of: index) == record.code ? index : nil
    }
}
