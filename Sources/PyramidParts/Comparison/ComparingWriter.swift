import PyramidStore
import PyramidTiles
import Synchronization

/// Compares what a build writes with the checksums of a tileset, and writes nothing.
///
/// Two files are the same if the JSON or MVT in them is, because another version of zlib compresses it otherwise. So files
/// with the right content aren't even compressed.
final class ComparingWriter: TilesetWriter {
    private struct State {
        var bodies: [FileAddress: [UInt8]] = [:]
        var metadata: TilesetMetadata?
    }

    private let tileset: any TilesetReader
    /// The tileset's.
    let list: FileList
    private let state = Mutex(State())

    /// How many bodies that differ are kept.
    static let keptBodies = 10

    /// - Parameter list: of the tileset.
    init(_ tileset: any TilesetReader, _ list: FileList) { (self.tileset, self.list) = (tileset, list) }

    /// The built content of the first files that differ.
    var bodies: [FileAddress: [UInt8]] { state.withLock { $0.bodies } }
    /// What the build would have written beside the tiles; `nil` if it has failed.
    var metadata: TilesetMetadata? { state.withLock { $0.metadata } }

    func keep(
        _ address: FileAddress, with json: UnsafeRawBufferPointer, crc32: UInt32, using existing: inout ExistingTile
    ) -> StoredFile? {
        guard let file = list.file(at: address), file.bodyCRC32 == crc32, file.bodyByteCount == json.count else {
            return nil
        }
        return file
    }

    func write(_ bytes: UnsafeRawBufferPointer, to address: FileAddress, _ file: StoredFile) throws {
        try note(address, file) { try body(bytes, file) }
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, to tile: TileCoordinate, _ file: StoredFile, sameAs other: TileCoordinate
    ) throws {
        try note(.tile(tile), file) {
            // There are no bytes of a tile that was kept.
            let isKept = list.file(at: .tile(other))?.hasSameBody(as: file) ?? false
            return try isKept ? tileset.body(of: .tile(other)) ?? [] : body(bytes, file)
        }
    }

    func finish(_ metadata: TilesetMetadata) -> TilesetOutcome {
        state.withLock { $0.metadata = metadata }
        return TilesetOutcome(manifest: metadata.manifest)
    }

    private func body(_ bytes: UnsafeRawBufferPointer, _ file: StoredFile) throws -> [UInt8] {
        tileset.storage.compression == .none
            ? Array(bytes) : try Gzip.decompress(Array(bytes), limitBytes: file.bodyByteCount)
    }

    /// Keeps the content of a file that differs if it is among the first ones.
    private func note(_ address: FileAddress, _ file: StoredFile, _ body: () throws -> [UInt8]) throws {
        guard let stored = list.file(at: address), !stored.hasSameBody(as: file) else { return }
        let isAmongFirst = state.withLock { state in
            state.bodies.count < ComparingWriter.keptBodies || state.bodies.keys.contains { address < $0 }
        }
        guard isAmongFirst else { return }
        let body = try body()
        state.withLock { state in
            state.bodies[address] = body
            if state.bodies.count > ComparingWriter.keptBodies, let last = state.bodies.keys.max() {
                state.bodies[last] = nil
            }
        }
    }
}

extension StoredFile {
    /// Whether the JSON or MVT has the same size and checksum.
    func hasSameBody(as other: StoredFile) -> Bool {
        bodyByteCount == other.bodyByteCount && bodyCRC32 == other.bodyCRC32
    }
}
