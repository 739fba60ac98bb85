import PyramidStore
import PyramidTiles

/// What is known about a destination before a publish.
struct PublishedState: Equatable, Sendable {
    /// The lists that were published last, that of the tiles first; empty if there was nothing.
    var lists: [List] = []
    /// The files beside the tiles, by name; empty if no publish was ever completed.
    var files: [String: Manifest.FileSummary] = [:]
    /// The journal of a publish that wasn't completed.
    var journal: PublishingJournal?
    /// Which of the journal's items are settled, by their indices.
    var settled = RangeSet<Int>()

    /// The lists of tiles, bundles and pages.
    static let listNames = [TileList.fileName, BundleList.fileName, LeafList.fileName]

    /// The lists among the files of a tileset.
    static func lists(
        _ files: [String: Manifest.FileSummary], _ storage: TileStorage
    ) -> [PublishingJournal.KnownList] {
        listNames.compactMap { name in
            files[name].map {
                .init(list: $0, suffix: name == LeafList.fileName ? storage.pageSuffix : storage.suffix)
            }
        }
    }

    /// A list of tiles or pages.
    struct List: Equatable, Sendable {
        var list: PublishingJournal.KnownList
        /// In order.
        var entries: [ListEntry<FileAddress>]
    }

    /// Reads the metadata at a destination.
    /// - Throws: ``PublishingError`` if they contradict each other.
    static func reading(_ destination: some PublishingDestination) throws -> PublishedState {
        var state = PublishedState()
        try state.readJournal(destination)
        let manifestBytes = try destination.content(of: Manifest.fileName)
        var known = state.journal?.header.lists ?? []
        if let manifestBytes {
            let manifest = try decode(manifestBytes, Manifest.fileName, destination, Manifest.init(decoding:))
            state.files = manifest.files
            known = PublishedState.lists(manifest.files, manifest.content.storage) + known
            state.files[Manifest.fileName] = Manifest.FileSummary(of: manifestBytes)
        }
        // A list without a manifest that confirms it adds nothing to the journal.
        for name in PublishedState.listNames where state.files[name] != nil {
            guard let bytes = try destination.content(of: name) else {
                throw damaged(destination, "\(name) is missing")
            }
            let found = Manifest.FileSummary(of: bytes)
            guard let list = known.first(where: { $0.list == found }) else {
                throw damaged(destination, "\(name) is not the list of the manifest there")
            }
            var listing = TilesetListing()
            switch name {
            case TileList.fileName:
                listing.tiles = try decode(bytes, name, destination, TileList.init(decoding:))
            case BundleList.fileName:
                listing.bundles = try decode(bytes, name, destination, BundleList.init(decoding:))
            default:
                listing.leaves = try decode(bytes, name, destination, LeafList.init(decoding:))
            }
            state.lists.append(List(list: list, entries: listing.entries))
        }
        return state
    }

    private mutating func readJournal(_ destination: some PublishingDestination) throws {
        guard let bytes = try destination.content(of: PublishingJournal.fileName) else { return }
        let journal = try PublishedState.decode(
            bytes, PublishingJournal.fileName, destination, PublishingJournal.init(decoding:))
        self.journal = journal
        settled = RangeSet(0..<max(journal.header.settledCount, 0))
        let note = try destination.content(of: PublishingProgressNote.fileName)
        if let note = note.flatMap(PublishingProgressNote.init(decoding:)), note.journal == Gzip.crc32(bytes) {
            settled.formUnion(note.settled)
        }
    }

    private static func damaged(_ destination: some PublishingDestination, _ problem: String) -> PublishingError {
        PublishingError(.badData, "\(destination): \(problem)", cause: .damagedMetadata)
    }

    private static func decode<Value>(
        _ bytes: [UInt8], _ name: String, _ destination: some PublishingDestination,
        _ read: ([UInt8]) throws(MetadataError) -> Value
    ) throws -> Value {
        do throws(MetadataError) {
            return try read(bytes)
        } catch {
            throw damaged(destination, "\(name) \(error)")
        }
    }
}
