import Foundation
import PyramidTiles
import Synchronization

/// Writes a pyramid to a directory, new or in place of an older one.
///
/// Only files whose bytes differ are written; a file that a reader may already have is replaced whole: its next content
/// is written under a temporary name in the same directory, which then takes the file's name. A file that pyramid did not
/// write is neither replaced nor removed.
///
/// **What is on the disk when.** From before the first change to after the last one, a marker file says that a build is
/// under way; a build that finds one repairs whatever is there. For that to hold after a power cut as well, in which the
/// system keeps any part of what was not brought to the disk, in any order:
///
/// 1. the marker and its name are on the disk (`fsync` of the file and of the directory) before anything else changes;
/// 2. all tiles, the list, the TileJSON and the manifest's bytes are on the disk (one `syncfs`, whatever the number of
///    tiles) before the manifest takes its name;
/// 3. the manifest's name is on the disk (`fsync` of the directory) before the marker is removed;
/// 4. the marker's removal is on the disk (`fsync` of the directory) before the build says that it is done.
///
/// So a pyramid without a marker is wholly the old one or wholly the new one. Without syncing all of this still holds
/// whenever the process dies but the system lives on.
public final class DirectoryTilesetWriter: TilesetWriter {
    private let path: String
    private let root: DirectoryHandle
    private let columns: TileColumns
    private let leaves: LeafDirectories
    private let buildLock: BuildLock
    private let storage: TileStorage
    private let syncs: Bool
    /// Larger tiles are compressed anew: inflating them would take more memory than the build itself.
    private static let keptTileLimitBytes = 1 << 20
    /// Whether tiles that are there would be compressed to the same bytes again.
    private let keepsTiles: Bool
    /// What was here before; empty if its metadata can't be read.
    private let listed: TilesetListing
    /// What a build before this one wrote that did not come to its end, as far as it is found; `nil` where the lists tell.
    private let found: (tiles: [(tile: TileCoordinate, suffix: String)], pages: [(page: LeafPage, suffix: String)])?
    private let changes = Mutex((tiles: TilesetOutcome.Changes(), pages: TilesetOutcome.Changes()))

    /// Opens the directory, makes it where it is missing, and marks it as under way.
    /// - Parameters:
    ///   - storage: must have no `problem`.
    ///   - compressor: what compresses the tiles; `nil` keeps none that are there already.
    ///   - force: whether the directory may hold other files, see ``check(path:force:previewPage:)``.
    ///   - syncs: whether to wait for the disk.
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
        // If the list has it already, looking comes before making.
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
        // Sizes and checksums can agree by chance; the bytes can't.
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

    /// Removes the tiles and pages of earlier builds that the new lists lack.
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

    /// Makes a file beside the tiles hold `bytes`, and the manifest say so.
    private func update(_ name: String, with bytes: UnsafeRawBufferPointer, _ manifest: inout Manifest) throws {
        _ = try root.update(name, with: bytes)
        manifest.files[name] = Manifest.FileSummary(of: bytes)
    }

    /// Writes the manifest and removes the marker, each only when all before it is on the disk.
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
