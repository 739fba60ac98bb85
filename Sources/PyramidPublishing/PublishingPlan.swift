import PyramidStore
import PyramidTiles

/// The uploads and removals of a publish, in the order of the properties. Clients that read meanwhile find tiles of the
/// old tileset or the new one, and never a TileJSON without its tiles.
public struct PublishingPlan: Equatable, Sendable {
    /// Tiles of the new tileset that are not at the destination, in order, followed by such pages of clusters' points.
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
    /// Files of unfinished publishes that no list there names. They are removed first, because they may take the space
    /// that the uploads need.
    let strays: [String]
    /// Files that clients may still know. They are removed last.
    let lastRemovals: [String]
    /// Tiles and pages that unfinished publishes have brought up to date already.
    let settled: [PublishingJournal.Item]
    /// How tiles and pages are stored.
    let storage: TileStorage
    /// Whether an earlier publish is unfinished.
    let isAfterUnfinished: Bool
    /// The folders of versions that may be there until the publish is done, and aren't to stay, or not yet; `nil` for a
    /// publish in place.
    let unfinishedVersions: [String]?

    /// Whether the destination is up to date.
    public var isEmpty: Bool { uploads.isEmpty && removals.isEmpty && !isAfterUnfinished }

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
    ///   - sizes: of the files that are there, by path; `nil` if they aren't known.
    ///   - uploadsAll: whether to upload every file, changed or not.
    ///   - keptNames: files beside the tiles that are not removed.
    init(
        from state: PublishedState, to listing: TilesetListing, sizes: [String: Int]? = nil, uploadsAll: Bool = false,
        keptNames: Set<String> = []
    ) {
        let storage = listing.storage ?? TileStorage()
        let listed = listing.list.entries
        func isMissing(_ path: String, _ byteCount: Int) -> Bool { sizes.map { $0[path] != byteCount } ?? false }
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
        for (index, item) in state.items.enumerated() {
            let place = item.place
            guard let file = fileListed(at: place) else {
                removals.insert(place)
                continue
            }
            if index < state.settledCount, !uploadsAll, item.file == file, !isMissing(place.path, file.byteCount) {
                settled.append(item)
                uploads.remove(place.address)
            } else {
                uploads.insert(place.address)
            }
        }
        entries = listed.filter { entry in
            uploads.contains(entry.address)
                || isMissing(storage.relativePath(of: entry.address), entry.file.byteCount)
        }
        let isListed = removals.sorted().map { (place: $0, isListed: state.lists($0)) }
        strays = isListed.filter { !$0.isListed }.map(\.place.path)
        (folder, pointer, oldPointer, unfinishedVersions) = ("", nil, nil, nil)
        self.settled = settled
        self.storage = storage
        isAfterUnfinished = state.isUnfinished

        let trusted = state.isUnfinished || uploadsAll ? [:] : state.files
        files = listing.files.filter { $0.value != trusted[$0.key] || isMissing($0.key, $0.value.bytes) }.keys
            .sorted { (PublishingPlan.rank($0), $0) < (PublishingPlan.rank($1), $1) }
        // A manifest may name any files; only a tileset's are removed.
        let names = Set(state.files.keys).union(state.journalFiles.map(\.name))
            .intersection(DirectoryTilesetWriter.fileNames)
        lastRemovals =
            isListed.filter(\.isListed).map(\.place.path)
            + names.filter { listing.files[$0] == nil && !keptNames.contains($0) }.sorted()

        let changes = entries.map { storage.relativePath(of: $0.address) } + settled.map(\.place.path)
        purges = state.files.isEmpty ? [] : changes + files + strays + lastRemovals
    }

    /// The plan for a version, in a folder of its own. Whatever is there in that folder needs no upload: its name says which
    /// files they are.
    /// - Parameters:
    ///   - version: the name of the folder.
    ///   - published: the versions that are there.
    ///   - keptCount: how many others stay.
    ///   - pointer: the TileJSON that leads to the first of some versions.
    init(
        of version: String, _ listing: TilesetListing, sizes: [String: Int], uploadsAll: Bool,
        published: PublishedVersions, keptCount: Int, pointer: (PublishedVersions) throws -> [UInt8]
    ) throws {
        let folder = version + "/"
        let storage = listing.storage ?? TileStorage()
        func isMissing(_ path: String, _ byteCount: Int) -> Bool { uploadsAll || sizes[folder + path] != byteCount }
        entries = listing.list.entries.filter {
            isMissing(storage.relativePath(of: $0.address), $0.file.byteCount)
        }
        files = listing.files.filter { isMissing($0.key, $0.value.bytes) }.keys
            .sorted { (PublishingPlan.rank($0), $0) < (PublishingPlan.rank($1), $1) }
        let versions = published.adding(version, keptCount: keptCount)
        let bytes = try pointer(versions)
        self.pointer = bytes == published.pointer && !uploadsAll ? nil : bytes
        oldPointer = published.pointer
        let gone = published.all.filter { !versions.names.contains($0) }
        let paths = sizes.keys.filter { path in
            gone.contains { path.hasPrefix($0 + "/") && VersionFolder.canHave(path.dropFirst($0.utf8.count + 1)) }
        }.sorted()
        let isKnown = { (path: String) in published.names.contains { path.hasPrefix($0 + "/") } }
        strays = paths.filter { !isKnown($0) }
        lastRemovals = paths.filter(isKnown)
        purges = published.pointer != nil && self.pointer != nil ? [TileJSON.fileName] : []
        unfinishedVersions = gone + (published.names.contains(version) ? [] : [version])
        isAfterUnfinished = published.unfinished != nil
        (self.folder, self.storage) = (folder, storage)
        settled = []
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
