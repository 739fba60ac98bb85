/// `tiles.tsv`: every tile of a pyramid with its sizes and checksums, by zoom, column and row. From it a changed byte, a
/// missing or an extra tile is found, and two pyramids are compared without reading a tile.
///
/// One line a tile after a header, fields separated by tabs:
///
///     tile    bytes   crc32       body_bytes  body_crc32
///     3/4/2   212     9ae0daaf    430         0c7e7fd8
///
/// `bytes` and `crc32` are of the file as stored, `body_bytes` and `body_crc32` of its JSON.
public struct TileList: Equatable, Sendable {
    public static let fileName = "tiles.tsv"
    static let header = "tile\tbytes\tcrc32\tbody_bytes\tbody_crc32"

    /// Sorted by tile, each tile once.
    public let entries: [Entry]

    public struct Entry: Hashable, Sendable {
        public let tile: TileCoordinate
        /// The size of the file.
        public let byteCount: Int
        /// The CRC-32 of the file.
        public let crc32: UInt32
        /// The size of the JSON.
        public let bodyByteCount: Int
        /// The CRC-32 of the JSON.
        public let bodyCRC32: UInt32

        public init(tile: TileCoordinate, byteCount: Int, crc32: UInt32, bodyByteCount: Int, bodyCRC32: UInt32) {
            self.tile = tile
            self.byteCount = byteCount
            self.crc32 = crc32
            self.bodyByteCount = bodyByteCount
            self.bodyCRC32 = bodyCRC32
        }
    }

    /// - Parameter entries: in the order of their tiles, each tile once.
    init(ascending entries: [Entry]) {
        self.entries = entries
    }

    /// - Parameter entries: in any order, each tile once.
    public init(_ entries: [Entry]) {
        self.entries = entries.sorted { $0.tile < $1.tile }
    }

    /// The entry of a tile, found in O(log n); `nil` where the pyramid has no such tile.
    public func entry(of tile: TileCoordinate) -> Entry? {
        var range = 0..<entries.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if entries[middle].tile == tile { return entries[middle] }
            range = entries[middle].tile < tile ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// The file's bytes.
    public func encoded() -> [UInt8] {
        var buffer = ByteBuffer(capacity: 64 + entries.count * 48)
        buffer.append(Array(TileList.header.utf8))
        buffer.append(UInt8(ascii: "\n"))
        for entry in entries {
            buffer.append(integer: entry.tile.z)
            buffer.append(UInt8(ascii: "/"))
            buffer.append(integer: entry.tile.x)
            buffer.append(UInt8(ascii: "/"))
            buffer.append(integer: entry.tile.y)
            buffer.append(UInt8(ascii: "\t"))
            buffer.append(integer: entry.byteCount)
            buffer.append(UInt8(ascii: "\t"))
            buffer.append(Array(entry.crc32.hexadecimal.utf8))
            buffer.append(UInt8(ascii: "\t"))
            buffer.append(integer: entry.bodyByteCount)
            buffer.append(UInt8(ascii: "\t"))
            buffer.append(Array(entry.bodyCRC32.hexadecimal.utf8))
            buffer.append(UInt8(ascii: "\n"))
        }
        return buffer.withUnsafeBytes { Array($0) }
    }
}
