import PyramidStore
import PyramidTiles

/// A record as a part hands it over, of a tile of the cut zoom that may be part of a bundle above.
struct CutRecord {
    /// Of the place where it is shown.
    let code: UInt64
    /// The cut zoom for a marker of that zoom, or a deeper one.
    let firstZoom: Int
    let lastZoom: Int
    /// The number of its point in the part, for the order of rows at one place.
    let point: UInt32
    /// Without zooms; `nil` for a marker of the cut zoom, which the join has itself.
    let feature: UnsafeRawBufferPointer?
}

extension CutRecord {
    /// Reads the records of a tile.
    /// - Parameter tile: of the cut zoom.
    /// - Returns: `nil` unless all are records of that tile.
    static func records(_ bytes: UnsafeRawBufferPointer, of tile: TileCoordinate, maxZoom: Int) -> [CutRecord]? {
        let codes = tile.codes
        var reader = PartBytes(bytes)
        var records: [CutRecord] = []
        var code: UInt64 = 0
        while !reader.isAtEnd {
            guard let step = reader.varint(), step <= codes.upperBound - code, code + step >= codes.lowerBound,
                let first = reader.count(), let last = reader.count(), first <= last, last <= maxZoom - tile.z,
                let point = reader.count(), point <= Int(UInt32.max)
            else { return nil }
            code += step
            var feature: UnsafeRawBufferPointer?
            if first > 0 {
                guard let length = reader.count(), let bytes = reader.bytes(length), GeoJSONTileEncoder.isFeature(bytes)
                else { return nil }
                feature = bytes
            }
            records.append(
                CutRecord(
                    code: code, firstZoom: tile.z + first, lastZoom: tile.z + last, point: UInt32(point),
                    feature: feature))
        }
        return records
    }
}

/// Writes the records of a tile one after the other, in the order of code, first zoom and point.
struct CutRecordWriter: ~Copyable {
    private(set) var bytes = ByteBuffer()
    private let cutZoom: Int
    private var code: UInt64 = 0

    init(cutZoom: Int) { self.cutZoom = cutZoom }

    mutating func removeAll() {
        bytes.removeAll()
        code = 0
    }

    /// - Parameters:
    ///   - zooms: at which it is shown, from the cut zoom on.
    ///   - feature: a range of `features`; not needed for a marker of the cut zoom.
    mutating func append(
        at code: UInt64, _ zooms: ClosedRange<Int>, point: UInt32, feature: Range<Int>,
        of features: borrowing ByteBuffer
    ) {
        bytes.append(varint: code - self.code)
        self.code = code
        bytes.append(varint: UInt64(zooms.lowerBound - cutZoom))
        bytes.append(varint: UInt64(zooms.upperBound - cutZoom))
        bytes.append(varint: UInt64(point))
        guard zooms.lowerBound > cutZoom else { return }
        bytes.append(varint: UInt64(feature.count))
        bytes.append(feature, of: features)
    }
}

/// What the parts say about the tiles of the cut zoom, for bundles at that zoom and above.
struct CutRecords: Sendable {
    /// A tile whose records were handed over.
    struct Tile: @unchecked Sendable {
        /// Its quadtree node at the cut zoom.
        let node: UInt64
        /// The records as they were written; valid as long as the parts are open.
        let bytes: UnsafeRawBufferPointer
    }

    let cutZoom: Int
    /// The last zoom of the tileset.
    let maxZoom: Int
    /// In the order of their nodes.
    let tiles: [Tile]
    /// The nodes at the cut zoom below which a part has written files, in order: they show too many records for a bundle.
    let writtenNodes: [UInt64]

    init(cutZoom: Int, maxZoom: Int, tiles: [Tile], writtenNodes: Set<UInt64>) {
        self.cutZoom = cutZoom
        self.maxZoom = maxZoom
        self.tiles = tiles.sorted { $0.node < $1.node }
        self.writtenNodes = writtenNodes.sorted()
    }

    /// The tiles within a quadtree node.
    func tiles(in codes: ClosedRange<UInt64>) -> ArraySlice<Tile> {
        let (first, last) = nodes(of: codes)
        let start = tiles.partitioningIndex { $0.node >= first }
        return tiles[start..<(start..<tiles.count).partitioningIndex { tiles[$0].node > last }]
    }

    func writtenNodes(in codes: ClosedRange<UInt64>) -> ArraySlice<UInt64> {
        let (first, last) = nodes(of: codes)
        let start = writtenNodes.partitioningIndex { $0 >= first }
        return writtenNodes[start..<(start..<writtenNodes.count).partitioningIndex { writtenNodes[$0] > last }]
    }

    private func nodes(of codes: ClosedRange<UInt64>) -> (first: UInt64, last: UInt64) {
        (
            MortonCode(rawValue: codes.lowerBound).node(atDepth: cutZoom),
            MortonCode(rawValue: codes.upperBound).node(atDepth: cutZoom)
        )
    }

    /// The records of a tile.
    /// - Throws: `OutputError` if they can't be read, though that was checked.
    func records(of tile: Tile) throws(OutputError) -> [CutRecord] {
        let coordinate = TileCoordinate(node: tile.node, atZoom: cutZoom)
        guard let records = CutRecord.records(tile.bytes, of: coordinate, maxZoom: maxZoom) else {
            throw unreadable(tile)
        }
        return records
    }

    private func unreadable(_ tile: Tile) -> OutputError {
        OutputError(
            .failed, TileCoordinate(node: tile.node, atZoom: cutZoom).description,
            "has records of a part that can't be read")
    }
}
