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
/// unfinished publish; only after an interruption are the files there listed, and no tile is read. Files that no list
/// names are removed first. Then come new tiles, their list, the TileJSON and the manifest; other deletions
/// come last. The next publish continues an interrupted one, whether it is of the same tileset or another.
///
/// The destination is locked meanwhile.
public struct Publisher: Sendable {
    public let tileset: any TilesetReader
    public let destination: any PublishingDestination
    public var caching = PublishingCaching()
    /// Whether to upload every file, changed or not: if the destination's metadata is damaged, someone else changed its
    /// files, or its headers should change.
    public var uploadsAll = false
    /// Whether to replace files at the destination that no publish has written, if the tileset needs their names.
    public var replacesOthers = false
    /// Whether to take the destination from a publish that holds it, because it has died.
    public var takesOver = false
    /// Whether to compare the sizes of all files at the destination, wherever it is.
    public var checksSizes = false
    /// How many older versions stay if each goes into a folder of its own; `nil` to replace the files in place.
    ///
    /// The folder is named by the tileset's digest, so its files never change, and those that are there already are not
    /// uploaded again. The TileJSON above it leads to the new version, and is replaced when all is there.
    public var keptVersionCount: Int?
    /// The number of files per batch of uploads or removals, at most 1000. After a publish is interrupted, one batch is
    /// repeated.
    public var batchCount = 1000
    /// The time at which a publish begins.
    var now: @Sendable () -> Date = { .now }

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
        try destination.checkIsUsable(for: nil, replacesOthers: replacesOthers)
        try PublishingTurn(at: destination, isLocked: false, takesOver: takesOver, now: now()).checkIsFree()
        return try prepare(local, isMarked: destination.isMarked).plan
    }

    /// The plan, if the manifest there is that of the tileset; `nil` if not, or if the metadata contradict each other, as
    /// they may while another publish replaces them.
    private func planIfPublished(_ local: Local) throws -> PublishingPlan? {
        let name = Manifest.fileName
        let folder = keptVersionCount == nil ? "" : local.version + "/"
        guard !uploadsAll, try destination.content(of: folder + name) == local.contents[name] else { return nil }
        do {
            return try prepare(local, isMarked: nil).plan
        } catch let error as PublishingError where error.kind == .badData {
            return nil
        }
    }

    /// Carries out the plan.
    /// - Parameter progress: called after every file, or after every batch if the destination doesn't report files.
    /// - Returns: the plan that was carried out.
    /// - Throws: ``PublishingError``, `StoreError` and `OutputError`; a later publish then continues.
    @discardableResult
    public func publish(progress: (Progress) -> Void = { _ in }) throws -> PublishingPlan {
        let local = try readPyramid()
        try destination.checkIsUsable(for: nil, replacesOthers: replacesOthers)
        let lock = try destination.lock(for: nil)
        var turn = PublishingTurn(at: destination, isLocked: lock != nil, takesOver: takesOver, now: now())
        do {
            if lock == nil {
                // Nothing is written if there is nothing to do.
                let status = try turn.checkIsFree()
                if status == nil, let plan = try planIfPublished(local), plan.isEmpty { return plan }
                try turn.begin(after: status)
            }
            let (state, plan) = try prepare(local, isMarked: lock?.followsInterruption)
            if !plan.isEmpty { try carryOut(plan, from: state, local, &turn, progress) }
            try turn.end()
            try lock?.removeMarker()
            lock?.removeIfMade()
            return plan
        } catch {
            // If the destination can't be reached any more, its last status stays there.
            try? turn.close()
            // Otherwise the next publish, and whoever reads the destination, finds it marked.
            if !turn.hasChanges { lock?.undo() }
            throw error
        }
    }

    /// For all files but the TileJSON that leads to a version.
    var fileCaching: PublishingCaching {
        keptVersionCount == nil
            ? caching : PublishingCaching(tiles: PublishingCaching.version, metadata: PublishingCaching.version)
    }

    private func carryOut(
        _ plan: PublishingPlan, from state: PublishedState, _ local: Local, _ turn: inout PublishingTurn,
        _ progress: (Progress) -> Void
    ) throws {
        do {
            // On a full disk, this makes room for the journal, too. Until that is there, the earlier one has them.
            try remove(plan.strays) { _ in }
            try turn.write(journal(of: plan, from: state, local))
            try uploadEntries(of: plan, &turn, checkIsUnchanged: { try checkIsUnchanged(local) }, progress)
            turn.hasChanges = true
            for name in plan.files {
                guard let content = local.contents[name] else { continue }
                try destination.put(content, as: plan.folder + name, fileCaching.metadataHeaders(name))
            }
            if let pointer = plan.pointer {
                try turn.checkIsOwn()
                guard
                    try destination.replace(
                        plan.oldPointer, with: pointer, as: TileJSON.fileName,
                        caching.metadataHeaders(TileJSON.fileName))
                else { throw turn.overtaken }
            }
            try remove(plan.lastRemovals, progress)
        } catch {
            // A journal of nothing may take the room that the next publish needs. If it stays, the mark must stay, too.
            if turn.isLocked, !turn.hasChanges, !plan.isAfterUnfinished {
                do { try turn.end() } catch { turn.hasChanges = true }
            }
            guard let error = error as? PublishingError, [.failed, .stopped].contains(error.kind) else { throw error }
            let done = max(turn.notedCount - plan.settled.count, 0)
            throw PublishingError(
                error.kind,
                "\(error); \(done) of \(plan.entries.count) tiles are uploaded, and the next publish "
                    + "continues from there",
                cause: uploadsAll ? .interruptedUploadOfAll : nil)
        }
    }

    /// A tileset and its metadata.
    private struct Local {
        var listing: TilesetListing
        /// The bytes of the files beside the tiles.
        var contents: [String: [UInt8]]
        var tileJSON: TileJSON

        /// The name of a folder for exactly this tileset.
        var version: String { VersionFolder.name(ofManifest: contents[Manifest.fileName] ?? []) }
    }

    /// - Parameter isMarked: whether a build or publish at the destination is in progress or was interrupted; `nil` if
    ///   destinations of its kind aren't marked.
    private func prepare(_ local: Local, isMarked: Bool?) throws -> (state: PublishedState, plan: PublishingPlan) {
        let version = keptVersionCount == nil ? nil : local.version
        // Without a mark, a build has repaired what the last publish had left unfinished.
        var state = try PublishedState(
            of: destination, version: version, keptCount: keptVersionCount ?? 0, trustsStatus: isMarked ?? true,
            forgivesDamage: uploadsAll || replacesOthers)
        // With a mark but without a journal, it was a build that was interrupted.
        if isMarked == true, !state.isUnfinished { state.isComplete = false }
        let listsFiles = isMarked != nil || checksSizes || state.isUnfinished || !state.isComplete
        let sizes = listsFiles ? try destination.sizes(in: state.isComplete ? state.tree.folder : "") : nil
        let pointer = try version.map { try local.tileJSON.leading(to: [$0] + state.keptVersions).encoded() }
        let hasOtherPage = try hasOtherPage(state, local)
        let plan = PublishingPlan(
            from: state, to: local.listing, sizes: sizes, uploadsAll: uploadsAll || !state.isComplete,
            found: try ownFiles(among: sizes?.keys.map(\.self) ?? [], state, local),
            keptNames: hasOtherPage ? [TilesetMetadata.previewName] : [],
            pointer: pointer)
        // The name of a version's folder says whose files are in it.
        if !replacesOthers, version == nil { try checkReplacesNoOthers(plan, state, hasOtherPage: hasOtherPage) }
        return (state, plan)
    }

    /// Whether there is a page in place of the tileset's that no publish has written, going by its content.
    private func hasOtherPage(_ state: PublishedState, _ local: Local) throws -> Bool {
        let name = TilesetMetadata.previewName
        let known =
            state.journalFiles.filter { $0.name == name }.map(\.file) + [state.tree.files[name]].compactMap(\.self)
        guard keptVersionCount == nil,
            try !known.isEmpty && local.contents[name] == nil || destination.isOther(name, ignoringTiles: false),
            let content = try destination.content(of: name), content != local.contents[name]
        else { return false }
        return !known.contains(Manifest.FileSummary(of: content))
    }

    /// Files that pyramid has written, among those that are there: in the folder of a new version; anywhere, where
    /// metadata are lost.
    private func ownFiles(among paths: [String], _ state: PublishedState, _ local: Local) throws -> [String] {
        let isNewVersion = keptVersionCount != nil && state.tree.files.isEmpty
        guard isNewVersion || !state.isComplete && !replacesOthers else { return [] }
        let storage = local.listing.storage ?? TileStorage()
        let suffixes = TileCodec.allCases.map(\.defaultSuffix) + [storage.suffix]
        return try paths.filter { path in
            guard !state.keptVersions.contains(where: { path.hasPrefix($0 + "/") }) else { return false }
            guard let place = PlacedFile(path: path) else {
                return path.contains("/") && VersionFolder.isMetadata(path)
            }
            let isListed = place.folder == state.tree.folder && local.listing.holds(place.address, suffix: place.suffix)
            return try !isListed && suffixes.contains(place.suffix) && !destination.isOther(path, ignoringTiles: true)
        }
    }

    /// Throws if a file of the plan would replace one that no publish has written.
    private func checkReplacesNoOthers(_ plan: PublishingPlan, _ state: PublishedState, hasOtherPage: Bool) throws {
        let page = hasOtherPage ? plan.files.first { $0 == TilesetMetadata.previewName } : nil
        let tiles = plan.entries.lazy.map { PlacedFile("", $0.address, plan.storage) }.filter { !state.mayHave($0) }
        func isOther(_ tile: PlacedFile) throws -> Bool {
            try destination.isOther(tile.path, ignoringTiles: !state.isComplete)
        }
        guard let found = try page ?? tiles.first(where: isOther)?.path else { return }
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
            guard DirectoryTilesetWriter.fileNames.contains(name), Manifest.FileSummary(of: content) == summary else {
                throw StoreError(path: tileset.path(ofFile: name), reason: .notAsListed)
            }
            contents[name] = content
        }
        let tileJSON = try tileset.decode(
            contents[TileJSON.fileName] ?? [], of: TileJSON.fileName, TileJSON.init(decoding:))
        return Local(listing: listing, contents: contents, tileJSON: tileJSON)
    }

    private func checkIsComplete() throws {
        if tileset.isBeingBuilt { throw StoreError(path: tileset.name, reason: .incomplete) }
    }

    /// Tells a build during the upload from a file that is damaged.
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
        let trees = state.trees.map { ($0.folder, $0.files) } + [(plan.folder, local.listing.files)]
        let files = trees.flatMap { folder, files in
            files.sorted { $0.key < $1.key }.map { PublishingJournal.KnownFile(name: folder + $0.key, file: $0.value) }
        }
        return PublishingJournal(
            header: .init(
                lists: [state.tree.known, .init(local.listing.files, plan.storage)].compactMap(\.self),
                files: files + state.journalFiles.filter { !files.contains($0) }, settledCount: plan.settled.count,
                isVersioned: keptVersionCount != nil),
            items: plan.settled
                + plan.entries.map { .init(place: PlacedFile(plan.folder, $0.address, plan.storage), file: $0.file) }
                + plan.lastRemovals.compactMap { PlacedFile(path: $0) }.map { .init(place: $0, file: nil) })
    }
}
