import PyramidTiles

/// Where a build puts a tileset. Workers on several threads write at once, in any order, each tile and page once.
public protocol TilesetWriter: Sendable {
    /// Takes a tile or a page. All pages of one cluster come from one thread, in their order.
    /// - Parameters:
    ///   - bytes: as they are stored; valid during the call.
    ///   - file: their sizes and checksums.
    func write(_ bytes: UnsafeRawBufferPointer, to address: FileAddress, _ file: StoredFile) throws

    /// Keeps a tile that is there already, if it has this JSON and would be stored with the very same bytes.
    /// - Parameters:
    ///   - crc32: that of the JSON.
    ///   - existing: the worker's; holds the file afterwards.
    /// - Returns: the file; `nil` if the tile has to be compressed and written.
    func keep(
        _ tile: TileCoordinate, with json: UnsafeRawBufferPointer, crc32: UInt32, using existing: inout ExistingTile
    ) -> StoredFile?

    /// Removes the files that are no more, and writes the metadata, the manifest last: then the tileset is whole.
    func finish(_ metadata: TilesetMetadata) throws -> TilesetOutcome
}

extension TilesetWriter {
    public func keep(
        _ tile: TileCoordinate, with json: UnsafeRawBufferPointer, crc32: UInt32, using existing: inout ExistingTile
    ) -> StoredFile? { nil }
}

/// The files beside the tiles, before they are encoded.
public struct TilesetMetadata: Sendable {
    public var tiles: TileList
    /// `nil` if there are no pages of clusters' points.
    public var leaves: LeafList?
    public var tileJSON: TileJSON
    /// Its `files` are filled in by the writer.
    public var manifest: Manifest
    /// The page that shows the tileset on a map; `nil` for none.
    public var previewPage: [UInt8]?

    /// The name of the page.
    public static let previewName = "index.html"

    public init(
        tiles: TileList, leaves: LeafList? = nil, tileJSON: TileJSON, manifest: Manifest, previewPage: [UInt8]? = nil
    ) {
        self.tiles = tiles
        self.leaves = leaves
        self.tileJSON = tileJSON
        self.manifest = manifest
        self.previewPage = previewPage
    }
}

/// What a build did to a tileset.
public struct TilesetOutcome: Sendable {
    /// What happened to the files of one kind.
    public struct Changes: Equatable, Sendable {
        public var written = 0
        public var unchanged = 0
        public var removed = 0

        public init() {}

        mutating func count(isWritten: Bool) {
            if isWritten { written += 1 } else { unchanged += 1 }
        }
    }

    public var tiles = Changes()
    /// The pages of clusters' points.
    public var pages = Changes()
    /// As it was written.
    public var manifest: Manifest

    public init(manifest: Manifest) { self.manifest = manifest }
}

/// What a worker needs to look at tiles that are there already, reused from tile to tile.
public struct ExistingTile {
    /// The file that was kept last.
    public internal(set) var stored: [UInt8] = []
    private(set) var json: [UInt8] = []
    /// `nil` before the first tile, and after one that could not be inflated.
    private var inflater: GzipInflater?

    public init() {}

    /// Inflates the file.
    /// - Returns: whether it is sound.
    mutating func inflate(limitBytes: Int) -> Bool {
        do throws(GzipError) {
            let inflater = if let inflater { inflater } else { try GzipInflater() }
            self.inflater = nil
            try inflater.inflateMember(stored, into: &json, limitBytes: limitBytes)
            self.inflater = inflater
            return true
        } catch {
            return false
        }
    }
}
