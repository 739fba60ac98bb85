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
/// names are removed first. Then come new tiles and pages, their list, the TileJSON and the manifest; other deletions
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
    /// The number of files per batch of uploads or removals. After a publish is interrupted, one batch is repeated.
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
        try checkIsUsable()
        try turn(isLocked: false).checkIsFree()
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
        try checkIsUsable()
        let versions = keptVersionCount == nil ? [] : try publishedVersions().all
        let lock = try destination.lock(for: nil, versions: versions)
        var turn = turn(isLocked: lock != nil)
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

    private func checkIsUsable() throws {
        let hasVersions = try keptVersionCount != nil && publishedVersions().pointer != nil
        do {
            try destination.checkIsUsable(for: nil, replacesOthers: replacesOthers || hasVersions)
        } catch let error as PublishingError where error.cause == .otherFile {
            if keptVersionCount == nil { try checkHasNoVersions() }
            throw error
        }
    }

    private func publishedVersions() throws -> PublishedVersions {
        try PublishedVersions(of: destination, uploadsAll: uploadsAll)
    }

    private func checkHasNoVersions() throws {
        // If it can't be read, it is no file of pyramid.
        let found = try? destination.content(of: TileJSON.fileName)
        let journal = try destination.content(of: PublishingJournal.fileName)
        guard
            found.flatMap({ try? TileJSON(decoding: $0) })?.versions != nil
                || journal.flatMap({ try? PublishingJournal(decoding: $0) })?.header.versions != nil
        else { return }
        throw PublishingError(
            .unusable, "\(destination): holds versions of a tileset, expected an empty place or a tileset",
            cause: .otherLayout)
    }

    private func turn(isLocked: Bool) -> PublishingTurn {
        PublishingTurn(at: destination, isLocked: isLocked, takesOver: takesOver, now: now())
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
            try checkIsUnchanged(local)
            turn.hasChanges = true
            for name in plan.files {
                guard let content = local.contents[name] else { continue }
                try destination.put(content, as: plan.folder + name, fileCaching.metadataHeaders(name))
            }
            if let pointer = plan.pointer {
                // What a killed publish has uploaded may not be on disk yet.
                if plan.isAfterUnfinished { try destination.sync() }
                try turn.checkIsOwn()
                guard
                    try destination.replace(
                        plan.oldPointer, with: pointer, as: TileJSON.fileName,
                        caching.metadataHeaders(TileJSON.fileName))
                else { throw turn.overtaken }
            }
            try remove(plan.lastRemovals, progress)
        } catch {
            // A journal of nothing may take the room that the next publish needs.
            if turn.isLocked, !turn.hasChanges, !plan.isAfterUnfinished { try? turn.end() }
            guard let error = error as? PublishingError, [.failed, .stopped].contains(error.kind) else { throw error }
            let done = max(turn.notedCount - plan.settled.count, 0)
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

        /// The name of a folder for exactly this tileset.
        var version: String { VersionFolder.name(ofManifest: contents[Manifest.fileName] ?? []) }
    }

    /// - Parameter isMarked: whether a build or publish at the destination is in progress or was interrupted; `nil` if
    ///   destinations of its kind aren't marked.
    private func prepare(_ local: Local, isMarked: Bool?) throws -> (state: PublishedState, plan: PublishingPlan) {
        if let keptVersionCount {
            let published = try publishedVersions()
            let kept = published.adding(local.version, keptCount: keptVersionCount).names.dropFirst()
            var sizes: [String: Int] = [:]
            for name in Set(published.all + [local.version]).subtracting(kept) {
                sizes.merge(try destination.sizes(in: name + "/")) { $1 }
            }
            let plan = try PublishingPlan(
                of: local.version, local.listing, sizes: sizes, uploadsAll: uploadsAll, published: published,
                keptCount: keptVersionCount
            ) { versions in
                try tileset.tileJSON().leading(to: versions.names).encoded()
            }
            return (PublishedState(), plan)
        }
        var state = PublishedState()
        var isKnown = true
        do {
            // Without a mark, a build has repaired what the last publish had left unfinished.
            state = try PublishedState(of: destination, trustsStatus: isMarked ?? true)
        } catch let error as PublishingError where (uploadsAll || replacesOthers) && error.kind == .badData {
            isKnown = false
        }
        if state.files.isEmpty { try checkHasNoVersions() }
        // With a mark but without a journal, it was a build that was interrupted.
        let isBuild = isMarked == true && !state.isUnfinished
        let listsFiles = destination.knowsSizes || checksSizes || state.isUnfinished
        let plan = PublishingPlan(
            from: state, to: local.listing, sizes: listsFiles ? try destination.sizes(in: "") : nil,
            uploadsAll: uploadsAll || isBuild || state.isEmptied, keptNames: try namesOfOthers(state, local.listing))
        if !replacesOthers {
            try checkReplacesNoOthers(plan, state, local, ignoringTiles: isBuild || !isKnown || state.isEmptied)
        }
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
        let places = Set(state.items.lazy.map(\.place))
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
        if let versions = plan.unfinishedVersions {
            return PublishingJournal(
                header: .init(lists: [], files: [], settledCount: 0, versions: versions), items: [])
        }
        let files = [state.files, local.listing.files].flatMap { files in
            files.sorted { $0.key < $1.key }.map { PublishingJournal.KnownFile(name: $0.key, file: $0.value) }
        }
        return PublishingJournal(
            header: .init(
                lists: [state.list?.list, .init(local.listing.files, storage)].compactMap(\.self),
                files: files + state.journalFiles.filter { !files.contains($0) }, settledCount: plan.settled.count),
            items: plan.settled
                + plan.entries.map { .init(place: PlacedFile($0.address, storage), file: $0.file) }
                + plan.lastRemovals.compactMap { PlacedFile(path: $0) }.map { .init(place: $0, file: nil) })
    }
}
