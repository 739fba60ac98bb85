import PyramidStore
import PyramidTiles

/// The state of a destination before a publish, according to its metadata.
struct PublishedState: Equatable, Sendable {
    /// The list that was published last; `nil` if there was nothing.
    var list: List?
    /// The files beside the tiles, by name; empty if no publish was ever completed.
    var files: [String: Manifest.FileSummary] = [:]
    /// The publishes that may still be writing.
    var status = PublishingStatus()
    /// The items of their journals.
    var records: [Record] = []
    /// The files beside the tiles that their journals know.
    var journalFiles: [PublishingJournal.KnownFile] = []

    /// Whether a publish has begun, and has not been completed or repaired.
    var isUnfinished: Bool { !status.unfinished.isEmpty }

    /// Whether only notes of a publish are left to be removed.
    var hasLeftovers = false

    /// A list, and how its files are named.
    struct List: Equatable, Sendable {
        var list: PublishingJournal.KnownList
        /// In order.
        var entries: FileList.Entries
    }

    /// An item of a journal.
    struct Record: Equatable, Sendable {
        enum Stage: Sendable {
            /// As the journal says.
            case settled
            /// As the journal says, or as it was before.
            case pending
            /// May yet be changed by a publish that was overtaken.
            case doubtful
        }

        var item: PublishingJournal.Item
        var stage: Stage
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
        let journals = try state.readJournals(destination, status)
        let manifestBytes = try destination.content(of: Manifest.fileName)
        var known = journals.flatMap(\.journal.header.lists)
        if let manifestBytes {
            let manifest = try decode(manifestBytes, Manifest.fileName, destination, Manifest.init(decoding:))
            state.files = manifest.files
            known = [PublishingJournal.KnownList(manifest.files, manifest.content.storage)].compactMap(\.self) + known
            state.files[Manifest.fileName] = Manifest.FileSummary(of: manifestBytes)
        }
        // A list without a manifest that confirms it adds nothing to the journals.
        let name = FileList.fileName
        if state.files[name] != nil {
            guard let bytes = try destination.content(of: name) else {
                throw damaged(destination, "\(name) is missing")
            }
            let found = Manifest.FileSummary(of: bytes)
            guard let list = known.first(where: { $0.list == found }) else {
                throw damaged(destination, "\(name) is not the list of the manifest there")
            }
            let entries = try decode(bytes, name, destination, FileList.init(decoding:)).entries
            state.list = List(list: list, entries: entries)
        }
        for (publish, journal) in journals {
            state.append(journal, of: publish, trustsProgress: trustsProgress)
        }
        return state
    }

    private mutating func readJournals(
        _ destination: some PublishingDestination, _ bytes: [UInt8]?
    ) throws -> [(publish: PublishingStatus.Publish, journal: PublishingJournal)] {
        guard let bytes else { return [] }
        status = try PublishedState.decode(
            bytes, PublishingStatus.fileName, destination, PublishingStatus.init(decoding:))
        hasLeftovers = !destination.hasConditions
        return try status.unfinished.map { publish in
            guard let bytes = try destination.content(of: publish.journalName) else {
                throw PublishedState.damaged(destination, "\(publish.journalName) is missing")
            }
            return (
                publish,
                try PublishedState.decode(
                    bytes, publish.journalName, destination, PublishingJournal.init(decoding:))
            )
        }
    }

    private mutating func append(
        _ journal: PublishingJournal, of publish: PublishingStatus.Publish, trustsProgress: Bool
    ) {
        journalFiles += journal.header.files
        let isOvertaken = publish.stage == .overtaken
        // An overtaken publish has written its list after all. What else it had to do may not be done.
        let isAllInDoubt = isOvertaken && publish.opensList && list?.list.list == journal.header.lists.last?.list
        for (index, item) in journal.items.enumerated() {
            if isOvertaken {
                guard isAllInDoubt || publish.open.set.contains(index) else { continue }
                records.append(Record(item: item, stage: .doubtful))
            } else {
                let isSettled = trustsProgress && publish.settled.set.contains(index)
                records.append(Record(item: item, stage: isSettled ? .settled : .pending))
            }
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
