import PyramidPlatform
import PyramidTiles

/// Tilesets on this machine, by their paths.
public enum LocalTileset {
    /// The tileset in a directory or in an archive, whichever is at the path.
    /// - Throws: ``StoreError`` if there is neither, or if an archive is damaged so much that nothing can be read.
    public static func open(path: String) throws(StoreError) -> any TilesetReader {
        if try isDirectory(path) { return DirectoryTileset(path: path) }
        return try ArchiveTileset(path: path)
    }

    /// Whether what is at a path is a directory.
    /// - Throws: ``StoreError`` if there is nothing, or a part of a tileset.
    fileprivate static func isDirectory(_ path: String) throws(StoreError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreError(path: path, reason: .missing) }
        guard !PartFile.isPart(path) else {
            throw StoreError(
                path: path, reason: .damaged("is a part of a tileset, expected what all parts are joined to"))
        }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}

extension TilesetListing {
    /// Reads the metadata of a tileset.
    /// - Parameter path: a directory, an archive, a manifest under any name with the lists beside it, or just a list of
    ///   tiles (any other file).
    /// - Throws: ``StoreError``, also if a list doesn't match the manifest.
    public init(path: String) throws(StoreError) {
        if try LocalTileset.isDirectory(path) {
            try self.init(of: DirectoryTileset(path: path))
            return
        }
        // A file of that name that is none gets the message of an archive.
        if ArchiveTilesetWriter.isArchive(path) || ArchiveFile.begins(with: PMTilesHeader.magic, at: path) {
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
