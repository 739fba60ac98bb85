import PyramidStore
import PyramidTiles
import Synchronization

/// Writes bundles, and the tiles above them; workers cut the pyramid into files, encode them, compress them and hand them
/// to the output.
///
/// A tile whose records number at most the limit, or of the last zoom, is a bundle, unless one above it is.
struct BundleWriter: Sendable {
    let encoding: EncodingOptions
    let storage: TileStorage
    /// The most records of a bundle above the last zoom.
    let limit: Int
    let compressionLevel: Int
    let jobs: Int
    let output: any TilesetFileWriter
    /// How many markers of all zooms a worker takes at a time.
    let markersPerSubtree: Int
    /// The last zoom of the tileset.
    let maxZoom: Int
    /// What parts have handed over of the zooms beyond those of the markers; `nil` if nothing is beyond them.
    var cutRecords: CutRecords?

    /// What was written.
    struct Written: Sendable {
        /// In no particular order, as are the bundles.
        var tiles: [TileList.Entry] = []
        var bundles: [BundleList.Entry] = []
        /// Tiles and bundles.
        var largest = LargestTiles()
        /// How many tiles each zoom has, in a file of their own or in a bundle; from the first zoom on.
        var tileCounts: [Int]

        fileprivate mutating func append(_ other: Written) {
            tiles += other.tiles
            bundles += other.bundles
            largest.add(other.largest)
            for index in tileCounts.indices { tileCounts[index] += other.tileCounts[index] }
        }
    }

    /// Writes all files of a pyramid.
    /// - Parameter progress: is called by any worker with the numbers of tiles and markers written since the last call.
    func write(
        _ markers: BundledMarkers, progress: @escaping @Sendable (_ tiles: Int, _ markers: Int) -> Void
    ) throws -> Written {
        // What shows more markers than this has too many records for a bundle, so no bundle is cut.
        let subtrees = markers.whole.subtrees(markerLimit: max(markersPerSubtree, limit * markers.zooms.count))
        let none = Written(tileCounts: [Int](repeating: 0, count: markers.zooms.count))
        let written = Mutex(none)
        try SharedWork(jobs: jobs).forEach(count: subtrees.count) {
            BundleWorker(writer: self, markers: markers, none: none)
        } _: { worker, index in
            let part = try worker.write(subtrees[index])
            progress(part.tileCounts.reduce(0, +), subtrees[index].markerCount)
            written.withLock { $0.append(part) }
        }
        var all = written.withLock { $0 }
        if let cutRecords {
            all.append(try write(cutRecords, beside: all.bundles.map(\.address.tile.codes), markers))
        }
        return all
    }

    /// Writes bundles beyond the cut zoom of what parts have handed over, where none above it shows them.
    /// - Parameter bundles: the codes of those.
    private func write(
        _ cutRecords: CutRecords, beside bundles: [ClosedRange<UInt64>], _ markers: BundledMarkers
    ) throws -> Written {
        let bundles = bundles.sorted { $0.lowerBound < $1.lowerBound }
        let rest = cutRecords.tiles.filter { tile in
            let code = TileCoordinate(node: tile.node, atZoom: cutRecords.cutZoom).codes.lowerBound
            let index = bundles.partitioningIndex { $0.upperBound >= code }
            return index == bundles.count || !bundles[index].contains(code)
        }
        let none = Written(tileCounts: [Int](repeating: 0, count: markers.zooms.count))
        let written = Mutex(none)
        try SharedWork(jobs: jobs).forEach(count: rest.count) {
            BundleWorker(writer: self, markers: markers, none: none)
        } _: { worker, index in
            let part = try worker.write(rest[index], of: cutRecords)
            written.withLock { $0.append(part) }
        }
        return written.withLock { $0 }
    }
}

/// Writes the files of some subtrees, with buffers of its own.
private struct BundleWorker: ~Copyable {
    private let writer: BundleWriter
    private let markers: BundledMarkers
    private let none: BundleWriter.Written
    private var written: BundleWriter.Written

    private var encoder: GeoJSONTileEncoder
    private var compressor: BodyCompressor
    private var existing = ExistingTile()
    private var marker: MarkerReader
    private var records = BundleRecords()

    init(writer: BundleWriter, markers: BundledMarkers, none: BundleWriter.Written) {
        self.writer = writer
        self.markers = markers
        self.none = none
        written = none
        encoder = GeoJSONTileEncoder(writer.encoding)
        compressor = BodyCompressor(writer.storage.compression, level: writer.compressionLevel)
        marker = MarkerReader(markers.source)
    }

