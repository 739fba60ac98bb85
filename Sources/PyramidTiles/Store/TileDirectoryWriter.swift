import Foundation

/// Writes a pyramid to a directory, new or in place of an older one.
///
/// Only files whose bytes differ are written; a file that a reader may already have is replaced whole. From the first
/// tile to the last line of the manifest a marker file says that a build is under way.
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
    /// The tiles of the pyramid that was here before.
    private let earlierTiles: [TileCoordinate]
    private let lock = NSLock()
    nonisolated(unsafe) private var changes = Changes()

    /// Throws ``OutputError`` where a pyramid can't be built into `path`, and touches nothing. A directory can be used
    /// that does not exist yet, is empty, or holds a pyramid.
    /// - Parameter previewPage: the page that is going to be written beside the tiles.
    public static func check(path: String, previewPage: [UInt8]? = nil) throws(OutputError) {
        guard access(path, F_OK) == 0 else { return }
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        guard isDirectory.boolValue else {
            throw OutputError(.unusable, path, "is a file, expected a directory")
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path),
            access(path, W_OK | X_OK) == 0
        else {
            throw OutputError(.unusable, path, "the directory can't be read and written: \(OutputError.lastReason())")
        }
        guard names.isEmpty || isPyramid(path) else {
            let names = names.sorted()
            let example = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", ..." : "")
            throw OutputError(
                .unusable, path, "the directory holds other files (\(example)), expected an empty one or a pyramid")
        }
        try PreviewFile.check(previewPage, in: DirectoryHandle(path: path))
    }

    /// Whether a build has begun or ended here. Other programs have a `manifest.json` too, and one of our files may be
    /// damaged, so a word that nobody else has in any of them is enough.
    private static func isPyramid(_ path: String) -> Bool {
        let words = [
            (TileDirectory.buildMarkerName, BuildLock.text), (Manifest.fileName, "\"rows_accepted\""),
            (TileList.fileName, TileList.header),
        ]
        return words.contains { name, word in
            let content = FileManager.default.contents(atPath: path + "/" + name) ?? Data()
            return content.firstRange(of: Data(word.utf8)) != nil
        }
    }

    /// Opens the directory, makes it where it is missing, and marks it as under way.
    public init(path: String) throws(OutputError) {
        try TileDirectoryWriter.check(path: path)
        self.path = path
        root = try DirectoryHandle(making: path)
        let wasInterrupted = root.contains(TileDirectory.buildMarkerName)
        buildLock = try BuildLock(path: path + "/" + TileDirectory.buildMarkerName)
        if wasInterrupted { try root.removeTemporaryFiles() }
        columns = TileColumns(in: try root.directory(TileDirectory.tilesName))
        earlierTiles = try TileDirectoryWriter.earlierTiles(in: root, columns, wasInterrupted: wasInterrupted)
    }

    public func write(_ bytes: UnsafeRawBufferPointer, for entry: TileList.Entry) throws {
        let isWritten = try columns.column(of: entry.tile).update(TileColumns.fileName(of: entry.tile), with: bytes)
        lock.withLock {
            if isWritten { changes.written += 1 } else { changes.unchanged += 1 }
        }
    }

    /// Removes the tiles that are no more, and writes the metadata, the manifest last.
    /// - Parameters:
    ///   - manifest: its `files` are filled in here.
    ///   - previewPage: the page that shows the tiles; `nil` removes the one of an earlier build.
    /// - Returns: what happened to the tiles, and the manifest as it was written.
    public func finish(
        list: TileList, tileJSON: TileJSON, manifest: Manifest, previewPage: [UInt8]? = nil
    ) throws -> (changes: Changes, manifest: Manifest) {
        for tile in earlierTiles where list.entry(of: tile) == nil {
            if try columns.remove(tile) { changes.removed += 1 }
        }
        var files = [TileJSON.fileName: try tileJSON.encoded(), TileList.fileName: list.encoded()]
        try PreviewFile.check(previewPage, in: root)
        try PreviewFile.removeEarlier(unless: previewPage, in: root)
        files[PreviewFile.name] = previewPage
        for (name, content) in files { try root.replace(name, with: content) }
        var manifest = manifest
        manifest.files = files.mapValues { .init(of: $0) }
        try root.replace(Manifest.fileName, with: manifest.encoded())
        _ = try root.remove(TileDirectory.buildMarkerName)
        return (changes, manifest)
    }

    /// The tiles that a build before this one wrote: those of its list or, where it did not come to its end, all files
    /// whose names are those of tiles.
    private static func earlierTiles(
        in root: DirectoryHandle, _ columns: TileColumns, wasInterrupted: Bool
    ) throws(OutputError) -> [TileCoordinate] {
        if !wasInterrupted, let bytes = try root.content(of: TileList.fileName),
            let list = try? TileList(decoding: bytes)
        {
            return list.entries.map(\.tile)
        }
        return try columns.tilesFound()
    }
}
