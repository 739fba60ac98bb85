import Foundation
import PyramidTiles

/// Tilesets on this machine, by their paths.
public enum LocalTileset {
    /// The tileset in a directory or in an archive, whichever is at the path.
    /// - Throws: ``StoreError`` if there is neither, or if an archive is damaged so much that nothing can be read.
    public static func open(path: String) throws(StoreError) -> any TilesetReader {
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreError(path: path, reason: .missing) }
        if status.st_mode & S_IFMT == S_IFDIR { return DirectoryTileset(path: path) }
        return try ArchiveTileset(path: path)
    }

    /// Whether a file begins as archives do.
    static func isArchive(_ path: String) -> Bool {
        guard let file = try? ArchiveFile(path: path) else { return false }
        return (try? file.bytes(0..<PMTilesHeader.magic.count)) == PMTilesHeader.magic
    }
}

extension TilesetListing {
    /// Reads the metadata of a tileset.
    /// - Parameter path: a directory, an archive, a manifest under any name with the lists beside it, or just a list of
    ///   tiles (any other file).
    /// - Throws: ``StoreError``, also if a list doesn't match the manifest.
    public init(path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreError(path: path, reason: .missing) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            try self.init(of: DirectoryTileset(path: path))
            return
        }
        // A file of that name that is none gets the message of an archive.
        if ArchiveTilesetWriter.isArchive(path) || LocalTileset.isArchive(path) {
            try self.init(of: ArchiveTileset(path: path))
            return
        }
        let bytes = try RegularFile.bytes(atPath: path, limitBytes: DirectoryTileset.listLimitBytes)
        // No list of tiles begins with a brace.
        if bytes.first == UInt8(ascii: "{") {
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try self.init(of: DirectoryTileset(path: parent, storage: TileStorage()), manifest: bytes, at: path)
            return
        }
        do throws(MetadataError) {
            self.init(tiles: try TileList(decoding: bytes))
        } catch {
            throw StoreError(path: path, reason: .damaged(error.description))
        }
    }
}
