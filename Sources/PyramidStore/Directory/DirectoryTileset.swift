import PyramidPlatform
import PyramidTiles

/// A tileset as files in a directory: `tiles/{z}/{x}/{y}.json`, or with another suffix, and the metadata beside
/// `tiles`.
public struct DirectoryTileset: TilesetReader {
    /// A file with this name exists during a build, and after a build that was interrupted.
    public static let buildMarkerName = ".building"
    /// The largest manifest or TileJSON that is read: 64 MiB.
    public static let metadataLimitBytes = 64 << 20
    /// The largest list that is read: 8 GiB, more than 100 million tiles.
    public static let listLimitBytes = 8 << 30

    public let path: String
    public let storage: TileStorage
    public let idProperty: String?
    /// Why the manifest, and with it the tiles' storage, couldn't be read; `nil` if it was read or there is none.
    private let storageError: StoreError?

    /// Reads the manifest, which states how the tiles are stored. Without a manifest, the default storage is assumed.
    /// - Parameter path: the directory with the manifest.
    public init(path: String) {
        self.path = path
        do throws(StoreError) {
            let content = try DirectoryTileset(path: path, storage: TileStorage()).manifest().content
            (storage, idProperty) = (content.storage, content.idProperty)
            storageError = nil
        } catch {
            (storage, idProperty) = (TileStorage(), nil)
            storageError = [.missing, .incomplete].contains(error.reason) ? nil : error
        }
    }

    /// Reads nothing yet.
    public init(path: String, storage: TileStorage) {
        self.path = path
        self.storage = storage
        idProperty = nil
        storageError = nil
    }

    public var name: String { path }

    public var directoryPath: String? { path }

    public var isBeingBuilt: Bool {
        var status = stat()
        return lstat(path(ofFile: DirectoryTileset.buildMarkerName), &status) == 0
    }

    public func metadataBytes(of name: String) throws(StoreError) -> [UInt8] {
        try RegularFile.bytes(atPath: path(ofFile: name), limitBytes: limitBytes(ofMetadata: name))
    }

    public func forEachPiece(
        ofMetadata name: String, _ body: (_ piece: [UInt8], _ total: Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        try RegularFile.forEachPiece(atPath: path(ofFile: name), limitBytes: limitBytes(ofMetadata: name), body)
    }

    private func limitBytes(ofMetadata name: String) -> Int {
        name == FileList.fileName ? DirectoryTileset.listLimitBytes : DirectoryTileset.metadataLimitBytes
    }

    public func storedBytes(of address: FileAddress, limitBytes: Int) throws(StoreError) -> [UInt8] {
        do throws(StoreError) {
            return try RegularFile.bytes(
                atPath: path(ofFile: storage.relativePath(of: address)), limitBytes: limitBytes)
        } catch {
            // The damaged manifest may state another suffix, so it isn't known whether the tile is missing.
            if error.reason == .missing, let storageError { throw storageError }
            throw error
        }
    }

    public func strays(_ list: FileList) -> [StrayFile] {
        var search = StraySearch(root: path, storage: storage)
        search.runBesideFolders()
        for kind in FileAddress.Kind.allCases { search.run(kind, list[kind]) }
        return search.strays
    }
}
