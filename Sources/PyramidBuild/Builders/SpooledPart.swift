import PyramidStore
import PyramidTiles
import Synchronization

/// Writes a part's files to the tileset, and what the part hands over to a temporary file.
struct SpooledPartSink: PipelineSink {
    let partFiles: SpooledPartFiles
    let part: WorldPart
    /// The points that never merge.
    let unclustered: Range<Int>

    var files: any TilesetFileWriter { partFiles }

    func finish(_ built: consuming BuiltTiles) throws -> SpooledPart {
        guard let handOver = built.handOver else { preconditionFailure("the cut zoom is clustered") }
        let options = built.options.build
        try handOver.writePlaces(to: partFiles.part)
        var input = Manifest.InputSummary(built.facts.report, digest: "0")
        input.rowsAccepted = handOver.ownPoints.count
        let manifest = PartManifest(
            compressor: "", cutZoom: part.cutZoom, options: options, part: part.tile, rowCount: handOver.rowCount,
            input: input, bounds: handOver.bounds,
            unclusteredPoints: handOver.ownPoints.count { unclustered.contains($0) },
            zooms: built.written.zooms, largest: built.written.largest, idTypes: built.written.idTypes.rawValue)
        try partFiles.part.finish()
        return SpooledPart(
            manifest: manifest, cutTiles: partFiles.cutTiles, separation: built.separation,
            warnings: built.countedWarnings)
    }

    /// The whole build is abandoned.
    func abandon() {}
}

/// What the build of a part has done.
struct SpooledPart {
    let manifest: PartManifest
    let cutTiles: [TileCoordinate]
    let separation: PlaceSeparation?
    let warnings: [CountedWarning]
}

/// Passes the finished files of a part on to the tileset.
final class SpooledPartFiles: TilesetFileWriter {
    let part: PartFileWriter
    private let tileset: any TilesetFileWriter
    private let cutZoom: Int
    private let finished = Mutex<Set<TileCoordinate>>([])

    init(_ part: PartFileWriter, _ tileset: any TilesetFileWriter, cutZoom: Int) {
        (self.part, self.tileset, self.cutZoom) = (part, tileset, cutZoom)
    }

    /// The tiles of the cut zoom that contain finished files.
    var cutTiles: [TileCoordinate] { finished.withLock { Array($0) } }

    func write(_ bytes: UnsafeRawBufferPointer, to address: FileAddress, _ file: StoredFile) throws {
        // Unfinished bundles have no body.
        guard file.bodyByteCount > 0 else { return try part.write(bytes, to: address, file) }
        note(address)
        try tileset.write(bytes, to: address, file)
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, to tile: TileCoordinate, _ file: StoredFile, sameAs other: TileCoordinate
    ) throws {
        note(.tile(tile))
        try tileset.write(bytes, to: tile, file, sameAs: other)
    }

    func keep(
        _ address: FileAddress, with json: UnsafeRawBufferPointer, crc32: UInt32, using existing: inout ExistingTile
    ) -> StoredFile? {
        let kept = tileset.keep(address, with: json, crc32: crc32, using: &existing)
        if kept != nil { note(address) }
        return kept
    }

    private func note(_ address: FileAddress) {
        guard let tile = address.tile, address.kind != .page else { return }
        let cutTile = TileCoordinate(node: tile.node >> UInt64(2 * (tile.z - cutZoom)), atZoom: cutZoom)
        _ = finished.withLock { $0.insert(cutTile) }
    }
}
