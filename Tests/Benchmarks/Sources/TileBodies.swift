import PyramidBuild
import PyramidParts
import PyramidStore
import PyramidTiles
import Synchronization

/// Drops tiles.
struct DroppingWriter: TilesetWriter {
    func write(_ bytes: UnsafeRawBufferPointer, to address: FileAddress, _ file: StoredFile) {}

    func finish(_ metadata: TilesetMetadata) -> TilesetOutcome { TilesetOutcome(manifest: metadata.manifest) }
}

/// All tiles of a pyramid as JSON in memory; bundles among them, each by its tile.
struct TileBodies: Sendable {
    /// By zoom, column and row.
    private(set) var tiles: [(tile: TileCoordinate, bytes: Range<Int>)] = []
    private(set) var bytes: [UInt8] = []

    /// - Parameter options: of the build; what they say of compression does not matter.
    init(of options: BuildOptions) throws {
        var options = options
        options.storage.compression = .none
        let writer = Writer()
        _ = try PyramidBuilder(options: options).build { _ in writer }
        self = writer.bodies.withLock { bodies in
            defer { bodies = TileBodies() }
            return bodies
        }
        tiles.sort { $0.tile < $1.tile }
    }

    private init() {}

    /// Leaves one of each that are the same.
    mutating func removeDuplicates() {
        var seen: Set<Int> = []
        let all = tiles
        tiles = bytes.withUnsafeBytes { bytes in
            all.filter { tile in
                var hasher = Hasher()
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[tile.bytes]))
                return seen.insert(hasher.finalize()).inserted
            }
        }
    }

    private final class Writer: TilesetWriter {
        let bodies = Mutex(TileBodies())

        func write(_ bytes: UnsafeRawBufferPointer, to address: FileAddress, _ file: StoredFile) {
            let tile = address.tile
            bodies.withLock { bodies in
                let start = bodies.bytes.count
                bodies.bytes.append(contentsOf: bytes)
                bodies.tiles.append((tile, start..<bodies.bytes.count))
            }
        }

        func finish(_ metadata: TilesetMetadata) -> TilesetOutcome { TilesetOutcome(manifest: metadata.manifest) }
    }
}
