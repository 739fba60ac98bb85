/// An entry of a PMTiles directory: where to find a run of equal tiles with consecutive numbers, or a leaf directory.
public struct PMTilesEntry: Equatable, Sendable {
    /// The number of the tile, or of the first tile of the leaf directory.
    public var tileID: UInt64
    /// Counted from the start of the tile data, or of the leaf directories.
    public var offset: UInt64
    public var byteCount: UInt32
    /// The number of tiles in the run; 0 for a leaf directory.
    public var runLength: UInt32

    public init(tileID: UInt64, offset: UInt64, byteCount: UInt32, runLength: UInt32) {
        self.tileID = tileID
        self.offset = offset
        self.byteCount = byteCount
        self.runLength = runLength
    }

    public var isLeaf: Bool { runLength == 0 }

    /// One more than the number of the last tile, or than the number of a leaf directory's first tile.
    package var endID: UInt64 { tileID + UInt64(max(runLength, 1)) }

    /// Where the bytes end, counted from the same start as ``offset``.
    package var end: UInt64 { offset + UInt64(byteCount) }
}

/// An inflated directory of a PMTiles archive: entries in the order of their tile numbers, stored field by field.
///
/// Source: [PMTiles 3](https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md).
public struct PMTilesDirectory: Equatable, Sendable {
    /// At least one entry; no tile is in two of them.
    public let entries: [PMTilesEntry]

    /// The largest directory that is read, once inflated: 16 MiB.
    package static let limitBytes = 16 << 20
    /// An entry has four numbers, each of at least one byte.
    private static let leastEntryBytes = 4

    /// Appends a directory with these entries.
    /// - Parameter entries: at least one, in the order of their tile numbers.
    package static func encode(_ entries: ArraySlice<PMTilesEntry>, into buffer: inout ByteBuffer) {
        buffer.append(varint: UInt64(entries.count))
        var lastID: UInt64 = 0
        for entry in entries {
            buffer.append(varint: entry.tileID - lastID)
            lastID = entry.tileID
        }
        for entry in entries { buffer.append(varint: UInt64(entry.runLength)) }
        for entry in entries { buffer.append(varint: UInt64(entry.byteCount)) }
        var lastEnd: UInt64?
        for entry in entries {
            buffer.append(varint: entry.offset == lastEnd ? 0 : entry.offset + 1)
            lastEnd = entry.end
        }
    }

    /// Reads the bytes of a directory. The memory it takes is proportional to their number.
    /// - Throws: ``MetadataError`` if they aren't a directory.
    public init(decoding bytes: [UInt8]) throws(MetadataError) {
        let slice = bytes[...]
        let bytes = slice.span
        var position = 0
        func next() throws(MetadataError) -> UInt64 {
            guard let value = bytes.varint(at: &position) else {
                throw MetadataError("ends at byte \(position), expected another number")
            }
            return value
        }
        let claimed = try next()
        guard claimed > 0, claimed <= UInt64(bytes.count / PMTilesDirectory.leastEntryBytes) else {
            throw MetadataError(
                "has \(claimed) entries in \(bytes.count) bytes, expected at least one, of at least 4 bytes each")
        }
        let count = Int(claimed)
        var entries: [PMTilesEntry] = []
        entries.reserveCapacity(count)
        var id: UInt64 = 0
        for index in 0..<count {
            let step = try next()
            guard step < TileCoordinate.pmtilesIDLimit - id, index == 0 || step > 0 else {
                throw MetadataError(
                    "has tile number \(id) followed by one that is \(step) greater, expected another tile")
            }
            id += step
            entries.append(PMTilesEntry(tileID: id, offset: 0, byteCount: 0, runLength: 0))
        }
        for index in 0..<count {
            let length = try next()
            let endID = index + 1 < count ? entries[index + 1].tileID : TileCoordinate.pmtilesIDLimit
            let limit = min(endID - entries[index].tileID, UInt64(UInt32.max))
            guard length <= limit else {
                throw MetadataError(
                    "has \(length) tiles from number \(entries[index].tileID) on, expected at most \(limit)")
            }
            entries[index].runLength = UInt32(length)
        }
        for index in 0..<count {
            let length = try next()
            guard length > 0, length <= UInt64(UInt32.max) else {
                throw MetadataError(
                    "has \(length) bytes for tile number \(entries[index].tileID), expected 1 to 2^32 - 1")
            }
            entries[index].byteCount = UInt32(length)
        }
        var end: UInt64?
        for index in 0..<count {
            let value = try next()
            guard let offset = value == 0 ? end : value - 1, offset <= UInt64(Int.max) - UInt64(UInt32.max) else {
                throw MetadataError("has an impossible offset for tile number \(entries[index].tileID)")
            }
            entries[index].offset = offset
            end = entries[index].end
        }
        guard position == bytes.count else {
            throw MetadataError("has \(bytes.count) bytes, expected \(position) for \(count) entries")
        }
        self.entries = entries
    }

    /// The entry of a tile, or of the only leaf directory that may have it; `nil` if there is neither. O(log n)
    public func entry(of tileID: UInt64) -> PMTilesEntry? {
        let index = entries.partitioningIndex { $0.tileID > tileID }
        guard index > 0 else { return nil }
        let entry = entries[index - 1]
        return entry.isLeaf || tileID < entry.endID ? entry : nil
    }
}
