import PyramidStore
import PyramidTiles

/// The uploads and removals of a publish, in the order of the properties. Clients that read meanwhile find tiles of the
/// old tileset or the new one, and never a TileJSON without its tiles.
public struct PublishingPlan: Equatable, Sendable {
    /// Tiles of the new tileset that are not at the destination, in order, followed by such pages of clusters' points.
    public let entries: [FileList.Entry]
    /// Files beside the tiles that differ; `tilejson.json` and the manifest come last.
    public let files: [String]
    /// The paths of `entries` and `files`.
    public var uploads: [String] { entries.map { storage.relativePath(of: $0.address) } + files }
    /// The paths of files to remove.
    public var removals: [String] { entryRemovals.map(\.path) + fileRemovals }
    /// The paths of files that have changed since the last completed publish, so that caches may hold older ones. Empty
    /// if nothing was published before.
    public let purges: [String]

    let entryRemovals: [PlacedFile]
    let fileRemovals: [String]
    /// Tiles and pages that unfinished publishes have brought up to date already.
    let settled: [PublishingJournal.Item]
    /// How tiles and pages are stored.
    let storage: TileStorage
    private let isAfterUnfinished: Bool

    /// Whether the destination is up to date.
    public var isEmpty: Bool { entries.isEmpty && files.isEmpty && removals.isEmpty && !isAfterUnfinished }

    /// The tiles and bundles of `entries`.
    public var tiles: ArraySlice<FileList.Entry> { entries[..<firstPage] }

    /// The pages of `entries`.
    public var pages: ArraySlice<FileList.Entry> { entries[firstPage...] }

    private var firstPage: Int { entries.partitioningIndex { $0.address.page != nil } }

    /// The total size of the tiles.
    public var tileByteCount: Int { tiles.reduce(0) { $0 + $1.file.byteCount } }
    /// The total size of the pages.
    public var pageByteCount: Int { pages.reduce(0) { $0 + $1.file.byteCount } }

    /// - Parameters:
    ///   - listing: of a complete tileset.
    ///   - uploadsAll: whether to upload every file, changed or not.
    ///   - keptNames: files beside the tiles that are not removed.
    init(
        from state: PublishedState, to listing: TilesetListing, uploadsAll: Bool = false, keptNames: Set<String> = []
    ) {
        let storage = listing.storage ?? TileStorage()
        let listed = listing.list.entries
        // What has another name now is another file.
        func isSameName(_ entry: FileList.Entry) -> Bool {
            state.list?.list.suffix(of: entry.address) == storage.suffix(of: entry.address)
        }
        let published = state.list?.entries ?? FileList.Entries()
        let comparable = published.filter(isSameName)
        let difference = ListDifference(from: comparable, to: listed)
        var uploads = Set(uploadsAll ? listed.map(\.address) : difference.added + difference.changed)
        var removals = Set(difference.removed.map { PlacedFile($0, storage) })
        if let list = state.list?.list {
            for entry in published where !isSameName(entry) {
                removals.insert(PlacedFile(address: entry.address, suffix: list.suffix(of: entry.address)))
            }
        }
        var settled: [PublishingJournal.Item] = []
        func fileListed(at place: PlacedFile) -> StoredFile? {
            place.suffix == storage.suffix(of: place.address) ? listing.list.file(at: place.address) : nil
        }
        func replace(_ place: PlacedFile) {
            if fileListed(at: place) == nil { removals.insert(place) } else { uploads.insert(place.address) }
        }
        for record in state.records {
            let (item, file) = (record.item, fileListed(at: record.item.place))
            guard record.isSettled, !uploadsAll, item.file == file, !state.doubtful.contains(item.place) else {
                replace(item.place)
                continue
            }
            settled.append(item)
            if file == nil { removals.remove(item.place) } else { uploads.remove(item.place.address) }
        }
        state.doubtful.forEach(replace)
        entries = listed.filter { uploads.contains($0.address) }
        entryRemovals = removals.sorted()
        self.settled = settled
        self.storage = storage
        isAfterUnfinished = state.isUnfinished || state.hasLeftovers

        let trusted = state.isUnfinished || uploadsAll ? [:] : state.files
        files = listing.files.keys.filter { listing.files[$0] != trusted[$0] }
            .sorted { (PublishingPlan.rank($0), $0) < (PublishingPlan.rank($1), $1) }
        // A manifest may name any files; only a tileset's are removed.
        let names = Set(state.files.keys).union(state.journalFiles.map(\.name))
            .intersection(DirectoryTilesetWriter.fileNames)
        fileRemovals = names.filter { listing.files[$0] == nil && !keptNames.contains($0) }.sorted()

        let changes = entries.map { storage.relativePath(of: $0.address) } + settled.map(\.place.path)
        purges = state.files.isEmpty ? [] : changes + files + entryRemovals.map(\.path) + fileRemovals
    }

    /// The list before descriptions, and the manifest last: it says that everything is there.
    private static func rank(_ name: String) -> Int {
        switch name {
        case FileList.fileName: 0
        case TileJSON.fileName: 2
        case Manifest.fileName: 3
        default: 1
        }
    }

    /// Whether a name from an untrusted source can only be the name of a file beside the tiles.
    static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.hasPrefix("-")
            && !FileAddress.Kind.allCases.contains { $0.folder == name }
            && name.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
            }
    }
}