    mutating func write(_ subtree: TileSubtree) throws -> BundleWriter.Written {
        written = none
        let isAboveBundles = subtree.zooms.upperBound < markers.zooms.upperBound
        records.removeAll()
        if let cut = writer.cutRecords, !isAboveBundles {
            try records.begin(with: cut, in: subtree.codes, of: markers, limit: writer.limit)
        }
        for zoom in subtree.zooms.reversed() {
            records.add(subtree.range(atZoom: zoom), atZoom: zoom, of: markers)
        }
        // The codes under bundles, and of tiles of the cut zoom that are handed over, in order.
        var covered: [ClosedRange<UInt64>] = []
        if let cut = markers.cut, subtree.depth < markers.zooms.lowerBound {
            covered = try handOver(subtree, cutZoom: cut.zooms.lowerBound)
        }
        records.sort()

        for (zoom, tiles) in zip(subtree.zooms, records.tiles.prefix(subtree.zooms.count).reversed()) {
            written.tileCounts[zoom - markers.zooms.lowerBound] += tiles.count
            var bundles: [ClosedRange<UInt64>] = []
            for tile in tiles {
                let coordinate = TileCoordinate(node: tile.node, atZoom: zoom)
                let codes = coordinate.codes
                let index = covered.partitioningIndex { $0.upperBound >= codes.lowerBound }
                if index < covered.count, covered[index].contains(codes.lowerBound) { continue }
                if !isAboveBundles, tile.recordCount <= writer.limit || zoom == writer.maxZoom {
                    try writeBundle(coordinate)
                    bundles.append(codes)
                } else {
                    try write(tile, coordinate)
                }
            }
            if !bundles.isEmpty { covered = (covered + bundles).sorted { $0.lowerBound < $1.lowerBound } }
        }
        return written
    }

    private mutating func writeBundle(_ tile: TileCoordinate) throws {
        encoder.begin(tile)
        var shown: [BundleRecord] = []
        // A copy of the references, so that the buffers can change meanwhile.
        let records = self.records
        records.forEach(in: tile) { record, firstZoom in
            let lastZoom = Int(record.lastZoom)
            setZooms(firstZoom...lastZoom, of: tile)
            if let feature = record.feature {
                encoder.append(feature: records.features[Int(feature)])
            } else {
                markers.move(
                    &marker, to: record.number, index: Int(record.index),
                    atZoom: min(lastZoom, markers.zooms.upperBound))
                encoder.append(&marker)
            }
            shown.append(record)
        }
        finishBundle()
        let file = try store(.bundle(tile), markerCount: shown.count)
        written.bundles.append(BundleList.Entry(address: BundleAddress(tile), file: file))
        if written.largest.includes(markerCount: shown.count, countedBytes: file.byteCount) {
            written.largest.add(
                tile, file, shown.map(\.code)[...], shown.map(\.number)[...], unclustered: markers.source.unclustered)
        }
    }

    /// Says at which zooms the next feature of a bundle is shown.
    private mutating func setZooms(_ zooms: ClosedRange<Int>, of tile: TileCoordinate) {
        encoder.firstZoom = zooms.lowerBound == tile.z ? nil : zooms.lowerBound
        encoder.lastZoom = zooms.upperBound == writer.maxZoom ? nil : zooms.upperBound
    }

    private mutating func finishBundle() {
        encoder.firstZoom = nil
        encoder.lastZoom = nil
        encoder.finish()
    }

    /// Hands over the records of tiles of the cut zoom that may become part of a bundle there or above.
    /// - Returns: the codes of these tiles, in order.
    private mutating func handOver(_ subtree: TileSubtree, cutZoom: Int) throws -> [ClosedRange<UInt64>] {
        let few = records.countsAbove.filter { $0.count <= writer.limit }.map(\.node)
        let zoomMarkers = markers.markers(atZoom: cutZoom)
        let start = zoomMarkers.firstIndex(notBelow: subtree.codes.lowerBound, in: 0..<zoomMarkers.count)
        let end = zoomMarkers.numbers.indices.partitioningIndex { zoomMarkers.code(of: $0) > subtree.codes.upperBound }
        records.add(start..<end, atZoom: cutZoom, of: markers)
        records.sort()
        let records = self.records
        var features = ByteBuffer()
        var bytes = CutRecordWriter(cutZoom: cutZoom)
        var handedOver: [ClosedRange<UInt64>] = []
        for node in few {
            let tile = TileCoordinate(node: node, atZoom: cutZoom)
            bytes.removeAll()
            for record in records.records(in: tile.codes) {
                features.removeAll()
                var feature = 0..<0
                if Int(record.firstZoom) > cutZoom {
                    encoder.begin(tile)
                    markers.move(&marker, to: record.number, index: Int(record.index), atZoom: Int(record.lastZoom))
                    encoder.append(&marker)
                    feature = encoder.appendLastFeature(to: &features)
                }
                bytes.append(
                    at: record.code, Int(record.firstZoom)...Int(record.lastZoom), point: record.point,
                    feature: feature, of: features)
            }
            try bytes.bytes.withUnsafeBytes { bytes in
                let crc32 = Gzip.crc32(bytes)
                // No bundle lies at the cut zoom before the parts are joined.
                try writer.output.write(
                    bytes, to: .bundle(tile),
                    StoredFile(byteCount: bytes.count, crc32: crc32, bodyByteCount: bytes.count, bodyCRC32: crc32))
            }
            handedOver.append(tile.codes)
        }
        return handedOver
    }

