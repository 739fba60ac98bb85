import PyramidTiles

/// Where a build writes the files of a tileset. Workers on several threads write at the same time, in any order. Each
/// tile and bundle is written once.
public protocol TilesetFileWriter: Sendable {
    /// Writes a tile or a bundle.
    /// - Parameters:
    ///   - bytes: as stored; valid during the call.
    ///   - file: the sizes and checksums of `bytes` and of the tile in them.
    func write(_ bytes: UnsafeRawBufferPointer, to address: FileAddress, _ file: StoredFile) throws

    /// Writes a tile with the same bytes as another one, at a higher zoom, which this thread has already written, and not as
    /// a tile with the bytes of a third one.
    func write(
        _ bytes: UnsafeRawBufferPointer, to tile: TileCoordinate, _ file: StoredFile, sameAs other: TileCoordinate)
        throws

    /// Keeps an existing tile or bundle if it has this content and compressing it again would give the same bytes.
    /// - Parameters:
    ///   - json: the uncompressed content, in the tiles' codec.
    ///   - crc32: the checksum of the content.
    ///   - existing: one per worker; holds the file's bytes afterwards.
    /// - Returns: the file's sizes and checksums; `nil` if the tile has to be compressed and written.
    func keep(
        _ address: FileAddress, with json: UnsafeRawBufferPointer, crc32: UInt32, using existing: inout ExistingTile
    ) -> StoredFile?
}

/// Where a build writes a whole tileset.
public protocol TilesetWriter: TilesetFileWriter {
    /// Removes obsolete files and writes the metadata. The manifest is written last and completes the tileset.
    func finish(_ metadata: TilesetMetadata) throws -> TilesetOutcome

    /// Removes new files after a failure, including one of `finish`, to free their space. No other method is called
    /// afterwards.
    func abandon()
}

extension TilesetFileWriter {
    public func write(
        _ bytes: UnsafeRawBufferPointer, to tile: TileCoordinate, _ file: StoredFile, sameAs other: TileCoordinate
    ) throws {
        try write(bytes, to: .tile(tile), file)
    }

    public func keep(
        _ address: FileAddress, with json: UnsafeRawBufferPointer, crc32: UInt32, using existing: inout ExistingTile
    ) -> StoredFile? { nil }
}

extension TilesetWriter {
    public func abandon() {}
}

/// The contents of the files beside the tiles, not yet encoded.
public struct TilesetMetadata: Sendable {
    /// Every tile and bundle.
    public var list: FileList
    public var tileJSON: TileJSON
    /// The writer sets its `files`.
    public var manifest: Manifest
    /// The page that shows the tileset on a map; `nil` for none.
    public var previewPage: [UInt8]?

    /// The name of the page.
    public static let previewName = "index.html"

    public init(
        list: FileList, tileJSON: TileJSON, manifest: Manifest, previewPage: [UInt8]? = nil
    ) {
        self.list = list
        self.tileJSON = tileJSON
        self.manifest = manifest
        self.previewPage = previewPage
    }
}

/// What a build did to the files of a tileset.
public struct TilesetOutcome: Sendable {
    /// How many files of a kind were written, left unchanged and removed.
    public struct Changes: Equatable, Encodable, Sendable {
        public var written = 0
        public var unchanged = 0
        public var removed = 0

        public init() {}

        mutating func count(isWritten: Bool) {
            if isWritten { written += 1 } else { unchanged += 1 }
        }
    }

    /// To tiles with a file of their own, and bundles.
    public var changes = Changes()
    /// The manifest as written.
    public var manifest: Manifest

    public init(manifest: Manifest) { self.manifest = manifest }
}

/// The buffers of a worker for comparing existing tiles, reused for every tile.
public struct ExistingTile {
    /// The bytes of the existing file that was read last.
    public internal(set) var stored: [UInt8] = []
    private(set) var json: [UInt8] = []
    private var reader = GzipReader()

    public init() {}

    /// Inflates the file's bytes.
    /// - Returns: whether they are undamaged.
    mutating func inflate(limitBytes: Int) -> Bool {
        do throws(GzipError) {
            try reader.read(stored, into: &json, limitBytes: limitBytes)
            return true
        } catch {
            return false
        }
    }
}
