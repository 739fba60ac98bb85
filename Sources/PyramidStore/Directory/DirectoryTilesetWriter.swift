import PyramidPlatform
import PyramidTiles
import Synchronization

/// Writes a tileset to a directory, which may be new or hold an older tileset.
///
/// Only files whose bytes differ are written. An existing file is replaced as a whole, because a reader may have it
/// open: the new content is written to a temporary file in the same directory, which is then renamed. Files that
/// pyramid did not write are neither replaced nor removed, except for `.DS_Store` files in folders that are removed.
///
/// **What is on disk when.** A marker file shows that a build is in progress, from before the first change until after
/// the last one. A build that finds a marker repairs whatever is there. This must survive a power cut, after which any
/// subset of the unsynced writes may be on disk. So:
///
/// 1. the marker and its name are on disk (`fsync` of the file and the directory) before anything else changes;
/// 2. all tiles, the list, the TileJSON and the manifest's bytes are on disk (one `syncfs`, however many tiles there
///    are) before the manifest gets its name;
/// 3. the manifest's name is on disk (`fsync` of the directory) before the marker is removed;
/// 4. the marker's removal is on disk (`fsync` of the directory) before the build reports success.
///
/// On Darwin, `F_FULLFSYNC` and `fsync_volume_np` take the place of `fsync` and `syncfs`.
///
/// Therefore a tileset without a marker is entirely the old one or entirely the new one. Without syncing, this still
/// holds if the process dies but the system keeps running.
///
/// A build that fails removes its new files, so that the next build has room; see ``abandon()``.
public final class DirectoryTilesetWriter: TilesetWriter {
    private let path: String
    private let locked: LockedFolder
    private var root: DirectoryHandle { locked.folder }
    private let columns: FileColumns
    private let storage: TileStorage
    private let syncs: Bool
    /// Larger tiles are compressed again: inflating them would take more memory than the build itself.
    private static let keptTileLimitBytes = 1 << 20
    /// Whether compressing the existing tiles again would give the same bytes.
    private let keepsTiles: Bool
    /// The tileset in the directory before this build; empty if there is none or its metadata can't be read.
    private let listed: TilesetListing
    /// Whether there may be files that ``listed`` doesn't have: after an interrupted build, or without readable
    /// metadata.
    private let hasUnlistedFiles: Bool
    /// Whether there was no tileset before, not even a damaged one, but at most the remains of an interrupted first
    /// build.
    private let isFirst: Bool
    private let changes = Mutex(TilesetOutcome.Changes())
    private let progress = Mutex((hasPreview: false, hasManifest: false))

    /// Opens the directory, creating it if necessary, and marks it as being built.
    /// - Parameters:
    ///   - storage: must have no `TileStorage.fault`.
    ///   - compressor: the name of the tiles' compressor; `nil` to compress existing tiles again.
    ///   - force: whether the directory may hold other files; see ``check(path:force:previewPage:)``.
    ///   - syncs: whether to wait until the data is on disk.
    ///   - memory: for the older tileset's list.
    public init(
        path: String, storage: TileStorage = TileStorage(), compressor: String? = nil, force: Bool = false,
        syncs: Bool = true, memory: ListMemory = .unlimited
    ) throws(OutputError) {
        try DirectoryTilesetWriter.check(path: path, force: force)
        self.path = path
        self.storage = storage
        self.syncs = syncs
        try DirectoryTilesetWriter.requireHandles(for: path)
        locked = try LockedFolder(path, marker: DirectoryTileset.buildMarkerName, syncs: syncs)
        let root = locked.folder
        columns = FileColumns(in: root)
        let listed: TilesetListing
        do {
            listed = try TilesetListing(of: DirectoryTileset(path: path, storage: storage), memory)
        } catch let error as OutputError {
            locked.undo()
            throw error
        } catch {
            listed = TilesetListing()
        }
        self.listed = listed
        keepsTiles =
            compressor == listed.compressor && storage.compression == .gzip && !locked.followsInterruption
        isFirst =
            listed.storage == nil && !root.contains(Manifest.fileName)
            && (locked.followsInterruption || !root.contains(FileList.fileName))
        hasUnlistedFiles = listed.storage == nil || locked.followsInterruption
    }

