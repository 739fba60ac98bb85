import PyramidStore
import PyramidTiles

/// Brings a destination up to date with a tileset, and uploads only files that differ.
///
///     let publisher = Publisher(tileset: DirectoryTileset(path: "out"), destination: DirectoryDestination(path: "/srv/www/points"))
///     let plan = try publisher.publish()
///     for path in plan.purges { print(path) }
///
/// What is at the destination is known from the list of files published last and from the journal of
/// unfinished publishes, so nothing is listed and no tile is read there. Tiles and pages come first, then their list,
/// the TileJSON and the manifest; deletions come last. The next publish continues an interrupted one, whether it is of
/// the same tileset or another.
///
/// A directory is locked meanwhile. Elsewhere a publish takes over from one that hasn't ended, which then stops.
public struct Publisher: Sendable {
    public let tileset: any TilesetReader
    public let destination: any PublishingDestination
    public var caching = PublishingCaching()
    /// Whether to upload every file, changed or not: if the destination's metadata is damaged, someone else changed its
    /// files, or its headers should change.
    public var uploadsAll = false
    /// Whether to replace files at the destination that no publish has written, if the tileset needs their names.
    public var replacesOthers = false
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
        let local = try readPyramid()
        if !replacesOthers { try destination.checkIsUsable(for: nil) }
        return try prepare(local, isMarked: destination.isMarked).plan
    }

    /// Carries out the plan.
    /// - Parameter progress: called after every file, or after every batch if the destination doesn't report files.
    /// - Returns: the plan that was carried out.
    /// - Throws: ``PublishingError`` and `StoreError`; a later publish then continues.
    @discardableResult
    public func publish(progress: (Progress) -> Void = { _ in }) throws -> PublishingPlan {
        let local = try readPyramid()
        if !replacesOthers { try destination.checkIsUsable(for: nil) }
        let lock = try destination.lock(for: nil)
        var hasChanges = lock?.followsInterruption ?? false
        var turn = PublishingTurn(at: destination, isAlone: lock != nil)
        do {
            for _ in 0..<PublishingTurn.tryCount {
                let (state, plan) = try prepare(local, isMarked: lock?.followsInterruption)
                let isNeeded = !plan.isEmpty || turn.hasBegun
                hasChanges = hasChanges || isNeeded
                // Otherwise others have written there since the plan was made, and a new one is needed.
                guard try !isNeeded || carryOut(plan, from: state, local, &turn, progress) else { continue }
                try lock?.removeMarker()
                return plan
            }
            throw turn.overtaken
        } catch {
            // If the destination can't be reached any more, its last status stays there.
            try? turn.close()
            // Otherwise the next publish, and whoever reads the destination, finds it marked.
            if !hasChanges { try? lock?.removeMarker() }
            throw error
        }
    }

    /// - Returns: false, with nothing changed, if the state is out of date.
    private func carryOut(
        _ plan: PublishingPlan, from state: PublishedState, _ local: Local, _ turn: inout PublishingTurn,
        _ progress: (Progress) -> Void
    ) throws -> Bool {
        do {
            let first = plan.items(of: batch(of: plan, from: 0))
            guard try turn.begin(journal(of: plan, from: state, local), after: state, open: first) else { return false }
            try uploadEntries(of: plan, &turn, progress)
            try checkIsUnchanged(local)
            try turn.note(settled: plan.settledByUploads, opensMetadata: true)
            for name in plan.files {
                guard let content = local.contents[name] else { continue }
                try turn.put(content, as: name, caching.metadataHeaders(name))
            }
            try remove(plan, &turn, progress)
            try turn.end()
            return true
        } catch let error as PublishingError {
            if error.kind == .busy { try? turn.stateLeftovers() }
            guard [.failed, .stopped].contains(error.kind) else { throw error }
            let done = turn.settledCount(from: plan.settled.count)
            throw PublishingError(
                error.kind,
                "\(error); \(done) of \(plan.entries.count) tiles and pages are uploaded, and the next publish "
                    + "continues from there",
                cause: uploadsAll ? .interruptedUploadOfAll : nil)
        }
    }

    /// A tileset and its metadata.
    private struct Local {
        var listing: TilesetListing
        /// The bytes of the files beside the tiles.
        var contents: [String: [UInt8]]
    }

    /// - Parameter isMarked: whether a build or publish at the destination is in progress or was interrupted; `nil` if
    ///   destinations of its kind aren't marked.
    private func prepare(_ local: Local, isMarked: Bool?) throws -> (state: PublishedState, plan: PublishingPlan) {
        var state = PublishedState()
        var isKnown = true
        do {
            // Without a mark, a build has repaired what the last publish had left unfinished.
            state = try PublishedState.reading(destination, trustsProgress: isMarked ?? true)
        } catch let error as PublishingError where (uploadsAll || replacesOthers) && error.kind == .badData {
            isKnown = false
        }
        if isMarked == nil, let owner = state.status.owner, PublishingTurn.isRunning(owner) {
            throw PublishingError(
                .busy, "\(destination): process \(owner.process) on this machine is publishing there")
        }
        // With a mark but without a journal, it was a build that was interrupted.
        let isBuild = isMarked == true && !state.isUnfinished
        let plan = PublishingPlan(
            from: state, to: local.listing, uploadsAll: uploadsAll || isBuild,
            keptNames: try namesOfOthers(state, local.listing))
        if !replacesOthers { try checkReplacesNoOthers(plan, state, local, ignoringTiles: isBuild || !isKnown) }
        return (state, plan)
    }

    /// Files with names of a tileset's files, listed there, but with other content than any publish wrote.
    private func namesOfOthers(_ state: PublishedState, _ listing: TilesetListing) throws -> Set<String> {
        let name = TilesetMetadata.previewName
        let isListed = state.files[name] != nil || state.journalFiles.contains { $0.name == name }
        guard isListed, listing.files[name] == nil, let content = try destination.content(of: name) else { return [] }
        return state.hasPublished(name, Manifest.FileSummary(of: content)) ? [] : [name]
    }

    /// Throws if a file of the plan would replace one that no publish has written.
    /// - Parameter ignoringTiles: whether there may be tiles of a tileset whose list isn't known.
    private func checkReplacesNoOthers(
        _ plan: PublishingPlan, _ state: PublishedState, _ local: Local, ignoringTiles: Bool
    ) throws {
        let places = state.doubtful.union(state.records.lazy.map(\.item.place))
        let added = plan.entries.lazy.map { PlacedFile($0.address, plan.storage) }
            .filter { !places.contains($0) && !state.lists($0) }
        var found = try destination.firstOther(among: added.map(\.path), ignoringTiles: ignoringTiles)
        let page = TilesetMetadata.previewName
        if found == nil, plan.files.contains(page),
            try destination.firstOther(among: [page], ignoringTiles: false) != nil,
            let content = try destination.content(of: page), content != local.contents[page],
            !state.hasPublished(page, Manifest.FileSummary(of: content))
        {
            found = page
        }
        guard let found else { return }
        throw PublishingError(
            .unusable, "\(destination)/\(found): no publish has written this file, and it would be replaced",
            cause: .otherFile)
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

    /// A build during the upload may have replaced tiles that are uploaded already; their list must not follow then.
    private func checkIsUnchanged(_ local: Local) throws {
        try checkIsComplete()
        guard try tileset.metadataBytes(of: Manifest.fileName) == local.contents[Manifest.fileName] else {
            throw PublishingError(
                .badData, "\(tileset.name): was built again during the upload, expected it to stay as it is")
        }
    }

    /// The changes of a plan. Until the end, the journal and the published lists together state what is at the
    /// destination.
    private func journal(of plan: PublishingPlan, from state: PublishedState, _ local: Local) -> PublishingJournal {
        let storage = plan.storage
        let files = [state.files, local.listing.files].flatMap { files in
            files.sorted { $0.key < $1.key }.map { PublishingJournal.KnownFile(name: $0.key, file: $0.value) }
        }
        return PublishingJournal(
            header: .init(
                lists: [state.list?.list, .init(local.listing.files, storage)].compactMap(\.self),
                files: files + state.journalFiles.filter { !files.contains($0) }, settledCount: plan.settled.count),
            items: plan.settled
                + plan.entries.map { .init(place: PlacedFile($0.address, storage), file: $0.file) }
                + plan.entryRemovals.map { .init(place: $0, file: nil) })
    }
}
