import Foundation
import PyramidTiles
import Synchronization

/// Writes a tileset to a directory, either a new one or over an older tileset.
///
/// Only files whose bytes differ are written. A file that a reader may already have open is replaced as a whole: the
/// new content is written to a temporary file in the same directory, which is then renamed. Files that pyramid did not
/// write are neither replaced nor removed.
///
/// **What is on disk when.** A marker file says that a build is in progress, from before the first change until after
/// the last; a build that finds one repairs whatever is there. This has to survive a power cut, after which any subset
/// of the unsynced writes may be on disk, in any order. So:
///
/// 1. the marker and its name are on disk (`fsync` of the file and the directory) before anything else changes;
/// 2. all tiles, the list, the TileJSON and the manifest's bytes are on disk (one `syncfs`, however many tiles there
///    are) before the manifest gets its name;
/// 3. the manifest's name is on disk (`fsync` of the directory) before the marker is removed;
/// 4. the marker's removal is on disk (`fsync` of the directory) before the build reports success.
///
/// A tileset without a marker is therefore entirely the old one or entirely the new one. Without syncing, this still
/// holds if the process dies but the system keeps running.
public final class DirectoryTilesetWriter: TilesetWriter {
    private let path: String
    private let root: DirectoryHandle
    private let columns: TileColumns
    private let leaves: LeafDirectories
    private let buildLock: BuildLock
    private let storage: TileStorage
    private let syncs: Bool
    /// Larger tiles are compressed again: inflating them would take more memory than the build itself.
    private static let keptTileLimitBytes = 1 << 20
    /// Whether compressing the existing tiles again would give the same bytes.
    private let keepsTiles: Bool
    /// What the directory held before this build; empty if its metadata can't be read.
    private let listed: TilesetListing
    /// The files found on disk after an interrupted build; `nil` if the lists can be trusted.
    private let found: (tiles: [(tile: TileCoordinate, suffix: String)], pages: [(page: LeafPage, suffix: String)])?
    private let changes = Mutex((tiles: TilesetOutcome.Changes(), pages: TilesetOutcome.Changes()))

    /// Opens the directory, creating it if necessary, and marks it as being built.
    /// - Parameters:
    ///   - storage: must have no `problem`.
    ///   - compressor: what compresses the tiles; `nil` keeps no existing tiles.
    ///   - force: whether the directory may hold other files; see `check(path:force:)`.
    ///   - syncs: whether to wait until the data is on disk.
    public init(
        path: String, storage: TileStorage = TileStorage(), compressor: String? = nil, force: Bool = false,
        syncs: Bool = true
    ) throws(OutputError) {
        try DirectoryTilesetWriter.check(path: path, force: force)
        self.path = path
        self.storage = storage
        self.syncs = syncs
        root = try DirectoryHandle(making: path)
        buildLock = try BuildLock(path: path + "/" + DirectoryTileset.buildMarkerName)
        if syncs {
            try buildLock.sync()
            try root.syncNames()
        }
        columns = TileColumns(in: try root.directory(TileStorage.tilesName))
        leaves = LeafDirectories(in: root, storage: storage)
        let listed = (try? TilesetListing(of: DirectoryTileset(path: path, storage: storage))) ?? TilesetListing()
        self.listed = listed
        keepsTiles =
            compressor == listed.compressor && storage.compression == .gzip && !buildLock.followsInterruption
        guard listed.storage == nil || buildLock.followsInterruption else {
            found = nil
            return
        }
        for name in DirectoryTilesetWriter.metadataNames { _ = try root.remove(name + TileStorage.temporarySuffix) }
        let tiles = try columns.tilesFound { column, name, tile in
            listed.holds(.tile(tile), suffix: String(name.drop { $0 != "." })) || column.looksLikeTile(name)
        }
        found = (tiles, try leaves.pagesFound { listed.holds(.page($0), suffix: $1) })
    }