    /// Throws if the process can't open as many files at once as writing needs.
    private static func requireHandles(for path: String) throws(OutputError) {
        var handles: [Int32] = []
        defer { for handle in handles { close(handle) } }
        for _ in 0..<FileColumns.handleCount {
            let handle = uninterrupted { PyramidPlatform.open("/", O_RDONLY | O_CLOEXEC) }
            guard handle >= 0 else {
                throw OutputError(
                    .failed, path,
                    "\(OutputError.lastReason()), expected room for \(FileColumns.handleCount) more; raise the limit, "
                        + "such as with ulimit -n 256")
            }
            handles.append(handle)
        }
    }

    /// Removes the tiles and bundles on disk that builds have written, and that a tileset doesn't have. Removes
    /// temporary files and empty directories, too.
    /// - Parameters:
    ///   - isKept: whether the tileset has a file with this address and suffix.
    ///   - removed: called with each file that was removed.
    private func removeFiles(
        unless isKept: (FileAddress, _ suffix: String) -> Bool, _ removed: (FileAddress) -> Void = { _ in }
    ) throws(OutputError) {
        try root.removeTemporaryFiles(of: DirectoryTilesetWriter.fileNames)
        try columns.removeFiles { column, name, address, suffix in
            guard !isKept(address, suffix),
                listed.holds(address, suffix: suffix) || column.looksLikeTile(name, layer: storage.layer)
            else { return false }
            removed(address)
            return true
        }
    }

    public func write(_ bytes: UnsafeRawBufferPointer, to address: FileAddress, _ file: StoredFile) throws {
        let suffix = storage.suffix
        let name = address.fileName(suffix: suffix)
        // A listed file most likely exists with these bytes, so comparing comes before trying to create it.
        let isListed = keepsTiles && listed.list.file(at: address) == file
        let isWritten = try columns.inTurn { () throws(OutputError) in
            let column = try columns.column(of: address)
            if isListed, column.holds(name, bytes) { return false }
            return try column.update(name, with: bytes) {
                listed.holds(address, suffix: suffix) || column.looksLikeTile(name, layer: storage.layer)
            }
        }
        changes.withLock { $0.count(isWritten: isWritten) }
    }

    public func keep(
        _ address: FileAddress, with json: UnsafeRawBufferPointer, crc32: UInt32, using existing: inout ExistingTile
    ) -> StoredFile? {
        guard keepsTiles, json.count <= DirectoryTilesetWriter.keptTileLimitBytes,
            let file = listed.list.file(at: address), file.bodyCRC32 == crc32,
            file.bodyByteCount == json.count, read(address, file, into: &existing.stored),
            Gzip.crc32(existing.stored) == file.crc32
        else { return nil }
        // Sizes and checksums can match by chance, so the bytes are compared.
        guard existing.inflate(limitBytes: json.count), existing.json.count == json.count,
            let start = json.baseAddress, memcmp(existing.json, start, json.count) == 0
        else { return nil }
        changes.withLock { $0.count(isWritten: false) }
        return file
    }

    /// - Returns: whether there is a file of this size.
    private func read(_ address: FileAddress, _ file: StoredFile, into bytes: inout [UInt8]) -> Bool {
        let name = address.fileName(suffix: storage.suffix)
        return columns.inTurn {
            (try? columns.column(of: address))?.read(name, count: file.byteCount, into: &bytes) ?? false
        }
    }

