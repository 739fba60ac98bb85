import PyramidClusters
import PyramidStore
import PyramidTiles

/// Stores the files that an encoder has finished, and lists them, for one worker.
struct TileFiles: ~Copyable {
    private let writer: TileWriter
    private var compressor: BodyCompressor
    private var existing = ExistingTile()
    /// The bytes of files that are kept for tiles of lower zooms.
    private var bodies = ByteBuffer(capacity: 1 << 16)
    /// Of the current subtree, in no particular order.
    private(set) var entries: [FileList.Entry] = []
    /// The figures of the current subtree, and the largest tiles of all subtrees so far.
    var written: TileWriter.Written

    init(_ writer: TileWriter, _ zooms: ClosedRange<Int>) {
        self.writer = writer
        compressor = BodyCompressor(writer.storage, level: writer.compressionLevel)
        written = TileWriter.Written(zooms.lowerBound...writer.maxZoom)
    }

    /// Begins a subtree.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        written.removeFigures()
        bodies.removeAll()
    }

    /// Stores a tile of a layer.
    /// - Parameter isKept: whether a tile of the next lower zoom may have the same bytes.
    mutating func store<Encoder: TileEncoder & ~Copyable>(
        _ encoder: borrowing Encoder, as index: Int, of layer: inout MarkerLayer, isKept: Bool
    ) throws -> StoredFile {
        let tile = layer.tiles[index]
        let start = bodies.count
        let file = try store(
            encoder, .tile(tile.coordinate), markerCount: tile.markers.count,
            isKept: isKept && Encoder.isSameAtEveryZoom)
        layer.tiles[index].body = start..<bodies.count
        list(file, as: index, of: &layer)
        return file
    }

    /// Stores a tile of a layer that has the bytes of another tile.
    mutating func store(
        _ file: StoredFile, of other: MarkerLayer.Tile, as index: Int, of layer: inout MarkerLayer
    ) throws {
        let origin = other.origin ?? other.coordinate
        try bodies.withUnsafeBytes {
            try writer.output.write(
                UnsafeRawBufferPointer(rebasing: $0[other.body]), to: layer.tiles[index].coordinate, file,
                sameAs: origin)
        }
        (layer.tiles[index].body, layer.tiles[index].origin) = (other.body, origin)
        list(file, as: index, of: &layer)
    }

    /// Stores a bundle.
    mutating func store<Encoder: TileEncoder & ~Copyable>(
        _ encoder: borrowing Encoder, as bundle: TileCoordinate, _ records: ArraySlice<BundleFold.Record>
    ) throws -> StoredFile {
        let file = try store(encoder, .bundle(bundle), markerCount: records.count, isKept: false)
        list(.bundle(bundle), file, records.lazy.map(\.code), records.lazy.map(\.number))
        return file
    }

    /// Stores what the encoder has finished, unless the output has the same file already.
    private mutating func store<Encoder: TileEncoder & ~Copyable>(
        _ encoder: borrowing Encoder, _ address: FileAddress, markerCount: Int, isKept: Bool
    ) throws -> StoredFile {
        try encoder.checkSize(of: address, markerCount: markerCount)
        return try compressor.store(encoder) { body, crc32 in
            let kept = writer.output.keep(address, with: body, crc32: crc32, using: &existing)
            if kept != nil, isKept { bodies.append(existing.stored) }
            return kept
        } _: { bytes, file in
            try writer.output.write(bytes, to: address, file)
            if isKept { bodies.append(bytes) }
        }
    }

    private mutating func list(_ file: StoredFile, as index: Int, of layer: inout MarkerLayer) {
        let tile = layer.tiles[index]
        layer.tiles[index].file = file
        list(.tile(tile.coordinate), file, layer.codes[tile.markers], layer.numbers[tile.markers])
    }

    private mutating func list(
        _ address: FileAddress, _ file: StoredFile, _ codes: some Collection<UInt64>,
        _ numbers: some Collection<MarkerNumber>
    ) {
        let entry = FileList.Entry(address: address, file: file)
        entries.append(entry)
        written.add(entry)
        written.largest.add(address.tile, file, codes, numbers, unclustered: writer.data.unclustered)
    }
}

extension TileEncoder where Self: ~Copyable {
    /// Throws if a file is too large for readers; such a file is not written.
    fileprivate func checkSize(of address: FileAddress, markerCount: Int) throws(OutputError) {
        let byteCount = withUnsafeBytes { $0.count }
        guard byteCount > TileStorage.tileLimitBytes else { return }
        throw OutputError(tooLarge: address, markerCount: markerCount, byteCount: byteCount)
    }
}
