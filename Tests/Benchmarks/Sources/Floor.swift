import CZlib
import Foundation
import PyramidTiles
import Synchronization

/// What the plainest code takes for the work that no build gets around: compressing its tiles and creating its files.
struct Floor {
    let bodies: TileBodies

    /// Workers take so many tiles at a time.
    private static let tilesPerChunk = 2048

    struct Cost: Codable, Sendable {
        var seconds: Double
        let cpuSeconds: Double
        let storedBytes: Int
    }

    /// Compresses all tiles.
    /// - Parameters:
    ///   - directory: where the files go, one for each tile; `nil` throws them away.
    ///   - path: of a file for all tiles.
    func compressing(
        level: Int, threads: Int, into directory: String? = nil, intoFile path: String? = nil
    ) throws -> Cost {
        let file = path.map { open($0, O_WRONLY | O_CREAT | O_EXCL, 0o666) }
        defer { if let file { close(file) } }
        let end = Atomic(0)
        return try measured(threads: threads, directory) { chunk, column in
            var stream = z_stream()
            deflateInit2_(
                &stream, Int32(level), Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size))
            defer { deflateEnd(&stream) }
            var stored = [UInt8](repeating: 0, count: 1 << 16)
            var storedBytes = 0
            while let tiles = chunk() {
                for (tile, range) in tiles {
                    let bound = Int(deflateBound(&stream, UInt(range.count)))
                    if bound > stored.count { stored = [UInt8](repeating: 0, count: 2 * bound) }
                    let room = UInt32(stored.count)
                    let byteCount = bodies.bytes.withUnsafeBufferPointer { bytes in
                        stored.withUnsafeMutableBufferPointer { stored in
                            stream.next_in = UnsafeMutablePointer(
                                mutating: bytes.baseAddress.map { $0 + range.lowerBound })
                            stream.avail_in = UInt32(range.count)
                            stream.next_out = stored.baseAddress
                            stream.avail_out = room
                            deflate(&stream, Z_FINISH)
                            return Int(room - stream.avail_out)
                        }
                    }
                    deflateReset(&stream)
                    storedBytes += byteCount
                    if let file {
                        let start = end.wrappingAdd(byteCount, ordering: .relaxed).oldValue
                        guard pwrite(file, stored, byteCount, start) == byteCount else {
                            throw BenchmarkError("can't write \(path ?? "")")
                        }
                    }
                    guard directory != nil else { continue }
                    try stored.withUnsafeBytes { try column.write(.init(rebasing: $0[..<byteCount]), tile) }
                }
            }
            return storedBytes
        }
    }

    /// Creates a file of so many bytes for each tile.
    func creatingFiles(ofBytes byteCount: Int, threads: Int, in directory: String) throws -> Cost {
        let content = [UInt8](repeating: 7, count: byteCount)
        return try measured(threads: threads, directory) { chunk, column in
            var storedBytes = 0
            while let tiles = chunk() {
                for (tile, _) in tiles {
                    try content.withUnsafeBytes { try column.write($0, tile) }
                    storedBytes += byteCount
                }
            }
            return storedBytes
        }
    }

    private typealias Tiles = ArraySlice<(tile: TileCoordinate, bytes: Range<Int>)>

    private func measured(
        threads: Int, _ directory: String?, _ work: @Sendable (() -> Tiles?, inout PlainColumn) throws -> Int
    ) throws -> Cost {
        let next = Atomic(0)
        let storedBytes = Mutex(Result<Int, any Error>.success(0))
        let (clock, cpuStart) = (ContinuousClock(), Foundation.clock())
        let start = clock.now
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            var column = PlainColumn(root: directory ?? "")
            let bytes = Result {
                try work(
                    {
                        let start = next.wrappingAdd(Floor.tilesPerChunk, ordering: .relaxed).oldValue
                        guard start < bodies.tiles.count else { return nil }
                        return bodies.tiles[start..<min(start + Floor.tilesPerChunk, bodies.tiles.count)]
                    }, &column)
            }
            storedBytes.withLock { sum in sum = sum.flatMap { sum in bytes.map { sum + $0 } } }
        }
        let seconds = (clock.now - start) / .seconds(1)
        return Cost(
            seconds: seconds, cpuSeconds: Double(Foundation.clock() - cpuStart) / Double(CLOCKS_PER_SEC),
            storedBytes: try storedBytes.withLock { try $0.get() })
    }
}

/// Writes files into the column of the last one, or opens another. Neighbours come one after the other.
private struct PlainColumn: ~Copyable {
    let root: String
    private var z = -1
    private var x = -1
    private var descriptor: Int32 = -1

    init(root: String) { self.root = root }

    deinit { if descriptor >= 0 { close(descriptor) } }

    mutating func write(_ bytes: UnsafeRawBufferPointer, _ tile: TileCoordinate) throws {
        if tile.z != z || tile.x != x {
            if descriptor >= 0 { close(descriptor) }
            (z, x) = (tile.z, tile.x)
            let path = "\(root)/\(z)/\(x)"
            if mkdir(path, 0o777) != 0, errno == ENOENT {
                mkdir("\(root)/\(z)", 0o777)
                mkdir(path, 0o777)
            }
            descriptor = open(path, O_RDONLY | O_DIRECTORY)
        }
        let file = openat(descriptor, "\(tile.y).json", O_WRONLY | O_CREAT | O_EXCL, 0o666)
        let written = Foundation.write(file, bytes.baseAddress, bytes.count)
        close(file)
        guard written == bytes.count else { throw BenchmarkError("can't write \(root)/\(z)/\(x)/\(tile.y).json") }
    }
}
