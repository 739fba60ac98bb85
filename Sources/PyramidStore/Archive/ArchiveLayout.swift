import PyramidTiles

/// The tiles that an archive's writer was given, and their bodies, which are one after another in the work file.
struct ArchiveContents {
    /// A tile, in 16 bytes.
    struct Tile {
        var id: UInt64
        /// The number of its body; or, with ``sameFlag``, the PMTiles number of another tile with the same body. In a
        /// layout, the length of a run of equal tiles and the number of their body: ``runLength`` and ``body``.
        var value: UInt64

        static let sameFlag: UInt64 = 1 << 63

        var body: Int { Int(truncatingIfNeeded: value & 0xffff_ffff) }
        var runLength: UInt32 { UInt32(truncatingIfNeeded: value >> 32) }
    }

    /// The size and checksum of a body, in 8 bytes.
    struct Body {
        var byteCount: UInt32
        var crc32: UInt32
    }

    var tiles: [Tile] = []
    var bodies: [Body] = []
}

/// The entries of an archive's directories, and the order of its bodies. They depend only on the tiles, not on the
/// order in which these were written.
///
/// With ``ArchiveContents``, it takes at most 48 bytes per tile: 16 for the entry and, for each body, 8 for its size
/// and checksum, 8 for its offset in the work file, 8 for its offset in the tile data, and 8 more while equal bodies
/// are searched for.
struct ArchiveLayout: Sendable {
    /// In the order of their tile numbers.
    private let entries: [ArchiveContents.Tile]
    private let bodies: [ArchiveContents.Body]
    /// Where each body begins in the work file, counted from the start of the first one.
    private let workOffsets: [Int]
    /// Where each body begins in the tile data; -1 for those that are equal to an earlier one and not stored.
    private let offsets: [Int]
    /// The numbers of the bodies, in the order of the tile data.
    let order: [UInt32]
    let tileCount: Int
    let tileDataByteCount: Int

    var entryCount: Int { entries.count }

    /// O(n log n)
    /// - Parameter bytes: reads a range of the work file.
    init(
        _ contents: consuming ArchiveContents, bytes: (Range<Int>) throws(OutputError) -> [UInt8]
    ) throws(OutputError) {
        let bodies = contents.bodies
        var entries = contents.tiles
        contents = ArchiveContents()
        tileCount = entries.count

        var workOffsets: [Int] = []
        workOffsets.reserveCapacity(bodies.count)
        var workOffset = 0
        for body in bodies {
            workOffsets.append(workOffset)
            workOffset += Int(body.byteCount)
        }
        let first = try ArchiveLayout.firstOfEqual(bodies) { number throws(OutputError) in
            let start = workOffsets[Int(number)]
            return try bytes(start..<start + Int(bodies[Int(number)].byteCount))
        }
        ArchiveLayout.sort(&entries, first)

        var offsets = [Int](repeating: -1, count: bodies.count)
        var order: [UInt32] = []
        order.reserveCapacity(bodies.count)
        var end = 0
        var kept = 0
        for tile in entries {
            if offsets[tile.body] < 0 {
                offsets[tile.body] = end
                end += Int(bodies[tile.body].byteCount)
                order.append(UInt32(tile.body))
            }
            if kept > 0, case let last = entries[kept - 1], last.body == tile.body,
                last.id + UInt64(last.runLength) == tile.id
            {
                entries[kept - 1].value += 1 << 32
            } else {
                entries[kept] = ArchiveContents.Tile(id: tile.id, value: UInt64(tile.body) | 1 << 32)
                kept += 1
            }
        }
        entries.removeLast(entries.count - kept)
        (self.entries, self.bodies, self.workOffsets) = (entries, bodies, workOffsets)
        (self.offsets, self.order, tileDataByteCount) = (offsets, order, end)
    }

    /// Up to this many bodies with the same size and checksum are all compared with each other. If there are more, only
    /// those with equal hashes are.
    private static let comparedCount = 4

