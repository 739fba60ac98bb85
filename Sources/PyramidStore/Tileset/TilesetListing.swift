import PyramidTiles

/// The files that a tileset should have according to its metadata, with their sizes and checksums. In a directory,
/// making it reads no tiles; an archive has no list, so its tiles are read.
public struct TilesetListing: Equatable, Sendable {
    /// Every tile, bundle and page.
    public var list: FileList
    /// How tiles are stored; `nil` if only a list is known.
    public var storage: TileStorage?
    /// The files beside the tiles, by name; empty if only a list is known.
    public var files: [String: Manifest.FileSummary]
    /// The name of the tiles' compressor; `nil` if only a list is known.
    package var compressor: String?

    public init(
        list: FileList = FileList(), storage: TileStorage? = nil, files: [String: Manifest.FileSummary] = [:]
    ) {
        self.list = list
        self.storage = storage
        self.files = files
    }

    /// Reads the metadata of a tileset.
    /// - Throws: ``StoreError`` if a file can't be read, or if the list doesn't match the manifest.
    public init(of tileset: some TilesetReader) throws(StoreError) {
        self = try tileset.inMemory { try TilesetListing(of: tileset, .unlimited) }
    }

    /// Reads the metadata of a tileset whose list may take only so much memory.
    /// - Throws: ``StoreError`` as above; ``OutputError`` if there is no room for a temporary file.
    package init(of tileset: some TilesetReader, _ memory: ListMemory) throws {
        try self.init(
            of: tileset, manifest: tileset.manifestBytes(), at: tileset.path(ofFile: Manifest.fileName), memory)
    }

    /// - Parameters:
    ///   - bytes: the bytes of the manifest, which needn't be that of `tileset`.
    ///   - path: where the manifest was read from, for messages.
    init(
        of tileset: some TilesetReader, manifest bytes: [UInt8], at path: String, _ memory: ListMemory = .unlimited
    ) throws {
        let manifest: Manifest
        do throws(MetadataError) {
            manifest = try Manifest(decoding: bytes)
        } catch {
            throw StoreError(path: path, reason: .damaged(error.description))
        }
        var files = manifest.files
        for section in ArchiveSection.allCases { files[section.rawValue] = nil }
        files[Manifest.fileName] = Manifest.FileSummary(of: bytes)
        let list: FileList
        if let derived = try tileset.derivedFileList() {
            list = derived
        } else if let summary = manifest.files[FileList.fileName] {
            list = try tileset.storedFileList(summary, memory)
        } else {
            throw StoreError(
                path: tileset.path(ofFile: FileList.fileName), reason: .damaged("is not the list of the manifest"))
        }
        self.init(list: list, storage: manifest.content.storage, files: files)
        compressor = manifest.content.compressor
    }

    /// Whether the tileset is a single file, without a list and other files beside it.
    package var isOneFile: Bool { storage?.layout.isOneFile ?? false }

    /// Whether the tileset lists a file with this address and suffix. O(log n)
    package func holds(_ address: FileAddress, suffix: String) -> Bool {
        suffix == storage?.suffix && list.file(at: address) != nil
    }
}
