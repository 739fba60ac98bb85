/// What a publish does, in the order of the properties: a client that reads while it goes on finds tiles of one pyramid or
/// the other, and never a description without its tiles.
public struct PublishingPlan: Equatable, Sendable {
    /// Tiles of the new pyramid that are not at the destination, in their order.
    public let tiles: [TileList.Entry]
    /// Files beside the tiles that differ, `tilejson.json` and the manifest last.
    public let files: [String]
    /// Paths of files that are no more.
    public var removals: [String] { tileRemovals.map(\.path) + fileRemovals }
    /// What caches may hold an older state of, since the last publish that came to its end: paths. Empty where nothing was
    /// published before.
    public let purges: [String]

    let tileRemovals: [TileFile]
    let fileRemovals: [String]
    /// Tiles' files that differ from the published list and are already as they should be.
    let settled: [PublishingJournal.Item]
    /// How the tiles are stored.
    let storage: TileStorage
    private let hasJournal: Bool

    /// Whether the destination is as it should be.
    public var isEmpty: Bool { tiles.isEmpty && files.isEmpty && removals.isEmpty && !hasJournal }

    /// The bytes of the tiles.
    public var tileByteCount: Int { tiles.reduce(0) { $0 + $1.byteCount } }

    /// - Parameters:
    ///   - listing: of a whole pyramid.
    ///   - uploadsAll: whether nothing at the destination is taken to be as it should be.
    init(from state: PublishedState, to listing: PyramidListing, uploadsAll: Bool = false) {
        let storage = listing.storage ?? TileStorage()
        let isSameSuffix = state.suffix == storage.suffix
        let difference = TileListDifference(from: isSameSuffix ? state.tiles : TileList([]), to: listing.tiles)
        var uploads = Set(uploadsAll ? listing.tiles.entries.map(\.tile) : difference.added + difference.changed)
        let outdated = isSameSuffix ? difference.removed : state.tiles.entries.map(\.tile)
        var removals = Set(outdated.map { TileFile(tile: $0, suffix: state.suffix) })
        var settled: [PublishingJournal.Item] = []
        for (index, item) in (state.journal?.items ?? []).enumerated() {
            let entry = item.file.suffix == storage.suffix ? listing.tiles.entry(of: item.file.tile) : nil
            let isThere = index < state.settledCount && !uploadsAll && item.entry == entry
            if isThere { settled.append(item) }
            if entry == nil {
                if isThere { removals.remove(item.file) } else { removals.insert(item.file) }
            } else {
                if isThere { uploads.remove(item.file.tile) } else { uploads.insert(item.file.tile) }
            }
        }
        tiles = listing.tiles.entries.filter { uploads.contains($0.tile) }
        tileRemovals = removals.sorted()
        self.settled = settled
        self.storage = storage
        hasJournal = state.journal != nil

        let trusted = hasJournal || uploadsAll ? [:] : state.files
        files = listing.files.keys.filter { listing.files[$0] != trusted[$0] }
            .sorted { (PublishingPlan.rank($0), $0) < (PublishingPlan.rank($1), $1) }
        fileRemovals = state.files.keys.filter { listing.files[$0] == nil && PublishingPlan.isPlainName($0) }.sorted()

        let changes = tiles.map { storage.relativePath(of: $0.tile) } + settled.map(\.file.path)
        purges = state.files.isEmpty ? [] : changes + files + tileRemovals.map(\.path) + fileRemovals
    }

    /// Lists before descriptions, the manifest last: it says that all is there.
    private static func rank(_ name: String) -> Int {
        switch name {
        case TileList.fileName: 0
        case TileJSON.fileName: 2
        case Manifest.fileName: 3
        default: 1
        }
    }

    /// Whether a name that was read somewhere is one of a file beside the tiles and nothing else.
    static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.hasPrefix("-") && name != TileDirectory.tilesName
            && name.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
            }
    }
}