    /// Writes the bundles beyond the cut zoom of what a part has handed over.
    mutating func write(_ tile: CutRecords.Tile, of cut: CutRecords) throws -> BundleWriter.Written {
        written = none
        var indices = CutMarkers(markers.markers(atZoom: cut.cutZoom))
        let all = try cut.records(of: tile).map { record in
            (record: record, marker: record.feature == nil ? indices.index(of: record) : nil)
        }
        let deeper = all.filter { $0.record.lastZoom > cut.cutZoom }
        let coordinate = TileCoordinate(node: tile.node, atZoom: cut.cutZoom)
        try writeBundles(below: coordinate, deeper[...], cutZoom: cut.cutZoom)
        return written
    }

    /// - Parameter records: of the tile and the zooms below it, in the order of code, first zoom and point, each with the
    ///   index of its marker at the cut zoom if it is one.
    private mutating func writeBundles(
        below tile: TileCoordinate, _ records: ArraySlice<(record: CutRecord, marker: Int?)>, cutZoom: Int
    ) throws {
        var rest = records
        for child in 4 * tile.node..<4 * tile.node + 4 {
            let coordinate = TileCoordinate(node: child, atZoom: tile.z + 1)
            let last = coordinate.codes.upperBound
            let end = (rest.startIndex..<rest.endIndex).partitioningIndex { rest[$0].record.code > last }
            let inside = rest[..<end]
            rest = rest[end...]
            guard !inside.isEmpty else { continue }
            let isShown = inside.contains { ($0.record.firstZoom...$0.record.lastZoom).contains(coordinate.z) }
            if isShown {
                try writeBundle(coordinate, inside, cutZoom: cutZoom)
            } else {
                try writeBundles(below: coordinate, inside, cutZoom: cutZoom)
            }
        }
    }

    private mutating func writeBundle(
        _ tile: TileCoordinate, _ records: ArraySlice<(record: CutRecord, marker: Int?)>, cutZoom: Int
    ) throws {
        encoder.begin(tile)
        var shown: [UInt64] = []
        var start = records.startIndex
        while start < records.endIndex {
            let code = records[start].record.code
            let end = (start..<records.endIndex).partitioningIndex { records[$0].record.code > code }
            // As in `BundleRecords.forEach`.
            let ofPlace = records[start..<end]
            let sorted =
                ofPlace.filter { $0.record.firstZoom <= tile.z && $0.record.lastZoom >= tile.z }
                .sorted { $0.record.point < $1.record.point } + ofPlace.filter { $0.record.firstZoom > tile.z }
            for (record, index) in sorted {
                setZooms(max(record.firstZoom, tile.z)...record.lastZoom, of: tile)
                if let feature = record.feature {
                    encoder.append(feature: feature)
                } else if let index {
                    let number = markers.markers(atZoom: cutZoom).numbers[index]
                    markers.move(&marker, to: number, index: index, atZoom: cutZoom)
                    encoder.append(&marker)
                }
                shown.append(code)
            }
            start = end
        }
        finishBundle()
        let file = try store(.bundle(tile), markerCount: shown.count)
        written.bundles.append(BundleList.Entry(address: BundleAddress(tile), file: file))
        written.largest.add(
            tile, file, shown[...], [MarkerNumber](repeating: .cluster(0), count: shown.count)[...],
            unclustered: markers.source.unclustered)
    }

    private mutating func write(_ tile: BundleRecords.Tile, _ coordinate: TileCoordinate) throws {
        encoder.begin(coordinate)
        let zoomMarkers = markers.whole.markers(atZoom: coordinate.z)
        for index in tile.markers {
            markers.move(&marker, to: zoomMarkers.numbers[index], index: index, atZoom: coordinate.z)
            encoder.append(&marker)
        }
        encoder.finish()
        let file = try store(.tile(coordinate), markerCount: tile.markers.count)
        written.tiles.append(TileList.Entry(address: coordinate, file: file))
        if written.largest.includes(markerCount: tile.markers.count, countedBytes: file.byteCount) {
            written.largest.add(
                coordinate, file, tile.markers.map { zoomMarkers.code(of: $0) }[...], zoomMarkers.numbers[tile.markers],
                unclustered: markers.source.unclustered)
        }
    }

    private mutating func store(_ address: FileAddress, markerCount: Int) throws -> StoredFile {
        try encoder.checkSize(of: address, markerCount: markerCount)
        return try compressor.store(encoder) { json, crc32 in
            writer.output.keep(address, with: json, crc32: crc32, using: &existing)
        } _: { bytes, file in
            try writer.output.write(bytes, to: address, file)
        }
    }
}
