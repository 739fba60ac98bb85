import PyramidBuild
import PyramidStore
import PyramidTiles
import Synchronization

/// Drops tiles.
struct DroppingSink: TileSink {
    func write(_ bytes: UnsafeRawBufferPointer, for entry: TileList.Entry) {}
    func write(_ bytes: UnsafeRawBufferPointer, for entry: LeafList.Entry) {}
}

/// All tiles of a pyramid as JSON in memory.
struct TileBodies: Sendable {
    /// By zoom, column and row.
    private(set) var tiles: [(tile: TileCoordinate, bytes: Range<Int>)] = []
    private(set) var bytes: [UInt8] = []

    /// - Parameter options: of the build; what they say of compression does not matter.
    init(of options: BuildOptions) throws {
        var options = options
        options.storage.compression = .none
        let sink = Sink()
        _ = try PyramidBuilder(options: options).writeTiles(to: sink)
        self = sink.bodies.withLock { bodies in
            defer { bodies = TileBodies() }
            return bodies
        }
        tiles.sort { $0.tile < $1.tile }
    }

    private init() {}

    private final class Sink: TileSink {
        let bodies = Mutex(TileBodies())

        func write(_ bytes: UnsafeRawBufferPointer, for entry: TileList.Entry) {
            bodies.withLock { bodies in
                let start = bodies.bytes.count
                bodies.bytes.append(contentsOf: bytes)
                bodies.tiles.append((entry.tile, start..<bodies.bytes.count))
            }
        }

        func write(_ bytes: UnsafeRawBufferPointer, for entry: LeafList.Entry) {}
    }
}
