/// What is known of a destination before a publish.
struct PublishedState: Equatable, Sendable {
    /// The tiles that were published last; none where there was nothing.
    var tiles = TileList([])
    /// Of these tiles.
    var suffix = TileStorage().suffix
    /// The list's file; `nil` where there is none.
    var list: Manifest.FileSummary?
    /// The files beside the tiles, by name; none where no publish has come to its end.
    var files: [String: Manifest.FileSummary] = [:]
    /// Of a publish that did not come to its end.
    var journal: PublishingJournal?
    /// So many of the journal's items are as they say.
    var settledCount = 0

    /// Reads the metadata at a destination.
    /// - Throws: ``PublishingError`` where they don't fit together.
    static func reading(_ destination: some PublishingDestination) throws -> PublishedState {
        var state = PublishedState()
        try state.readJournal(destination)
        let manifestBytes = try destination.content(of: Manifest.fileName)
        let listBytes = try destination.content(of: TileList.fileName)
        var known = state.journal?.header.lists ?? []
        if let manifestBytes {
            let manifest = try decode(manifestBytes, Manifest.fileName, destination, Manifest.init(decoding:))
            state.files = manifest.files
            state.files[Manifest.fileName] = Manifest.FileSummary(of: manifestBytes)
            if let list = manifest.files[TileList.fileName] {
                known.insert(.init(list: list, suffix: manifest.content.storage.suffix), at: 0)
            }
        } else if state.journal == nil {
            // A list that nobody vouches for says nothing of the tiles.
            return state
        }
        guard let listBytes else {
            // A first publish that was interrupted has not come to the list.
            if manifestBytes == nil { return state }
            throw PublishingError(.badData, "\(destination): \(TileList.fileName) is missing\(advice)")
        }
        let found = Manifest.FileSummary(of: listBytes)
        guard let list = known.first(where: { $0.list == found }) else {
            throw PublishingError(
                .badData, "\(destination): \(TileList.fileName) is not the list of the manifest there\(advice)")
        }
        state.tiles = try decode(listBytes, TileList.fileName, destination, TileList.init(decoding:))
        state.suffix = list.suffix
        state.list = found
        return state
    }

    private mutating func readJournal(_ destination: some PublishingDestination) throws {
        guard let bytes = try destination.content(of: PublishingJournal.fileName) else { return }
        let journal = try PublishedState.decode(
            bytes, PublishingJournal.fileName, destination, PublishingJournal.init(decoding:))
        self.journal = journal
        settledCount = journal.header.settledCount
        let note = try destination.content(of: PublishingProgressNote.fileName)
        if let note = note.flatMap(PublishingProgressNote.init(decoding:)), note.journal == Gzip.crc32(bytes) {
            settledCount = max(settledCount, note.settledCount)
        }
    }

    private static let advice = "; --all uploads every file, whatever is there"

    private static func decode<Value>(
        _ bytes: [UInt8], _ name: String, _ destination: some PublishingDestination,
        _ read: ([UInt8]) throws(MetadataError) -> Value
    ) throws -> Value {
        do throws(MetadataError) {
            return try read(bytes)
        } catch {
            throw PublishingError(.badData, "\(destination): \(name) \(error)\(advice)")
        }
    }
}
