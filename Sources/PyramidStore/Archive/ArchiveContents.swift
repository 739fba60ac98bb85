import PyramidTiles

/// The tiles that an archive's writer was given, and their bodies, which are one after another in the work file.
struct ArchiveContents: Sendable {
    /// A tile, in 16 bytes.
    struct Tile: SortableElement {
        var id: UInt64
        /// The number of its body; or, with ``sameFlag``, the PMTiles number of another tile with the same body. In a
        /// layout, the length of a run of equal tiles and the number of their body: ``runLength`` and ``body``.
        var value: UInt64

        static let sameFlag: UInt64 = 1 << 63

        var sortKey: UInt64 { id }
        var body: Int { Int(truncatingIfNeeded: value & 0xffff_ffff) }
        var runLength: UInt32 { UInt32(truncatingIfNeeded: value >> 32) }
    }

    /// A body, in 16 bytes.
    struct Body {
        /// Where it begins in the work file, counted from the start of the first one.
        var workOffset: Int
        var byteCount: UInt32
        var crc32: UInt32

        var workRange: Range<Int> { workOffset..<workOffset + Int(byteCount) }
    }

    private(set) var tileCount = 0
    private var tiles: RunSorter<Tile>
    private var bodies: ElementSpool<Body>
    /// The size of all bodies.
    private var byteCount = 0

    init(_ memory: ListMemory) {
        tiles = RunSorter(memory)
        bodies = ElementSpool(memory)
    }

    /// Adds a tile with a body of its own.
    mutating func append(_ id: UInt64, _ file: StoredFile) throws(OutputError) {
        try tiles.append(Tile(id: id, value: UInt64(bodies.count)))
        try bodies.append(Body(workOffset: byteCount, byteCount: UInt32(file.byteCount), crc32: file.crc32))
        byteCount += file.byteCount
        tileCount += 1
    }

    /// Adds a tile with the body of another one, which has a greater number.
    mutating func append(_ id: UInt64, sameAs other: UInt64) throws(OutputError) {
        try tiles.append(Tile(id: id, value: other | Tile.sameFlag))
        tileCount += 1
    }

    /// The tiles in the order of their numbers, and the bodies in the order of the work file. No more can be added.
    mutating func finish() throws(OutputError) -> (tiles: StoredElements<Tile>, bodies: StoredElements<Body>) {
        (try tiles.finish(), try bodies.finish())
    }
}
