import PyramidTiles

/// The entries of an archive's directories, and the order of its bodies. They depend only on the tiles, not on the
/// order in which these were written.
///
/// It takes up to 48 bytes per tile, in memory or in temporary files: 16 for the entry and, for each body, 16 for its
/// place in the work file and its checksum, 8 for its offset in the tile data, 4 for its place in the order, and 4 for
/// the first body that is equal.
struct ArchiveLayout: Sendable {
    /// In the order of their tile numbers.
    private let entries: StoredElements<ArchiveContents.Tile>
    private let bodies: StoredElements<ArchiveContents.Body>
    /// Where each body begins in the tile data; -1 for those that are equal to an earlier one and not stored.
    private let offsets: ElementTable<Int>
    /// The numbers of the bodies, in the order of the tile data.
    let order: StoredElements<UInt32>
    let tileCount: Int
    let tileDataByteCount: Int

    var entryCount: Int { entries.count }

    /// O(n log n)
    /// - Parameter bytes: reads a range of the work file.
    init(
        _ contents: inout ArchiveContents, _ memory: ListMemory,
        bytes: (Range<Int>) throws(OutputError) -> [UInt8]
    ) throws(OutputError) {
        let (tiles, bodies) = try contents.finish()
        let tileBodies = try ArchiveLayout.bodies(
            of: tiles, EqualBodies.first(of: bodies, memory, bytes: bytes), memory)
        let offsets = try ElementTable(count: bodies.count, memory) { _ in -1 }
        var order = ElementSpool<UInt32>(memory)
        var entries = ElementSpool<ArchiveContents.Tile>(memory)
        var last: ArchiveContents.Tile?
        var end = 0
        for (index, tile) in tiles.enumerated() {
            let body = Int(tileBodies[index])
            if offsets[body] < 0 {
                offsets[body] = end
                end += Int(bodies[body].byteCount)
                try order.append(UInt32(body))
            }
            if var run = last, run.body == body, run.id + UInt64(run.runLength) == tile.id {
                run.value += 1 << 32
                last = run
            } else {
                if let last { try entries.append(last) }
                last = ArchiveContents.Tile(id: tile.id, value: UInt64(body) | 1 << 32)
            }
        }
        if let last { try entries.append(last) }
        (self.entries, self.order) = (try entries.finish(), try order.finish())
        (self.bodies, self.offsets) = (bodies, offsets)
        (tileCount, tileDataByteCount) = (tiles.count, end)
    }

    /// The number of each tile's body.
    /// - Parameters:
    ///   - tiles: in the order of their numbers.
    ///   - first: for each body, the first one with the same bytes.
    private static func bodies(
        of tiles: StoredElements<ArchiveContents.Tile>, _ first: ElementTable<UInt32>, _ memory: ListMemory
    ) throws(OutputError) -> ElementTable<UInt32> {
        let bodies = try ElementTable<UInt32>(count: tiles.count, memory) { _ in 0 }
        // A tile repeats one at a higher zoom, which has a greater number, so its body is already known.
        for index in tiles.indices.reversed() {
            let value = tiles[index].value
            guard value & ArchiveContents.Tile.sameFlag != 0 else {
                bodies[index] = first[Int(value)]
                continue
            }
            let id = value & ~ArchiveContents.Tile.sameFlag
            let found = tiles[(index + 1)...].partitioningIndex { $0.id >= id }
            precondition(found < tiles.count && tiles[found].id == id, "a tile repeats one that was not written")
            bodies[index] = bodies[found]
        }
        return bodies
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
        return (bodies[body].workRange, offsets[body])
    }

    func entry(_ index: Int) -> PMTilesEntry {
        let tile = entries[index]
        return PMTilesEntry(
            tileID: tile.id, offset: UInt64(offsets[tile.body]), byteCount: bodies[tile.body].byteCount,
            runLength: tile.runLength)
    }
}
