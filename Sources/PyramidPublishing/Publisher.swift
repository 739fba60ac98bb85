import PyramidPlatform
import PyramidStore
import PyramidTiles

/// Brings a destination up to date with a tileset, and uploads only files that differ.
///
///     let publisher = Publisher(tileset: DirectoryTileset(path: "out"), destination: DirectoryDestination(path: "/srv/www/points"))
///     let plan = try publisher.publish()
///     for path in plan.purges { print(path) }
///
/// What is at the destination is known from the list of files published last and from the journal of an
/// interrupted publish, so nothing is listed and no tile is read there. Tiles and pages come first, then their list,
/// the TileJSON and the manifest; deletions come last. The next publish continues an interrupted one, whether it is of
/// the same tileset or another.
public struct Publisher: Sendable {
    public let tileset: any TilesetReader
    public let destination: any PublishingDestination
    public var caching = PublishingCaching()
    /// Whether to upload every file, changed or not: if the destination's metadata is damaged, someone else changed its
    /// files, or its headers should change.
    public var uploadsAll = false
    /// The number of files per batch of uploads or removals.
    public var batchCount = 2000
    /// The time between two notes of the progress. After a publish is killed, uploads since the last note are repeated.
    var noteInterval: Duration = .seconds(5)

    /// - Parameter tileset: not an archive; ``ArchivePublisher`` publishes those.
    public init(tileset: any TilesetReader, destination: any PublishingDestination) {
        precondition(!(tileset is ArchiveTileset), "an archive is published as one file")
        self.tileset = tileset
        self.destination = destination
    }

    /// The progress of a publish.
    public enum Progress: Equatable, Sendable {
        case uploading(filesDone: Int, of: Int, byteCount: Int)
        case removing(filesDone: Int, of: Int)
    }

    /// The plan of ``publish(progress:)``. Writes nothing.
    public func plan() throws -> PublishingPlan {
        try prepare().plan
    }

    /// Carries out the plan.
    /// - Parameter progress: called after every file, or after every batch if the destination doesn't report files.
    /// - Returns: the plan that was carried out.
    /// - Throws: ``PublishingError`` and `StoreError`; a later publish then continues.
    @discardableResult
    public func publish(progress: (Progress) -> Void = { _ in }) throws -> PublishingPlan {
        let (state, local, plan) = try prepare()
        if plan.isEmpty { return plan }
        var note = try begin(plan, from: state, local)
        do {
            try uploadEntries(of: plan, &note, progress)
            try checkIsUnchanged(local)
            for name in plan.files {
                guard let content = local.contents[name] else { continue }
                try destination.put(content, as: name, caching.metadataHeaders(name))
            }
            try remove(plan.removals, &note, progress)
            try destination.remove([PublishingJournal.fileName, PublishingProgressNote.fileName])
        } catch let error as PublishingError where [.failed, .stopped].contains(error.kind) {
            let done = note.settledCount(from: plan.settled.count)
            throw PublishingError(
                error.kind,
                "\(error); \(done) of \(plan.entries.count) tiles and pages are uploaded, and the next publish "
                    + "continues from there",
                cause: uploadsAll ? .interruptedUploadOfAll : nil)
        }
        return plan
    }

    /// A tileset and its metadata.
    private struct Local {
        var listing: TilesetListing
        /// The bytes of the files beside the tiles.
        var contents: [String: [UInt8]]
    }

    private func prepare() throws -> (state: PublishedState, local: Local, plan: PublishingPlan) {
        let local = try readPyramid()
        var state = PublishedState()
        do {
            state = try PublishedState.reading(destination)
        } catch let error as PublishingError where uploadsAll && error.kind == .badData {}
        if let header = state.journal?.header, header.isOfRunningProcess {
            throw PublishingError(
                .busy, "\(destination): process \(header.process) on this machine is publishing there")
        }
        return (state, local, PublishingPlan(from: state, to: local.listing, uploadsAll: uploadsAll))
    }

    private func readPyramid() throws -> Local {
        try checkIsComplete()
        let listing = try TilesetListing(of: tileset)
        var contents: [String: [UInt8]] = [:]
        for (name, summary) in listing.files {
            let content = try tileset.metadataBytes(of: name)
            guard PublishingPlan.isPlainName(name), Manifest.FileSummary(of: content) == summary else {
                throw StoreError(path: tileset.path(ofFile: name), reason: .notAsListed)
            }
            contents[name] = content
        }
        return Local(listing: listing, contents: contents)
    }

    private func checkIsComplete() throws {
        guard !tileset.isBeingBuilt else {
            throw StoreError(path: tileset.name, reason: .incomplete)
        }
    }

