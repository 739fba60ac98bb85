import PyramidTiles

/// The compressed directories of an archive.
struct ArchiveDirectories {
    let root: [UInt8]
    let leaves: StoredElements<UInt8>

    /// The largest root directory.
    private static let rootLimitBytes = PMTilesHeader.startByteCount - PMTilesHeader.byteCount
    /// The number of entries in a leaf directory. It is doubled until the root directory is small enough.
    private static let leafEntryCount = 4096
    /// The most entries for which a root directory without leaf directories is tried. More never fit.
    private static let rootEntryLimit = 1 << 14
    private static let level = 6

    /// How many leaf directories are in memory at a time.
    private static let batchCount = 64

    /// - Parameter layout: must have at least one tile.
    init(_ layout: ArchiveLayout, _ memory: ListMemory, _ work: SharedWork) throws(OutputError) {
        if layout.entryCount <= ArchiveDirectories.rootEntryLimit {
            let whole = ArchiveDirectories.compress((0..<layout.entryCount).map { layout.entry($0) })
            if whole.count <= ArchiveDirectories.rootLimitBytes {
                (root, leaves) = (whole, StoredElements())
                return
            }
        }
        var count = ArchiveDirectories.leafEntryCount
        while true {
            let chunks = (0..<layout.entryCount).split(every: count)
            var leaves = ElementSpool<UInt8>(memory)
            var entries: [PMTilesEntry] = []
            for batch in chunks.indices.split(every: ArchiveDirectories.batchCount) {
                let found = work.map(Array(chunks[batch])) { chunk in
                    ArchiveDirectories.compress(chunk.map { layout.entry($0) })
                }
                for (chunk, bytes) in zip(chunks[batch], found) {
                    entries.append(
                        PMTilesEntry(
                            tileID: layout.entry(chunk.lowerBound).tileID, offset: UInt64(leaves.count),
                            byteCount: UInt32(bytes.count), runLength: 0))
                    try leaves.append(bytes)
                }
            }
            let root = ArchiveDirectories.compress(entries)
            if root.count <= ArchiveDirectories.rootLimitBytes {
                self.root = root
                self.leaves = try leaves.finish()
                return
            }
            count *= 2
        }
    }

    private static func compress(_ entries: [PMTilesEntry]) -> [UInt8] {
        var plain = ByteBuffer()
        var compressed = ByteBuffer()
        PMTilesDirectory.encode(entries[...], into: &plain)
        plain.withUnsafeBytes { GzipCompressor(level: level).compress($0, into: &compressed) }
        return compressed.withUnsafeBytes { Array($0) }
    }
}
