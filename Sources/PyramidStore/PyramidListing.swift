import Foundation
import PyramidTiles

/// What is in a pyramid, as its metadata say: every file with its size and checksum. Neither tiles nor
/// pages are read.
public struct PyramidListing: Equatable, Sendable {
    public var tiles: TileList
    /// The pages of clusters' points, none in a pyramid without; `nil` where nothing but a list of tiles is known.
    public var leaves: LeafList?
    /// How tiles and pages are stored; `nil` where nothing but a list of tiles is known.
    public var storage: TileStorage?
    /// The files beside the tiles, by name; none where nothing but a list of tiles is known.
    public var files: [String: Manifest.FileSummary]

    public init(
        tiles: TileList, leaves: LeafList? = nil, storage: TileStorage? = nil,
        files: [String: Manifest.FileSummary] = [:]
    ) {
        self.tiles = tiles
        self.leaves = leaves
        self.storage = storage
        self.files = files
    }

    /// Every tile and page, sorted by address.
    package var entries: [ListEntry] { tiles.listEntries + (leaves?.listEntries ?? []) }

    /// What is stored at an address, found in O(log n); `nil` where there is nothing.
    package func file(at address: FileAddress) -> StoredFile? {
        switch address {
        case .tile(let tile): tiles.entry(of: tile)?.file
        case .page(let page): leaves?.entry(of: page)?.file
        }
    }

    /// Reads the metadata of a pyramid.
    /// - Parameter path: a pyramid's directory, or its manifest with the lists beside it, or a list of tiles alone (any
    ///   other file).
    /// - Throws: ``StoreError``, also where a list is not that of the manifest.
    public init(path: String) throws(StoreError) {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        guard exists else { throw StoreError(path: path, reason: .missing) }
        if isDirectory.boolValue {
            try self.init(directory: TileDirectory(path: path), manifestPath: "\(path)/\(Manifest.fileName)")
            return
        }
        let bytes = try RegularFile.bytes(atPath: path, limitBytes: TileDirectory.tileListLimitBytes)
        // A manifest under whatever name: no list of tiles begins with a brace.
        if bytes.first == UInt8(ascii: "{") {
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try self.init(directory: TileDirectory(path: parent), manifestPath: path)
        } else {
            self.init(tiles: try PyramidListing.read(bytes, path, TileList.init(decoding:)))
        }
    }

    private init(directory: TileDirectory, manifestPath: String) throws(StoreError) {
        let bytes = try RegularFile.bytes(atPath: manifestPath, limitBytes: TileDirectory.metadataLimitBytes)
        let manifest = try PyramidListing.read(bytes, manifestPath, Manifest.init(decoding:))
        let tiles = try PyramidListing.listBytes(TileList.fileName, directory, manifest)
        var leaves = LeafList()
        if manifest.content.clusters.hasLeaves || manifest.files[LeafList.fileName] != nil {
            let bytes = try PyramidListing.listBytes(LeafList.fileName, directory, manifest)
            leaves = try directory.decode(bytes, of: LeafList.fileName, LeafList.init(decoding:))
        }
        var files = manifest.files
        files[Manifest.fileName] = Manifest.FileSummary(of: bytes)
        self.init(
            tiles: try directory.decode(tiles, of: TileList.fileName, TileList.init(decoding:)), leaves: leaves,
            storage: manifest.content.storage, files: files)
    }

    /// The bytes of the list that the manifest names.
    private static func listBytes(
        _ name: String, _ directory: TileDirectory, _ manifest: Manifest
    ) throws(StoreError) -> [UInt8] {
        let bytes = try directory.metadataBytes(of: name)
        guard let expected = manifest.files[name], expected == Manifest.FileSummary(of: bytes) else {
            throw StoreError(path: directory.path(ofFile: name), reason: .damaged("is not the list of the manifest"))
        }
        return bytes
    }

    private static func read<Value>(
        _ bytes: [UInt8], _ path: String, _ decode: ([UInt8]) throws(MetadataError) -> Value
    ) throws(StoreError) -> Value {
        do throws(MetadataError) {
            return try decode(bytes)
        } catch {
            throw StoreError(path: path, reason: .damaged(error.description))
        }
    }
}
