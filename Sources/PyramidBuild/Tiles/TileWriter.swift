import PyramidStore
import PyramidTiles
import Synchronization

/// Cuts zooms into tiles; workers encode them, compress them and hand them to the output.
struct TileWriter: Sendable {
    let source: MarkerSource
    let encoding: EncodingOptions
    let storage: TileStorage
    let compressionLevel: Int
    let jobs: Int
    let output: any TilesetFileWriter
    /// How many markers of all zooms a worker takes at a time.
    let markersPerSubtree: Int

    /// Few enough for the worker's buffers to stay in the processor's cache.
    static let usualMarkersPerSubtree = 4096

    /// Writes all the tiles of a band of zooms.
    /// - Parameter progress: is called by any worker with the numbers of tiles and markers written since the last call.
    func write(
        _ band: TileBand, progress: @escaping @Sendable (_ tiles: Int, _ markers: Int) -> Void
    ) throws -> Written {
        switch storage.format {
        case .geojson: try write(band, with: GeoJSONTileEncoder.self, progress)
        case .mvt: try write(band, with: MVTTileEncoder.self, progress)
        }
    }

    /// What was written of a band.
    struct Written: Sendable {
        /// In no particular order.
        var tiles: [TileList.Entry] = []
        var largest = LargestTiles()
        /// The types of the property that holds ids.
        var idTypes: PropertyTypes = []
    }

    private func write<Encoder: TileEncoder & ~Copyable>(
        _ band: TileBand, with encoder: Encoder.Type,
        _ progress: @escaping @Sendable (_ tiles: Int, _ markers: Int) -> Void
    ) throws -> Written {
        let subtrees = band.subtrees(markerLimit: markersPerSubtree)
        let written = Mutex(Written())
        // More than enough, as no tile is without a marker; memory that is never touched costs nothing.
        written.withLock { $0.tiles.reserveCapacity(subtrees.reduce(0) { $0 + $1.markerCount }) }
        try SharedWork(jobs: jobs).forEach(count: subtrees.count) {
            TileWorker<Encoder>(writer: self, band: band)
        } _: { worker, index in
            let (tiles, largest, idTypes) = try worker.write(subtrees[index])
            progress(tiles.count, subtrees[index].markerCount)
            written.withLock {
                $0.tiles += tiles
                $0.largest.add(largest)
                $0.idTypes.formUnion(idTypes)
            }
        }
        return written.withLock { $0 }
    }
}

/// Writes the tiles of some subtrees, with buffers of its own.
///
/// A subtree is written from the last zoom to the first, so that a zoom can reuse the work of the one below: the
/// feature of a marker that is still there, and, if the encoder writes the same at every zoom, the file of a tile whose
/// markers are all of one child.
private struct TileWorker<Encoder: TileEncoder & ~Copyable>: ~Copyable {
    private let writer: TileWriter
    private let band: TileBand
    /// The tiles of the current subtree.
    private var written: [TileList.Entry] = []
    /// The largest tiles of all its subtrees.
    private var largest = LargestTiles()

    private var encoder: Encoder
    private var compressor: BodyCompressor
    private var existing = ExistingTile()
    private var marker: MarkerReader

    private var layer = MarkerLayer()
    private var below = MarkerLayer()
    /// The features of the subtree's markers, and the files of its tiles.
    private var features = ByteBuffer(capacity: 1 << 16)
    private var bodies = ByteBuffer(capacity: 1 << 16)

    init(writer: TileWriter, band: TileBand) {
        self.writer = writer
        self.band = band
        compressor = BodyCompressor(writer.storage, level: writer.compressionLevel)
        encoder = Encoder(writer.encoding)
        marker = MarkerReader(writer.source)
        marker.enter(band)
    }

    mutating func write(
        _ subtree: TileSubtree
    ) throws -> (tiles: [TileList.Entry], largest: LargestTiles, idTypes: PropertyTypes) {
        written.removeAll(keepingCapacity: true)
        features.removeAll()
        bodies.removeAll()
        below.removeAll()
        for zoom in subtree.zooms.reversed() {
            let markers = band.markers(atZoom: zoom)
            layer.begin(markers, subtree.range(atZoom: zoom), zoom: zoom, over: below)
            for index in layer.tilesByColumn() {
                if Encoder.isSameAtEveryZoom, let same = layer.sameTile(as: index, in: below) {
                    try writeAgain(same, as: index)
                } else {
                    // The files and features of the first zoom are of no use any more.
                    try write(
                        index, in: markers, from: subtree.range(atZoom: zoom).lowerBound,
                        isKept: zoom > subtree.zooms.lowerBound)
                }
            }
            swap(&layer, &below)
        }
        return (written, largest, encoder.idTypes)
    }

    /// Writes a tile that has the bytes of another.
    private mutating func writeAgain(_ same: MarkerLayer.Tile, as index: Int) throws {
        guard let file = same.file else { preconditionFailure("a tile that was not written") }
        let tile = layer.tiles[index].coordinate
        try bodies.withUnsafeBytes {
            try writer.output.write(
                UnsafeRawBufferPointer(rebasing: $0[same.body]), to: tile, file, sameAs: same.coordinate)
        }
        add(index, file)
        layer.tiles[index].body = same.body
    }

    /// Writes a tile of the layer.
    /// - Parameter first: of the layer's markers among those of the zoom.
    private mutating func write(
        _ index: Int, in zoomMarkers: ArrangedMarkers, from first: Int, isKept: Bool
    ) throws {
        let (tile, markers) = (layer.tiles[index].coordinate, layer.tiles[index].markers)
        encoder.begin(tile)
        for index in markers {
            let place = MortonCode(rawValue: layer.codes[index]).point
            guard layer.features[index].isEmpty else {
                encoder.append(feature: layer.features[index], of: features, at: place)
                continue
            }
            marker.move(to: layer.numbers[index], shownAt: zoomMarkers.coordinate(of: first + index))
            marker.place = place
            encoder.append(&marker)
            if isKept { layer.features[index] = encoder.appendLastFeature(to: &features) }
        }
        encoder.finish()
        try encoder.checkSize(of: .tile(tile), markerCount: markers.count)

        let bodyStart = bodies.count
        let file = try compressor.store(encoder) { json, crc32 in
            let kept = writer.output.keep(.tile(tile), with: json, crc32: crc32, using: &existing)
            if kept != nil, isKept, Encoder.isSameAtEveryZoom { bodies.append(existing.stored) }
            return kept
        } _: { bytes, file in
            try writer.output.write(bytes, to: .tile(tile), file)
            if isKept, Encoder.isSameAtEveryZoom { bodies.append(bytes) }
        }
        add(index, file)
        layer.tiles[index].body = bodyStart..<bodies.count
    }

    /// Notes a tile of the layer that was written.
    private mutating func add(_ index: Int, _ file: StoredFile) {
        let (tile, markers) = (layer.tiles[index].coordinate, layer.tiles[index].markers)
        layer.tiles[index].file = file
        written.append(TileList.Entry(address: tile, file: file))
        largest.add(tile, file, layer.codes[markers], layer.numbers[markers], unclustered: writer.source.unclustered)
    }
}

extension TileEncoder where Self: ~Copyable {
    /// Throws if a tile or bundle is too large for readers; such a file is not written.
    func checkSize(of address: FileAddress, markerCount: Int) throws(OutputError) {
        let byteCount = withUnsafeBytes { $0.count }
        guard byteCount > TileStorage.tileLimitBytes else { return }
        throw OutputError(tooLarge: address, markerCount: markerCount, byteCount: byteCount)
    }
}
