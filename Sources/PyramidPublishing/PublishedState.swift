import PyramidStore
import PyramidTiles

/// The state of a destination before a publish, according to its metadata.
struct PublishedState: Equatable, Sendable {
    /// The list that was published last; `nil` if there was nothing.
    var list: List?
    /// The files beside the tiles, by name; empty if no publish was ever completed.
    var files: [String: Manifest.FileSummary] = [:]
    /// The items of the journal of an unfinished publish.
    var items: [PublishingJournal.Item] = []
    /// The first items, this many, are as the journal says. The others may be as they were before.
    var settledCount = 0
    /// The files beside the tiles that an unfinished publish knows.
    var journalFiles: [PublishingJournal.KnownFile] = []
    /// Whether a publish has begun, and neither it nor a later one has ended.
    var isUnfinished = false
    /// Whether a power cut has emptied metadata, so that it isn't known which files there are.
    private(set) var isEmptied = false

    /// A list, and how its files are named.
    struct List: Equatable, Sendable {
        var list: PublishingJournal.KnownList
        /// In order.
        var entries: FileList.Entries
    }

    init() {}

    /// Reads the metadata at a destination.
    /// - Parameter trustsStatus: whether only publishes have changed files there since their status was written.
    /// - Throws: ``PublishingError`` if they contradict each other.
    init(of destination: some PublishingDestination, trustsStatus: Bool) throws {
        try readJournal(destination, trustsStatus: trustsStatus)
        var known = journalLists
        if let bytes = try content(of: Manifest.fileName, at: destination) {
            let manifest = try PublishedState.decode(
                bytes, Manifest.fileName, destination, Manifest.init(decoding:))
            files = manifest.files
            known += [PublishingJournal.KnownList(manifest.files, manifest.content.storage)].compactMap(\.self)
            files[Manifest.fileName] = Manifest.FileSummary(of: bytes)
        }
        // A list without a manifest that confirms it adds nothing to the journal.
        let name = FileList.fileName
        guard files[name] != nil else { return }
        guard let bytes = try content(of: name, at: destination) else {
            if isEmptied { return }
            throw PublishedState.damaged(destination, "\(name) is missing")
        }
        let found = Manifest.FileSummary(of: bytes)
        guard let list = known.first(where: { $0.list == found }) else {
            throw PublishedState.damaged(destination, "\(name) is not the list of the manifest there")
        }
        let entries = try PublishedState.decode(bytes, name, destination, FileList.init(decoding:)).entries
        self.list = List(list: list, entries: entries)
    }

    /// The lists that an unfinished publish knows.
    private(set) var journalLists: [PublishingJournal.KnownList] = []

    private mutating func readJournal(_ destination: some PublishingDestination, trustsStatus: Bool) throws {
        guard let bytes = try content(of: PublishingJournal.fileName, at: destination) else { return }
        let journal = try PublishedState.decode(
            bytes, PublishingJournal.fileName, destination, PublishingJournal.init(decoding:))
        isUnfinished = true
        (journalLists, journalFiles) = (journal.header.lists, journal.header.files)
        let found = try destination.content(of: PublishingStatus.fileName)
        let status = found.flatMap { try? PublishingStatus(decoding: $0) }
        // A publish that has written its journal, and nothing else, has changed nothing.
        let isNoted = status?.journal == journal.header.token
        items = journal.items
        if trustsStatus { settledCount = isNoted ? status?.doneCount ?? 0 : journal.header.settledCount }
    }

    /// The content of a file; `nil` if there is none, or nothing but zeros, which only a power cut leaves.
    private mutating func content(of name: String, at destination: some PublishingDestination) throws -> [UInt8]? {
        guard let bytes = try destination.content(of: name) else { return nil }
        guard bytes.allSatisfy({ $0 == 0 }) else { return bytes }
        isEmptied = true
        return nil
    }

    /// Whether a file beside the tiles was published, going by its content.
    func hasPublished(_ name: String, _ summary: Manifest.FileSummary) -> Bool {
        files[name] == summary || journalFiles.contains { $0.name == name && $0.file == summary }
    }

    /// Whether the published list has a file of this address and name.
    func lists(_ place: PlacedFile) -> Bool {
        guard let list, list.list.suffix(of: place.address) == place.suffix else { return false }
        let index = list.entries.partitioningIndex { $0.address >= place.address }
        return index < list.entries.endIndex && list.entries[index].address == place.address
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
