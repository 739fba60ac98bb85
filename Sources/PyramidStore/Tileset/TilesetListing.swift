import PyramidTiles

/// What is in a tileset according to its metadata: every file with its size and checksum. Reads no tile and no page.
public struct TilesetListing: Equatable, Sendable {
    /// The tiles that have a file of their own: all, unless there are bundles.
    public var tiles: TileList
    public var bundles: BundleList
    /// The pages of clusters' points, empty if the tileset has none; `nil` if only a list of tiles is known.
    public var leaves: LeafList?
    /// How tiles and pages are stored; `nil` if only a list of tiles is known.
    public var storage: TileStorage?
    /// The files beside the tiles, by name; empty if only a list of tiles is known.
    public var files: [String: Manifest.FileSummary]
    /// Whether the tileset is a single file, which has fewer files beside the tiles.
    package var isArchive = false
    /// What compressed the tiles.
    package var compressor: String?

    public init(
        tiles: TileList = TileList(), bundles: BundleList = BundleList(), leaves: LeafList? = nil,
        storage: TileStorage? = nil, files: [String: Manifest.FileSummary] = [:]
    ) {
        self.tiles = tiles
        self.bundles = bundles
        self.leaves = leaves
        self.storage = storage
        self.files = files
    }

    /// Reads the metadata of a tileset.
    /// - Throws: ``StoreError``, also if a list doesn't match the manifest.
    public init(of tileset: some TilesetReader) throws(StoreError) {
        let bytes = try tileset.manifestBytes()
        try self.init(of: tileset, manifest: bytes, at: tileset.path(ofFile: Manifest.fileName))
    }

    /// - Parameters:
    ///   - bytes: the manifest's, which may even belong to another tileset.
    ///   - path: where the manifest was read from.
    init(of tileset: some TilesetReader, manifest bytes: [UInt8], at path: String) throws(StoreError) {
        let manifest: Manifest
        do throws(MetadataError) {
            manifest = try Manifest(decoding: bytes)
        } catch {
            throw StoreError(path: path, reason: .damaged(error.description))
        }
        var files = manifest.files
        for section in ArchiveSection.allCases { files[section.rawValue] = nil }
        files[Manifest.fileName] = Manifest.FileSummary(of: bytes)
        let hasLeaves = manifest.content.clusters.hasLeaves || manifest.files[LeafList.fileName] != nil
        let tiles =
            if let derived = try tileset.derivedTileList() {
                derived
            } else {
                try TilesetListing.list(of: tileset, manifest) as TileList
            }
        self.init(
            tiles: tiles,
            bundles: manifest.content.storage.bundleLimit == nil
                ? BundleList() : try TilesetListing.list(of: tileset, manifest),
            leaves: hasLeaves ? try TilesetListing.list(of: tileset, manifest) : LeafList(),
            storage: manifest.content.storage, files: files)
        isArchive = manifest.isOfArchive
        compressor = manifest.content.compressor
    }

    private static func list<Address>(
        of tileset: some TilesetReader, _ manifest: Manifest
    ) throws(StoreError) -> FileList<Address> {
        let name = FileList<Address>.fileName
        guard let summary = manifest.files[name] else {
            throw StoreError(path: tileset.path(ofFile: name), reason: .damaged("is not the list of the manifest"))
        }
        return try tileset.list(summary)
    }

    /// Every tile, bundle and page, in the order of their addresses.
    package var entries: [ListEntry<FileAddress>] {
        tiles.entries.map { ListEntry(address: .tile($0.address), file: $0.file) }
            + bundles.entries.map { ListEntry(address: .bundle($0.address.tile), file: $0.file) }
            + (leaves?.entries.map { ListEntry(address: .page($0.address), file: $0.file) } ?? [])
    }

    /// What is stored at an address; `nil` if nothing is. O(log n)
    package func file(at address: FileAddress) -> StoredFile? { address.file(in: tiles, bundles, leaves) }

    /// Whether a file with this suffix is known to belong to the tileset. O(log n)
    package func holds(_ address: FileAddress, suffix: String) -> Bool {
        suffix == storage?.suffix(of: address) && file(at: address) != nil
    }
}
