import PyramidStore
import PyramidTiles

/// The state of a destination before a publish, according to its metadata.
struct PublishedState: Equatable, Sendable {
    /// The list that was published last; `nil` if there was nothing.
    var list: List?
    /// The files beside the tiles, by name; empty if no publish was ever completed.
    var files: [String: Manifest.FileSummary] = [:]
    var status = PublishingStatus()
    /// That of the last publish; `nil` if there is none.
    var journal: PublishingJournal?
    /// The items of the journal, unless its publish is over.
    var records: [Record] = []
    /// Files that publishes may have changed after they were overtaken.
    var doubtful: Set<PlacedFile> = []
    /// The files beside the tiles that unfinished publishes know.
    var journalFiles: [PublishingJournal.KnownFile] = []

    /// Whether a publish has begun, and has not been completed or repaired.
    var isUnfinished = false

    /// Whether only notes of a publish are left to be tidied up.
    var hasLeftovers = false

    /// A list, and how its files are named.
    struct List: Equatable, Sendable {
        var list: PublishingJournal.KnownList
        /// In order.
        var entries: FileList.Entries
    }

    /// An item of a journal.
    struct Record: Equatable, Sendable {
        var item: PublishingJournal.Item
        /// Whether the file is as the journal says. Otherwise it may be as it was before.
        var isSettled: Bool
    }

    /// Reads the metadata at a destination.
    /// - Parameter trustsProgress: whether only publishes have changed files there since their status was written.
    /// - Throws: ``PublishingError`` if they contradict each other, or if another publish has changed them meanwhile.
    static func reading(
        _ destination: some PublishingDestination, trustsProgress: Bool = true
    ) throws -> PublishedState {
        let status = try destination.content(of: PublishingStatus.fileName)
        do {
            return try reading(destination, status: status, trustsProgress: trustsProgress)
        } catch let error as PublishingError where error.kind == .badData {
            guard try destination.content(of: PublishingStatus.fileName) == status else {
                throw PublishingError(.busy, "\(destination): another publish is in progress there")
            }
            throw error
        }
    }

    private static func reading(
        _ destination: some PublishingDestination, status: [UInt8]?, trustsProgress: Bool
    ) throws -> PublishedState {
        var state = PublishedState()
        try state.readNotes(destination, status, trustsProgress: trustsProgress)
        let doubts = state.journal?.header.doubts ?? []
        let manifestBytes = try destination.content(of: Manifest.fileName)
        var known = state.journal?.header.lists ?? []
        if let manifestBytes {
            let manifest = try decode(manifestBytes, Manifest.fileName, destination, Manifest.init(decoding:))
            state.files = manifest.files
            known += [PublishingJournal.KnownList(manifest.files, manifest.content.storage)].compactMap(\.self)
            state.files[Manifest.fileName] = Manifest.FileSummary(of: manifestBytes)
        }
        // A list without a manifest that confirms it adds nothing to the journal.
        let name = FileList.fileName
        if state.files[name] != nil {
            guard let bytes = try destination.content(of: name) else {
                throw damaged(destination, "\(name) is missing")
            }
            let found = Manifest.FileSummary(of: bytes)
            guard let list = (known + doubts.flatMap(\.lists)).first(where: { $0.list == found }) else {
                throw damaged(destination, "\(name) is not the list of the manifest there")
            }
            let entries = try decode(bytes, name, destination, FileList.init(decoding:)).entries
            state.list = List(list: list, entries: entries)
        }
        for doubt in doubts {
            state.doubtful.formUnion(doubt.open)
            // The list of a publish that was overtaken, and not also one that the journal knows.
            guard let list = state.list?.list.list, list == doubt.lists.last?.list,
                state.journal?.header.lists.contains(where: { $0.list == list }) == false
            else { continue }
            state.doubtful.formUnion(doubt.listed)
        }
        return state
    }

    private mutating func readNotes(
        _ destination: some PublishingDestination, _ bytes: [UInt8]?, trustsProgress: Bool
    ) throws {
        // Read even without a status: that there is none is a condition of writing it.
        let journalBytes = try destination.content(of: PublishingJournal.fileName)
        if let bytes {
            status = try PublishedState.decode(
                bytes, PublishingStatus.fileName, destination, PublishingStatus.init(decoding:))
            hasLeftovers = !destination.hasConditions
        }
        guard let journalBytes else {
            guard status.progress?.isOver ?? true else {
                throw PublishedState.damaged(destination, "\(PublishingJournal.fileName) is missing")
            }
            return
        }
        let journal = try PublishedState.decode(
            journalBytes, PublishingJournal.fileName, destination, PublishingJournal.init(decoding:))
        self.journal = journal
        journalFiles = journal.header.doubts.flatMap(\.files)
        isUnfinished = !journal.header.doubts.isEmpty
        let progress = status.progress.flatMap { $0.token == journal.header.token ? $0 : nil }
        guard progress?.isOver != true else {
            hasLeftovers = hasLeftovers || !journal.items.isEmpty
            return
        }
        isUnfinished = true
        journalFiles += journal.header.files
        // A publish that has written its journal, and nothing else, has changed nothing.
        let settled = progress?.settled.set ?? RangeSet(0..<journal.header.settledCount)
        records = journal.items.enumerated().map { index, item in
            Record(item: item, isSettled: trustsProgress && settled.contains(index))
        }
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
