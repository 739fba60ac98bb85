import PyramidPlatform
import PyramidTiles

/// Tilesets on this machine, by path.
public enum LocalTileset {
    /// The tileset at a path, which is a directory or an archive.
    /// - Throws: ``StoreError`` if there is neither, or if ``ArchiveTileset`` can't read the archive at all.
    public static func open(path: String) throws(StoreError) -> any TilesetReader {
        if try isDirectory(path) { return DirectoryTileset(path: path) }
        return try ArchiveTileset(path: path)
    }

    /// Whether a path is that of a directory.
    /// - Throws: ``StoreError`` if there is nothing, or a part of a tileset.
    fileprivate static func isDirectory(_ path: String) throws(StoreError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreError(opening: path) }
        guard !PartFile.isPart(path) else {
            throw StoreError(
                path: path, reason: .damaged("is a part of a tileset, expected the tileset joined from all parts"))
        }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}

/// Building tilesets on this machine.
extension LocalTileset {
    /// Throws ``OutputError`` if a tileset can't be built at `path`; changes nothing.
    /// - Parameters:
    ///   - force: see ``DirectoryTilesetWriter/check(path:force:previewPage:)`` and
    ///     ``ArchiveTilesetWriter/check(path:force:)``.
    ///   - previewPage: the page to be written beside the tiles; `nil` for none.
    public static func check(
        path: String, _ layout: TilesetLayout, force: Bool, previewPage: [UInt8]?
    ) throws(OutputError) {
        switch layout {
        case .files, .bundles: try DirectoryTilesetWriter.check(path: path, force: force, previewPage: previewPage)
        case .archive: try ArchiveTilesetWriter.check(path: path, force: force)
        }
    }

    /// A writer for the storage's layout.
    /// - Parameters:
    ///   - compressor: the name of the tiles' compressor.
    ///   - jobs: how many threads put the tiles of an archive in order.
    ///   - memory: for long lists; `nil` for the writer's default.
    public static func writer(
        path: String, storage: TileStorage, compressor: String, force: Bool, jobs: Int, syncs: Bool,
        memory: ListMemory? = nil
    ) throws(OutputError) -> any TilesetWriter {
        switch storage.layout {
        case .files, .bundles:
            try DirectoryTilesetWriter(
                path: path, storage: storage, compressor: compressor, force: force, syncs: syncs,
                memory: memory ?? .unlimited)
        case .archive: try ArchiveTilesetWriter(path: path, force: force, jobs: jobs, syncs: syncs, memory: memory)
        }
    }
}

extension TilesetLayout {
    /// The layout of an output: bundles if they have a limit, else an archive or files depending on the output's name.
    /// - Parameter bundleLimit: takes precedence over the name.
    public init(outputPath: String, bundleLimit: Int? = nil) {
        let other = ArchiveTilesetWriter.isArchive(outputPath) ? TilesetLayout.archive : .files
        self = bundleLimit.map { .bundles(limit: $0) } ?? other
    }
}

extension TilesetListing {
    /// Reads the metadata of a tileset.
    /// - Parameter path: a directory, an archive, a manifest under any name with the list beside it, or just a list
    ///   (any other file).
    /// - Throws: ``StoreError`` if a file can't be read, or if the list doesn't match the manifest.
    public init(path: String) throws(StoreError) {
        if try LocalTileset.isDirectory(path) {
            try self.init(of: DirectoryTileset(path: path))
            return
        }
        // If a file only has the name of an archive, the message should be about an archive.
        if ArchiveTilesetWriter.isArchive(path) || ArchiveFile.begins(with: PMTilesHeader.magic, at: path) {
            try self.init(of: ArchiveTileset(path: path))
            return
        }
        let bytes = try RegularFile.bytes(atPath: path, limitBytes: DirectoryTileset.listLimitBytes)
        // A manifest begins with a brace; a list never does.
        if bytes.first == UInt8(ascii: "{") {
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let tileset = DirectoryTileset(path: parent, storage: TileStorage())
            self = try tileset.inMemory { try TilesetListing(of: tileset, manifest: bytes, at: path) }
            return
        }
        do throws(MetadataError) {
            self.init(list: try FileList(decoding: bytes))
        } catch {
            throw StoreError(path: path, reason: .damaged(error.description))
        }
    }
}
