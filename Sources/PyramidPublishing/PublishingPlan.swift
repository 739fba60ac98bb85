import PyramidStore
import PyramidTiles

/// The uploads and removals of a publish, in the order of the properties. Clients that read meanwhile find tiles of the
/// old tileset or the new one, and never a TileJSON without its tiles.
public struct PublishingPlan: Equatable, Sendable {
    /// Tiles and bundles of the new tileset that are not at the destination, in order.
    public let entries: [FileList.Entry]
    /// Files beside the tiles that differ; `tilejson.json` and the manifest come last.
    public let files: [String]
    /// The paths of all files to upload, at the destination.
    public var uploads: [String] {
        (entries.map { storage.relativePath(of: $0.address) } + files).map { folder + $0 }
            + (pointer == nil ? [] : [TileJSON.fileName])
    }
    /// The paths of files to remove.
    public var removals: [String] { strays + lastRemovals }
    /// The paths of files that have changed since the last completed publish, so that caches may hold older ones. Empty
    /// if nothing was published before.
    public let purges: [String]

    /// The folder of `entries` and `files`, with a slash, or nothing.
    let folder: String
    /// The TileJSON that leads to a version, if it differs from the one there.
    let pointer: [UInt8]?
    /// The one there; `nil` if there is none.
    let oldPointer: [UInt8]?
    /// Files that may be there and that no list names: those of unfinished publishes. They are removed first, because
    /// they may take the space that the uploads need.
    let strays: [String]
    /// Files that clients may still know. They are removed last.
    let lastRemovals: [String]
    /// Tiles and bundles that unfinished publishes have brought up to date already.
    let settled: [PublishingJournal.Item]
    /// How tiles are stored.
    let storage: TileStorage
    /// Whether an earlier publish is unfinished.
    let isAfterUnfinished: Bool
    /// Whether the destination is up to date.
    public var isEmpty: Bool { uploads.isEmpty && removals.isEmpty && !isAfterUnfinished }

    /// The total size of the entries.
    public var tileByteCount: Int { entries.reduce(0) { $0 + $1.file.byteCount } }

    /// - Parameters:
    ///   - listing: of a complete tileset.
    ///   - sizes: of the files that are there, by path; `nil` if they aren't known.
    ///   - uploadsAll: whether to upload every file, changed or not.
    ///   - found: paths of files that are there, and that pyramid has written.
    ///   - keptNames: files beside the tiles that are not removed.
    ///   - pointer: the TileJSON that leads to the version; `nil` for a publish in place.
    init(
        from state: PublishedState, to listing: TilesetListing, sizes: [String: Int]? = nil, uploadsAll: Bool = false,
        found: [String] = [], keptNames: Set<String> = [], pointer: [UInt8]? = nil
    ) {
        let storage = listing.storage ?? TileStorage()
        let folder = state.tree.folder
        func isMissing(_ path: @autoclosure () -> String, _ byteCount: Int) -> Bool {
            sizes.map { $0[path()] != byteCount } ?? false
        }
        func isUpToDate(_ file: StoredFile, at place: PlacedFile) -> Bool {
            !uploadsAll && state.hasSent(file, to: place) && !isMissing(place.path, file.byteCount)
        }
        entries = listing.list.entries.filter { entry in
            !isUpToDate(entry.file, at: PlacedFile(folder, entry.address, storage))
        }
        func isGone(_ place: PlacedFile) -> Bool {
            place.folder != folder || !listing.holds(place.address, suffix: place.suffix)
        }
        settled = state.settled.filter { place, file in
            !isGone(place) && listing.list.file(at: place.address) == file && isUpToDate(file, at: place)
        }.map { PublishingJournal.Item(place: $0, file: $1) }.sorted { $0.place < $1.place }

        var gone = Set(found.compactMap { PlacedFile(path: $0) }).union(state.settled.keys).union(state.unsettled)
            .filter(isGone)
        for tree in state.trees { gone.formUnion(tree.places.lazy.filter(isGone)) }
        strays = gone.filter { !state.lists($0) }.sorted().map(\.path)

        let trusted = state.isUnfinished || uploadsAll ? [:] : state.tree.files
        files = listing.files.filter { $0.value != trusted[$0.key] || isMissing(folder + $0.key, $0.value.bytes) }.keys
            .sorted { (PublishingPlan.rank($0), $0) < (PublishingPlan.rank($1), $1) }
        // A manifest may name any files; only a tileset's are removed.
        let names = state.trees.flatMap { tree in tree.files.keys.map { tree.folder + $0 } }
        let oldNames = Set(names + state.journalFiles.map(\.name) + found).filter(VersionFolder.isMetadata)
            .subtracting(keptNames).subtracting(listing.files.keys.map { folder + $0 })
        lastRemovals = gone.filter(state.lists).sorted().map(\.path) + oldNames.sorted()

        (self.folder, self.storage) = (folder, storage)
        isAfterUnfinished = state.isUnfinished
        oldPointer = state.pointer
        self.pointer = pointer == state.pointer && !uploadsAll ? nil : pointer
        let changes = entries.map { storage.relativePath(of: $0.address) } + settled.map(\.place.path)
        purges =
            pointer != nil
            ? (state.pointer != nil && self.pointer != nil ? [TileJSON.fileName] : [])
            : state.tree.files.isEmpty ? [] : changes + files + strays + lastRemovals
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
}