    /// For each body, the first one with the same bytes. O(n log n). Reads no body more than a few times, unless hashes
    /// are equal by chance.
    private static func firstOfEqual(
        _ bodies: [ArchiveContents.Body], _ bytes: (UInt32) throws(OutputError) -> [UInt8]
    ) throws(OutputError) -> [UInt32] {
        func key(_ number: UInt32) -> UInt64 {
            UInt64(bodies[Int(number)].byteCount) << 32 | UInt64(bodies[Int(number)].crc32)
        }
        var first = Array(0..<UInt32(bodies.count))
        var sorted = first
        sorted.sort { (key($0), $0) < (key($1), $1) }
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, key(sorted[end]) == key(sorted[start]) { end += 1 }
            defer { start = end }
            guard end - start > 1 else { continue }
            // Different bodies can have the same checksum. Many do if gzip stores them uncompressed: the CRC-32 of
            // bytes that are followed by their own CRC-32 depends only on their number.
            var hashed: [(hash: UInt64, number: UInt32)] = []
            for number in sorted[start..<end] {
                let isFew = end - start <= ArchiveLayout.comparedCount
                hashed.append((isFew ? 0 : try bytes(number).withUnsafeBytes { StableHash.hash($0) }, number))
            }
            hashed.sort { $0 < $1 }
            for (index, (hash, number)) in hashed.enumerated() {
                for earlier in hashed[..<index].reversed() {
                    guard earlier.hash == hash else { break }
                    guard try bytes(earlier.number) == bytes(number) else { continue }
                    first[Int(number)] = first[Int(earlier.number)]
                    break
                }
            }
        }
        return first
    }

    /// Sorts tiles by their numbers, and sets each value to the number of the tile's body.
    /// - Parameter first: for each body, the first one with the same bytes.
    private static func sort(_ tiles: inout [ArchiveContents.Tile], _ first: [UInt32]) {
        tiles.sort { $0.id < $1.id }
        // A tile repeats one at a higher zoom, which has a greater number, so its body is already known.
        for index in tiles.indices.reversed() {
            let value = tiles[index].value
            guard value & ArchiveContents.Tile.sameFlag != 0 else {
                tiles[index].value = UInt64(first[Int(value)])
                continue
            }
            let id = value & ~ArchiveContents.Tile.sameFlag
            let found = tiles[(index + 1)...].partitioningIndex { $0.id >= id }
            precondition(found < tiles.count && tiles[found].id == id, "a tile repeats one that was not written")
            tiles[index].value = tiles[found].value
        }
    }

    /// The checksum of the tile data, computed from those of the bodies.
    func tileDataCRC32(_ work: SharedWork) -> UInt32 {
        work.map(order.indices.split(every: work.chunkSize)) { chunk in
            chunk.reduce((crc32: UInt32(0), byteCount: 0)) { sum, index in
                let body = bodies[Int(order[index])]
                let byteCount = Int(body.byteCount)
                return (
                    Gzip.crc32(sum.crc32, followedBy: body.crc32, byteCount: byteCount), sum.byteCount + byteCount
                )
            }
        }.reduce(0) { Gzip.crc32($0, followedBy: $1.crc32, byteCount: $1.byteCount) }
    }

    /// Splits ``order`` into chunks of about `byteCount` bytes.
    func chunks(ofBytes byteCount: Int) -> [Range<Int>] {
        var chunks: [Range<Int>] = []
        var (start, size) = (0, 0)
        for index in order.indices {
            size += Int(bodies[Int(order[index])].byteCount)
            guard size >= byteCount || index == order.count - 1 else { continue }
            chunks.append(start..<index + 1)
            (start, size) = (index + 1, 0)
        }
        return chunks
    }

    /// Where the body at an index of ``order`` is in the work file, and where it begins in the tile data.
    func location(of index: Int) -> (work: Range<Int>, offset: Int) {
        let body = Int(order[index])
        return (workOffsets[body]..<workOffsets[body] + Int(bodies[body].byteCount), offsets[body])
    }
}

/// The compressed directories of an archive.
struct ArchiveDirectories {
    let root: [UInt8]
    let leaves: [UInt8]

    /// The largest root directory.
    private static let rootLimitBytes = PMTilesHeader.startByteCount - PMTilesHeader.byteCount
    /// The number of entries in a leaf directory. It is doubled until the root directory is small enough.
    private static let leafEntryCount = 4096
    /// The most entries for which a root directory without leaf directories is tried. More never fit.
    private static let rootEntryLimit = 1 << 14
    private static let level = 6

    /// - Parameter layout: must have at least one tile.
    init(_ layout: ArchiveLayout, _ work: SharedWork) {
        if layout.entryCount <= ArchiveDirectories.rootEntryLimit {
            let whole = layout.directory(0..<layout.entryCount)
            if whole.count <= ArchiveDirectories.rootLimitBytes {
                (root, leaves) = (whole, [])
                return
            }
        }
        var count = ArchiveDirectories.leafEntryCount
        while true {
            let chunks = (0..<layout.entryCount).split(every: count)
            let found = work.map(chunks) { layout.directory($0) }
            var entries: [PMTilesEntry] = []
            var offset = 0
            for (chunk, bytes) in zip(chunks, found) {
                entries.append(
                    PMTilesEntry(
                        tileID: layout.entry(chunk.lowerBound).tileID, offset: UInt64(offset),
                        byteCount: UInt32(bytes.count), runLength: 0))
                offset += bytes.count
            }
            let root = ArchiveDirectories.compress(entries)
            if root.count <= ArchiveDirectories.rootLimitBytes {
                self.root = root
                leaves = Array(found.joined())
                return
            }
            count *= 2
        }
    }

    fileprivate static func compress(_ entries: [PMTilesEntry]) -> [UInt8] {
        var plain = ByteBuffer()
        var compressed = ByteBuffer()
        PMTilesDirectory.encode(entries[...], into: &plain)
        plain.withUnsafeBytes { GzipCompressor(level: level).compress($0, into: &compressed) }
        return compressed.withUnsafeBytes { Array($0) }
    }
}

extension ArchiveLayout {
    fileprivate func entry(_ index: Int) -> PMTilesEntry {
        let tile = entries[index]
        return PMTilesEntry(
            tileID: tile.id, offset: UInt64(offsets[tile.body]), byteCount: bodies[tile.body].byteCount,
            runLength: tile.runLength)
    }

    /// The compressed directory of a range of entries.
    fileprivate func directory(_ range: Range<Int>) -> [UInt8] {
        ArchiveDirectories.compress(range.map { entry($0) })
    }
}
