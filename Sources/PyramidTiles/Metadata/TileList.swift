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
    package static let header = "tile\t\(StoredFile.listColumns)"

    /// Sorted by tile, each tile once.
    public let entries: [Entry]

    public struct Entry: Hashable, Sendable {
        public let tile: TileCoordinate
        public let file: StoredFile

        public init(tile: TileCoordinate, file: StoredFile) {
            self.tile = tile
            self.file = file
        }

        public init(tile: TileCoordinate, byteCount: Int, crc32: UInt32, bodyByteCount: Int, bodyCRC32: UInt32) {
            self.init(
                tile: tile,
                file: StoredFile(
                    byteCount: byteCount, crc32: crc32, bodyByteCount: bodyByteCount, bodyCRC32: bodyCRC32))
        }
    }

    /// Reads the file's bytes: exactly what ``encoded()`` writes and nothing else.
    /// - Throws: ``MetadataError`` with the number of the first line that is not as it should be.
    public init(decoding bytes: [UInt8]) throws(MetadataError) {
        entries = try ListReader.entries(of: bytes, header: TileList.header, name: "tile") { line in
            guard let z = line.readInteger(), line.take("/"), let x = line.readInteger(), line.take("/"),
                let y = line.readInteger()
            else { return nil }
            return TileCoordinate(z: z, x: x, y: y)
        } _: {
            Entry(tile: $0, file: $1)
        }
    }

    /// - Parameter entries: in any order, each tile once.
    public init(_ entries: consuming [Entry]) {
        entries.sort { $0.tile < $1.tile }
        self.entries = entries
    }

    /// The entry of a tile, found in O(log n); `nil` where the pyramid has no such tile.
    public func entry(of tile: TileCoordinate) -> Entry? { entries.sortedElement(tile, \.tile) }

    /// The tiles that another list doesn't have, found in O(n).
    package func tiles(notIn other: TileList) -> [TileCoordinate] {
        var index = 0
        return entries.compactMap { entry in
            while index < other.entries.count, other.entries[index].tile < entry.tile { index += 1 }
            return index < other.entries.count && other.entries[index].tile == entry.tile ? nil : entry.tile
        }
    }

    /// The file's bytes.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        forEachPiece { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Calls `body` with the file's bytes, some thousand lines at a time: the whole file takes more memory than the list.
    package func forEachPiece<Failure>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        var buffer = ByteBuffer(capacity: TileList.pieceBytes + 128)
        buffer.append(Array(TileList.header.utf8))
        buffer.append(UInt8(ascii: "\n"))
        for entry in entries {
            buffer.append(integer: entry.tile.z)
            buffer.append(UInt8(ascii: "/"))
            buffer.append(integer: entry.tile.x)
            buffer.append(UInt8(ascii: "/"))
            buffer.append(integer: entry.tile.y)
            entry.file.append(to: &buffer)
            if buffer.count >= TileList.pieceBytes {
                try buffer.withUnsafeBytes(body)
                buffer.removeAll()
            }
        }
        try buffer.withUnsafeBytes(body)
    }

    private static let pieceBytes = 1 << 18
}