    /// Writes the journal: until the end, it and the published lists together state what is at the destination.
    private func begin(
        _ plan: PublishingPlan, from state: PublishedState, _ local: Local
    ) throws -> PublishingProgressNote {
        let storage = plan.storage
        let items =
            plan.settled
            + plan.entries.map { .init(place: PlacedFile($0.address, storage), file: $0.file) }
            + plan.entryRemovals.map { .init(place: $0, file: nil) }
        let journal = PublishingJournal(
            header: .init(
                host: PublishingJournal.Header.thisHost, process: Int(getpid()),
                token: UInt64.random(in: .min ... .max).hexadecimal,
                lists: [state.list?.list, .init(local.listing.files, storage)].compactMap(\.self),
                names: plan.knownNames, settledCount: plan.settled.count),
            items: items)
        let bytes = try journal.encoded()
        try destination.put(bytes, as: PublishingJournal.fileName, Publisher.noteHeaders)
        let note = PublishingProgressNote(
            journal: Gzip.crc32(bytes), settled: RangeSet(0..<plan.settled.count))
        try put(note)
        return note
    }

    private func put(_ note: PublishingProgressNote) throws {
        try destination.put(note.encoded(), as: PublishingProgressNote.fileName, Publisher.noteHeaders)
    }

    private func replace(_ note: PublishingProgressNote) throws {
        try checkIsOurs(note)
        try put(note)
    }

    private static let noteHeaders = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")

    /// Throws if another publish has started since, which then owns the destination.
    private func checkIsOurs(_ note: PublishingProgressNote) throws {
        let found = try destination.content(of: PublishingProgressNote.fileName)
        guard found.flatMap(PublishingProgressNote.init(decoding:))?.journal == note.journal else {
            throw PublishingError(.busy, "\(destination): another publish has begun there, this one stops")
        }
    }

    private func uploadEntries(
        of plan: PublishingPlan, _ note: inout PublishingProgressNote, _ progress: (Progress) -> Void
    ) throws {
        let clock = ContinuousClock()
        var noted = clock.now
        var byteCount = 0
        var lastNote = note
        var start = 0
        while start < plan.entries.count {
            // Files of one type have the same headers.
            let headers = caching.headers(of: plan.entries[start].address, plan.storage)
            let batch = plan.entries[start...].prefix(batchCount).prefix {
                caching.headers(of: $0.address, plan.storage) == headers
            }
            start = batch.endIndex
            let scratch = tileset.directoryPath == nil ? try ScratchDirectory() : nil
            for entry in batch {
                let bytes = try bytes(of: entry)
                _ = try scratch?.file(plan.storage.relativePath(of: entry.address), bytes)
            }
            let paths = batch.map { plan.storage.relativePath(of: $0.address) }
            var missing = Dictionary(uniqueKeysWithValues: zip(paths, batch.indices))
            func settle(_ path: String) {
                guard let index = missing.removeValue(forKey: path) else { return }
                note.settled.insert(contentsOf: plan.settled.count + index..<plan.settled.count + index + 1)
                byteCount += plan.entries[index].file.byteCount
                let done = batch.endIndex - missing.count
                progress(.uploading(filesDone: done, of: plan.entries.count, byteCount: byteCount))
            }
            do {
                try destination.upload(paths, from: tileset.directoryPath ?? scratch?.path("") ?? "", headers) { path in
                    settle(path)
                    guard clock.now - noted >= noteInterval else { return }
                    try replace(note)
                    (lastNote, noted) = (note, clock.now)
                }
                for path in paths { settle(path) }
                try replace(note)
            } catch {
                // If the destination can't be reached any more, the last note stays there.
                if (try? replace(note)) == nil { note = lastNote }
                throw error
            }
            (lastNote, noted) = (note, clock.now)
        }
    }

    /// A file that doesn't match the list is not published.
    private func bytes(of entry: FileList.Entry) throws -> [UInt8] {
        let bytes = try tileset.storedBytes(of: entry.address, limitBytes: TileStorage.tileLimitBytes)
        guard bytes.count == entry.file.byteCount, Gzip.crc32(bytes) == entry.file.crc32 else {
            let path = tileset.path(ofFile: tileset.storage.relativePath(of: entry.address))
            throw StoreError(path: path, reason: .notAsListed)
        }
        return bytes
    }

    /// A build during the upload may have replaced tiles that are uploaded already; their list must not follow then.
    private func checkIsUnchanged(_ local: Local) throws {
        try checkIsComplete()
        guard try tileset.metadataBytes(of: Manifest.fileName) == local.contents[Manifest.fileName] else {
            throw PublishingError(
                .badData, "\(tileset.name): was built again during the upload, expected it to stay as it is")
        }
    }

    private func remove(
        _ paths: [String], _ note: inout PublishingProgressNote, _ progress: (Progress) -> Void
    ) throws {
        for start in stride(from: 0, to: paths.count, by: batchCount) {
            try checkIsOurs(note)
            let end = min(start + batchCount, paths.count)
            try destination.remove(Array(paths[start..<end]))
            progress(.removing(filesDone: end, of: paths.count))
        }
    }
}

extension PublishingJournal.Header {
    /// The name of this machine, without querying the network.
    static var thisHost: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }

    /// Whether it was written by another process of this machine that is still running.
    fileprivate var isOfRunningProcess: Bool {
        host == PublishingJournal.Header.thisHost && process != Int(getpid()) && process > 0
            && process <= Int(Int32.max) && (kill(Int32(process), 0) == 0 || errno == EPERM)
    }
}
