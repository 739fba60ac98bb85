import Foundation

/// What is in a pyramid, as its metadata say: every file with its size and checksum. No tile is read.
public struct PyramidListing: Equatable, Sendable {
    public var tiles: TileList
    /// `nil` where nothing but a list of tiles is known.
    public var storage: TileStorage?
    /// The files beside the tiles, by name; none where nothing but a list of tiles is known.
    public var files: [String: Manifest.FileSummary]

    public init(tiles: TileList, storage: TileStorage? = nil, files: [String: Manifest.FileSummary] = [:]) {
        self.tiles = tiles
        self.storage = storage
        self.files = files
    }

    /// Reads the metadata of a pyramid.
    /// - Parameter path: a pyramid's directory, or its manifest with the list of tiles beside it, or a list of tiles alone
    ///   (any other file).
    /// - Throws: ``StoreError``, also where the list is not that of the manifest.
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
        let list = try directory.metadataBytes(of: TileList.fileName)
        try self.init(
            manifest: manifest, manifestBytes: bytes, listBytes: list,
            listPath: directory.path(ofFile: TileList.fileName))
    }

    /// - Parameters:
    ///   - manifestBytes: those of `manifest`.
    ///   - listPath: where the list is, for errors.
    init(manifest: Manifest, manifestBytes: [UInt8], listBytes: [UInt8], listPath: String) throws(StoreError) {
        let found = Manifest.FileSummary(of: listBytes)
        guard let expected = manifest.files[TileList.fileName], expected == found else {
            throw StoreError(path: listPath, reason: .damaged("is not the list of the manifest"))
        }
        var files = manifest.files
        files[Manifest.fileName] = Manifest.FileSummary(of: manifestBytes)
        self.init(
            tiles: try PyramidListing.read(listBytes, listPath, TileList.init(decoding:)),
            storage: manifest.content.storage, files: files)
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
