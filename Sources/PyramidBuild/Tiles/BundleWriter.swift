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

        mutating func append(_ other: Written) {
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
}

/// Writes the files of some subtrees, with buffers of its own.
struct BundleWorker: ~Copyable {
    let writer: BundleWriter
    let markers: BundledMarkers
    let none: BundleWriter.Written
    var written: BundleWriter.Written

    var encoder: GeoJSONTileEncoder
    private var compressor: BodyCompressor
    private var existing = ExistingTile()
    var marker: MarkerReader
    var records = BundleRecords()

    init(writer: BundleWriter, markers: BundledMarkers, none: BundleWriter.Written) {
        self.writer = writer
        self.markers = markers
        self.none = none
        written = none
        encoder = GeoJSONTileEncoder(writer.encoding)
        compressor = BodyCompressor(writer.storage, level: writer.compressionLevel)
        marker = markers.reader()
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
        // Copies of the references, so that the buffers can change meanwhile, and nobody counts them for every record.
        let (records, markers) = (self.records, self.markers)
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
    mutating func setZooms(_ zooms: ClosedRange<Int>, of tile: TileCoordinate) {
        encoder.firstZoom = zooms.lowerBound == tile.z ? nil : zooms.lowerBound
        encoder.lastZoom = zooms.upperBound == writer.maxZoom ? nil : zooms.upperBound
    }

    mutating func finishBundle() {
        encoder.firstZoom = nil
        encoder.lastZoom = nil
        encoder.finish()
    }

    private mutating func write(_ tile: BundleRecords.Tile, _ coordinate: TileCoordinate) throws {
        encoder.begin(coordinate)
        let markers = self.markers
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

    mutating func store(_ address: FileAddress, markerCount: Int) throws -> StoredFile {
        try encoder.checkSize(of: address, markerCount: markerCount)
        return try compressor.store(encoder) { json, crc32 in
            writer.output.keep(address, with: json, crc32: crc32, using: &existing)
        } _: { bytes, file in
            try writer.output.write(bytes, to: address, file)
        }
    }
}
