import PyramidStore
import PyramidTiles

/// The state of a destination before a publish, according to its metadata.
struct PublishedState: Equatable, Sendable {
    /// The list that was published last; `nil` if there was nothing.
    var list: List?
    /// The files beside the tiles, by name; empty if no publish was ever completed.
    var files: [String: Manifest.FileSummary] = [:]
    /// The journal of an unfinished publish.
    var journal: PublishingJournal?
    /// The indices of the journal's items that are done.
    var settled = RangeSet<Int>()

    /// A list, and how its files are named.
    struct List: Equatable, Sendable {
        var list: PublishingJournal.KnownList
        /// In order.
        var entries: FileList.Entries
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
            known = [PublishingJournal.KnownList(manifest.files, manifest.content.storage)].compactMap(\.self) + known
            state.files[Manifest.fileName] = Manifest.FileSummary(of: manifestBytes)
        }
        // A list without a manifest that confirms it adds nothing to the journal.
        let name = FileList.fileName
        guard state.files[name] != nil else { return state }
        guard let bytes = try destination.content(of: name) else { throw damaged(destination, "\(name) is missing") }
        let found = Manifest.FileSummary(of: bytes)
        guard let list = known.first(where: { $0.list == found }) else {
            throw damaged(destination, "\(name) is not the list of the manifest there")
        }
        let entries = try decode(bytes, name, destination, FileList.init(decoding:)).entries
        state.list = List(list: list, entries: entries)
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
