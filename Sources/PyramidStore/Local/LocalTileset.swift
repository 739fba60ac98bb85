import PyramidPlatform
import PyramidTiles

/// Tilesets on this machine, by path.
public enum LocalTileset {
    /// The tileset at a path, which is a directory or an archive.
    /// - Throws: ``StoreError`` if there is neither, if the directory has no file of a tileset, or if ``ArchiveTileset``
    ///   can't read the archive at all.
    public static func open(path: String) throws(StoreError) -> any TilesetReader {
        if try isDirectory(path) { return directory(at: path) }
        return try ArchiveTileset(path: path)
    }

    /// The tileset in a directory: the version to which its TileJSON leads, if it was published in versions.
    fileprivate static func directory(at path: String) -> DirectoryTileset {
        let root = DirectoryTileset(path: path, storage: TileStorage())
        guard access(root.path(ofFile: Manifest.fileName), F_OK) != 0,
            let version = (try? root.tileJSON())?.versions?.first
        else { return DirectoryTileset(path: path) }
        return DirectoryTileset(path: path + "/" + version)
    }

    /// Whether a path is that of a tileset's directory.
    /// - Throws: ``StoreError`` if there is nothing, a part of a tileset, or a directory without any file of a tileset.
    fileprivate static func isDirectory(_ path: String) throws(StoreError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreError(opening: path) }
        guard !PartFile.isPart(path) else {
            throw StoreError(
                path: path, reason: .damaged("is a part of a tileset, expected the tileset joined from all parts"))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return false }
        guard hasFileOfTileset(path) else {
            throw StoreError(path: path, reason: .notATileset(other: nameOfTileset(in: path)))
        }
        return true
    }

    /// Whether a directory has something of a tileset, however damaged it is.
    private static func hasFileOfTileset(_ path: String) -> Bool {
        let files = [Manifest.fileName, DirectoryTileset.buildMarkerName, FileList.fileName, TileJSON.fileName]
        return (files + FileAddress.Kind.allCases.map(\.folder)).contains { name in
            var status = stat()
            return lstat("\(path)/\(name)", &status) == 0
        }
    }

    /// The name of a tileset in a directory, with a slash if it is a directory itself.
    private static func nameOfTileset(in path: String) -> String? {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
        for name in names {
            if access("\(path)/\(name)/\(Manifest.fileName)", F_OK) == 0 { return "\(name)/" }
            if ArchiveTilesetWriter.isArchive(name) { return name }
        }
        return nil
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
            try self.init(of: LocalTileset.directory(at: path))
            return
        }
        // If a file only has the name of an archive, the message should be about an archive.
        if ArchiveTileset.isArchive(atPath: path) {
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