    public func finish(_ metadata: TilesetMetadata) throws -> TilesetOutcome {
        var outcome = TilesetOutcome(manifest: metadata.manifest)
        outcome.changes = changes.withLock { $0 }
        // The new TileJSON comes before the old files are removed: clients that read it no longer request them.
        try update(TileJSON.fileName, with: try metadata.tileJSON.encoded(), &outcome.manifest)
        try removeStaleFiles(metadata.list, &outcome)
        try PreviewFile.check(metadata.previewPage, in: root)
        if let page = metadata.previewPage {
            progress.withLock { $0.hasPreview = true }
            try update(TilesetMetadata.previewName, with: page, &outcome.manifest)
        } else {
            try PreviewFile.removeEarlier(in: root)
        }
        try root.update(FileList.fileName, forEachPiece: metadata.list.forEachPiece)
        outcome.manifest.files[FileList.fileName] = Manifest.FileSummary(of: metadata.list)
        try publish(outcome.manifest)
        return outcome
    }

    /// Removes the files of earlier builds that are not in the new list.
    private func removeStaleFiles(_ list: FileList, _ outcome: inout TilesetOutcome) throws {
        func remove(_ address: FileAddress, _ suffix: String) throws {
            guard try columns.remove(address, suffix: suffix) else { return }
            outcome.changes.removed += 1
        }
        if hasUnlistedFiles {
            var changes = outcome.changes
            try removeFiles { address, suffix in
                suffix == storage.suffix && list.file(at: address) != nil
            } _: { _ in
                changes.removed += 1
            }
            outcome.changes = changes
        } else if let old = listed.storage {
            try ListDifference.forEach(from: listed.list.entries, to: list.entries) { change, address in
                if change == .removed { try remove(address, old.suffix) }
            }
            if old.suffix != storage.suffix {
                for entry in listed.list.entries { try remove(entry.address, old.suffix) }
            }
        }
    }

    /// Writes a file beside the tiles, and records it in the manifest.
    private func update(_ name: String, with bytes: [UInt8], _ manifest: inout Manifest) throws {
        _ = try bytes.withUnsafeBytes { try root.update(name, with: $0) }
        manifest.files[name] = Manifest.FileSummary(of: bytes)
    }

    /// Writes the manifest, then removes the marker, each only once everything before it is on disk.
    private func publish(_ manifest: Manifest) throws {
        let bytes = try manifest.encoded()
        let isNew = bytes.withUnsafeBytes { !root.holds(Manifest.fileName, $0) }
        let file = isNew ? try StagedFile(Manifest.fileName, in: root) : nil
        try file?.write(bytes[...])
        try file?.finish()
        if syncs { try root.syncFileSystem() }
        try file?.publish()
        progress.withLock { $0.hasManifest = true }
        if syncs { try root.syncNames() }
        try locked.removeMarker()
    }
}

/// What happens if a build fails.
extension DirectoryTilesetWriter {
    /// Removes the tiles and bundles that are new in this build. If there was no tileset before, it removes all
    /// its files, and the directory is as it was before the build.
    ///
    /// Files of an older tileset that were replaced or removed are not restored. The directory stays marked, and the
    /// next build repairs it. It also stays marked if a file can't be removed.
    public func abandon() {
        // Removing needs some open files, and the build may have failed because there are no more.
        columns.close()
        let (hasPreview, hasManifest) = progress.withLock { $0 }
        // If the metadata of the older tileset is damaged, it isn't known which files are new.
        guard !hasManifest, isFirst || listed.storage != nil else { return }
        do throws(OutputError) {
            try removeFiles { address, suffix in listed.holds(address, suffix: suffix) }
            guard isFirst else { return }
            let names = DirectoryTilesetWriter.metadataNames + (hasPreview ? [TilesetMetadata.previewName] : [])
            for name in names { _ = try root.remove(name) }
            // Even after a power cut, the marker must be there as long as any of the files.
            if syncs { try root.syncFileSystem() }
            try locked.removeMarker()
            locked.removeIfMade()
        } catch {
            // The user should see why the build failed, not this error. The marker is still there.
        }
    }
}
