import Foundation

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
public final class TileDirectoryWriter: TileSink {
    /// What happened to the tiles.
    public struct Changes: Equatable, Sendable {
        public var written = 0
        public var unchanged = 0
        public var removed = 0
    }

    private let path: String
    private let root: DirectoryHandle
    private let columns: TileColumns
    private let buildLock: BuildLock
    private let storage: TileStorage
    private let syncs: Bool
    /// The tiles in the list of the pyramid that was here before.
    private let listed: ListedTiles
    /// The tiles that a build before this one wrote: those of its list or, where it did not come to its end, all that are
    /// found.
    private let earlierTiles: [(tile: TileCoordinate, suffix: String)]
    private let lock = NSLock()
    nonisolated(unsafe) private var changes = Changes()

    /// Opens the directory, makes it where it is missing, and marks it as under way.
    /// - Parameters:
    ///   - storage: without a ``TileStorage/problem``.
    ///   - force: whether the directory may hold other files, see ``check(path:force:)``.
    ///   - syncs: whether to wait for the disk.
    public init(
        path: String, storage: TileStorage = TileStorage(), force: Bool = false, syncs: Bool = true
    ) throws(OutputError) {
        try TileDirectoryWriter.check(path: path, force: force)
        self.path = path
        self.storage = storage
        self.syncs = syncs
        root = try DirectoryHandle(making: path)
        buildLock = try BuildLock(path: path + "/" + TileDirectory.buildMarkerName)
        if syncs {
            try buildLock.sync()
            try root.syncNames()
        }
        columns = TileColumns(in: try root.directory(TileDirectory.tilesName))
        let listed = try ListedTiles(in: root)
        self.listed = listed
        guard buildLock.followsInterruption || listed.isUnknown else {
            earlierTiles = listed.tiles.map { ($0, listed.suffix) }
            return
        }
        for name in TileDirectoryWriter.metadataNames { _ = try root.remove(name + DirectoryHandle.temporarySuffix) }
        earlierTiles = try columns.tilesFound { column, name, tile in
            listed.contain(tile, suffix: String(name.drop { $0 != "." })) || column.looksLikeTile(name)
        }
    }

    public func write(_ bytes: UnsafeRawBufferPointer, for entry: TileList.Entry) throws {
        let column = try columns.column(of: entry.tile)
        let name = storage.fileName(of: entry.tile)
        let isWritten = try column.update(name, with: bytes) {
            listed.contain(entry.tile, suffix: storage.suffix) || column.looksLikeTile(name)
        }
        lock.withLock {
            if isWritten { changes.written += 1 } else { changes.unchanged += 1 }
        }
    }

    /// Removes the tiles that are no more, and writes the metadata, the manifest last.
    /// - Parameter manifest: its `files` are filled in here.
    /// - Returns: what happened to the tiles, and the manifest as it was written.
    public func finish(
        list: TileList, tileJSON: TileJSON, manifest: Manifest
    ) throws -> (changes: Changes, manifest: Manifest) {
        for (tile, suffix) in earlierTiles where suffix != storage.suffix || list.entry(of: tile) == nil {
            if try columns.remove(tile, suffix: suffix) { changes.removed += 1 }
        }
        let files = [TileJSON.fileName: try tileJSON.encoded(), TileList.fileName: list.encoded()]
        for (name, content) in files {
            _ = try content.withUnsafeBytes { try root.update(name, with: $0) }
        }
        var manifest = manifest
        manifest.files = files.mapValues { .init(of: $0) }
        try publish(manifest)
        return (changes, manifest)
    }

    /// Writes the manifest and removes the marker, each only when all before it is on the disk.
    private func publish(_ manifest: Manifest) throws {
        let bytes = try manifest.encoded()
        let isNew = try bytes.withUnsafeBytes { try root.stageIfDifferent(Manifest.fileName, with: $0) }
        if syncs { try root.syncFileSystem() }
        if isNew { try root.publish(Manifest.fileName) }
        if syncs { try root.syncNames() }
        _ = try root.remove(TileDirectory.buildMarkerName)
        if syncs { try root.syncNames() }
    }
}

/// The tiles that a list names, which a build may replace and remove without a look at them.
private struct ListedTiles {
    /// In their order; none where it is not known how they are named.
    let tiles: [TileCoordinate]
    let suffix: String

    /// Those of the pyramid in a directory; none where its metadata can't be read.
    init(in root: DirectoryHandle) throws(OutputError) {
        if let bytes = try root.content(of: TileList.fileName), let list = try? TileList(decoding: bytes),
            let manifest = try root.content(of: Manifest.fileName),
            let suffix = try? Manifest(decoding: manifest).content.storage.suffix
        {
            tiles = list.entries.map(\.tile)
            self.suffix = suffix
        } else {
            (tiles, suffix) = ([], "")
        }
    }

    var isUnknown: Bool { suffix.isEmpty }

    /// Found in O(log n).
    func contain(_ tile: TileCoordinate, suffix: String) -> Bool {
        guard suffix == self.suffix else { return false }
        var range = tiles.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if tiles[middle] == tile { return true }
            range = tiles[middle] < tile ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }
}