    public func write(_ bytes: UnsafeRawBufferPointer, to address: FileAddress, _ file: StoredFile) throws {
        switch address {
        case .tile(let tile): try write(bytes, to: tile, file)
        case .page(let page):
            let isWritten = try leaves.write(bytes, to: page) { listed.holds(address, suffix: storage.suffix) }
            changes.withLock { $0.pages.count(isWritten: isWritten) }
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to tile: TileCoordinate, _ file: StoredFile) throws {
        let column = try columns.column(of: tile)
        let name = storage.fileName(of: tile)
        // For a file in the list, try to compare before trying to create.
        let isListed = keepsTiles && listed.tiles.entry(of: tile)?.file == file
        let isWritten =
            try !(isListed && column.holds(name, bytes))
            && column.update(name, with: bytes) {
                listed.holds(.tile(tile), suffix: storage.suffix) || column.looksLikeTile(name)
            }
        changes.withLock { $0.tiles.count(isWritten: isWritten) }
    }

    public func keep(
        _ tile: TileCoordinate, with json: UnsafeRawBufferPointer, crc32: UInt32, using existing: inout ExistingTile
    ) -> StoredFile? {
        guard keepsTiles, json.count <= DirectoryTilesetWriter.keptTileLimitBytes,
            let file = listed.tiles.entry(of: tile)?.file, file.bodyCRC32 == crc32,
            file.bodyByteCount == json.count, let column = try? columns.column(of: tile),
            column.read(storage.fileName(of: tile), count: file.byteCount, into: &existing.stored),
            Gzip.crc32(existing.stored) == file.crc32
        else { return nil }
        // Sizes and checksums can match by chance; bytes can't.
        guard existing.inflate(limitBytes: json.count), existing.json.count == json.count,
            let start = json.baseAddress, memcmp(existing.json, start, json.count) == 0
        else { return nil }
        changes.withLock { $0.tiles.count(isWritten: false) }
        return file
    }

    public func finish(_ metadata: TilesetMetadata) throws -> TilesetOutcome {
        var outcome = TilesetOutcome(manifest: metadata.manifest)
        (outcome.tiles, outcome.pages) = changes.withLock { $0 }
        try removeStaleFiles(metadata, &outcome)
        if let leaves = metadata.leaves {
            try update(LeafList.fileName, with: leaves.encoded(), &outcome.manifest)
        } else if root.start(of: LeafList.fileName, count: LeafList.header.utf8.count) == Array(LeafList.header.utf8) {
            _ = try root.remove(LeafList.fileName)
        }
        try PreviewFile.check(metadata.previewPage, in: root)
        if let page = metadata.previewPage {
            try update(TilesetMetadata.previewName, with: page, &outcome.manifest)
        } else {
            try PreviewFile.removeEarlier(in: root)
        }
        try update(TileJSON.fileName, with: try metadata.tileJSON.encoded(), &outcome.manifest)
        try root.update(TileList.fileName, forEachPiece: metadata.tiles.forEachPiece)
        outcome.manifest.files[TileList.fileName] = Manifest.FileSummary(of: metadata.tiles)
        try publish(outcome.manifest)
        return outcome
    }

    /// Removes the tiles and pages of earlier builds that are not in the new lists.
    private func removeStaleFiles(_ metadata: TilesetMetadata, _ outcome: inout TilesetOutcome) throws {
        func removeTile(_ tile: TileCoordinate, _ suffix: String) throws {
            guard suffix != storage.suffix || metadata.tiles.entry(of: tile) == nil else { return }
            if try columns.remove(tile, suffix: suffix) { outcome.tiles.removed += 1 }
        }
        func removePage(_ page: LeafPage, _ suffix: String) throws {
            guard suffix != storage.suffix || metadata.leaves?.entry(of: page) == nil else { return }
            if try leaves.remove(page, suffix: suffix) { outcome.pages.removed += 1 }
        }
        if let found {
            for (tile, suffix) in found.tiles { try removeTile(tile, suffix) }
            for (page, suffix) in found.pages { try removePage(page, suffix) }
        } else if let suffix = listed.storage?.suffix {
            let isSameSuffix = suffix == storage.suffix
            for tile in listed.tiles.addresses(notIn: isSameSuffix ? metadata.tiles : TileList()) {
                try removeTile(tile, suffix)
            }
            for entry in listed.leaves?.entries ?? [] { try removePage(entry.address, suffix) }
        }
    }

    private func update(_ name: String, with bytes: [UInt8], _ manifest: inout Manifest) throws {
        try bytes.withUnsafeBytes { try update(name, with: $0, &manifest) }
    }

    /// Writes a file beside the tiles, and records it in the manifest.
    private func update(_ name: String, with bytes: UnsafeRawBufferPointer, _ manifest: inout Manifest) throws {
        _ = try root.update(name, with: bytes)
        manifest.files[name] = Manifest.FileSummary(of: bytes)
    }

    /// Writes the manifest, then removes the marker, each only once everything before it is on disk.
    private func publish(_ manifest: Manifest) throws {
        let bytes = try manifest.encoded()
        let isNew = try bytes.withUnsafeBytes { try root.stageIfDifferent(Manifest.fileName, with: $0) }
        if syncs { try root.syncFileSystem() }
        if isNew { try root.publish(Manifest.fileName) }
        if syncs { try root.syncNames() }
        _ = try root.remove(DirectoryTileset.buildMarkerName)
        if syncs { try root.syncNames() }
    }
}
