import Foundation
import PyramidTiles

/// A pyramid as files: `tiles/{z}/{x}/{y}.json`, or with another suffix, and its metadata beside them. Values of this
/// type only read, and any number of threads may use one.
public struct TileDirectory: TileSource {
    /// A file of this name is there while a build is under way, and after one that did not come to its end.
    public static let buildMarkerName = ".building"
    /// No manifest and no TileJSON is read that is larger, in bytes: 64 MiB.
    public static let metadataLimitBytes = 64 << 20
    /// No list of tiles is read that is larger, in bytes: 8 GiB, more than 100 million tiles.
    public static let tileListLimitBytes = 8 << 30

    public let path: String
    /// How the tiles are stored.
    public let storage: TileStorage
    /// Why it is not known how the tiles are stored.
    private var storageError: StoreError?

    /// - Parameter path: the directory that holds the manifest, which is read for how the tiles are stored: as usual
    ///   where there is none.
    public init(path: String) {
        var (storage, failure) = (TileStorage(), StoreError?.none)
        do throws(StoreError) {
            storage = try TileDirectory(path: path, storage: storage).manifest().content.storage
        } catch {
            if error.reason != .missing { failure = error }
        }
        self.init(path: path, storage: storage)
        storageError = failure
    }

    /// Nothing is read yet.
    public init(path: String, storage: TileStorage) {
        self.path = path
        self.storage = storage
    }

    /// The path of a file beside the tiles.
    public func path(ofFile name: String) -> String { "\(path)/\(name)" }

    /// The path of a tile's file, whether it is there or not.
    public func path(of tile: TileCoordinate) -> String { "\(path)/\(storage.relativePath(of: tile))" }

    /// Whether a build is under way, or one was interrupted: the tiles may be a mixture.
    public var isBeingBuilt: Bool {
        var status = stat()
        return lstat(path(ofFile: TileDirectory.buildMarkerName), &status) == 0
    }

    /// - Throws: ``StoreError``, also where the manifest is damaged.
    public func manifest() throws(StoreError) -> Manifest {
        try decode(metadataBytes(of: Manifest.fileName), of: Manifest.fileName, Manifest.init(decoding:))
    }

    /// - Throws: ``StoreError``, also where the file is damaged.
    public func tileJSON() throws(StoreError) -> TileJSON {
        try decode(metadataBytes(of: TileJSON.fileName), of: TileJSON.fileName, TileJSON.init(decoding:))
    }

    /// - Throws: ``StoreError``, also where the list is damaged.
    public func tileList() throws(StoreError) -> TileList {
        try decode(metadataBytes(of: TileList.fileName), of: TileList.fileName, TileList.init(decoding:))
    }

    /// - Throws: ``StoreError``, also where the list is damaged.
    public func leafList() throws(StoreError) -> LeafList {
        try decode(metadataBytes(of: LeafList.fileName), of: LeafList.fileName, LeafList.init(decoding:))
    }

    /// The points of a page; `nil` where there is no such page.
    /// - Throws: ``StoreError``
    public func points(of page: LeafPage) throws(StoreError) -> [Feature]? {
        let path = path(ofFile: storage.relativePath(of: page))
        guard let stored = try storedBytes(atPath: path) else { return nil }
        let body = try body(of: stored, atPath: path)
        do throws(TileDecodingError) {
            return try GeoJSONTileDecoder.decodePoints(body)
        } catch {
            throw StoreError(path: path, reason: .notATile(error))
        }
    }

    /// The tile at an address, decoded; `nil` where there is none.
    /// - Throws: ``StoreError``
    public func tile(at coordinate: TileCoordinate) throws -> Tile? {
        guard let body = try body(of: coordinate) else { return nil }
        do throws(TileDecodingError) {
            return try GeoJSONTileDecoder.decode(body, at: coordinate)
        } catch {
            throw StoreError(path: path(of: coordinate), reason: .notATile(error))
        }
    }

    /// The bytes of a tile's file; `nil` where there is none.
    public func storedBytes(of tile: TileCoordinate) throws(StoreError) -> [UInt8]? {
        try storedBytes(atPath: path(of: tile))
    }

    /// The JSON of a tile; `nil` where there is none.
    public func body(of tile: TileCoordinate) throws(StoreError) -> [UInt8]? {
        guard let stored = try storedBytes(of: tile) else { return nil }
        return try body(of: stored, atPath: path(of: tile))
    }

    private func storedBytes(atPath path: String) throws(StoreError) -> [UInt8]? {
        do throws(StoreError) {
            return try RegularFile.bytes(atPath: path, limitBytes: TileStorage.tileLimitBytes)
        } catch {
            guard error.reason == .missing else { throw error }
            // Under another name the tile may be there.
            if let storageError { throw storageError }
            return nil
        }
    }

    private func body(of stored: [UInt8], atPath path: String) throws(StoreError) -> [UInt8] {
        if storage.compression == .none { return stored }
        do throws(GzipError) {
            var body: [UInt8] = []
            try GzipInflater().inflateMember(stored, into: &body, limitBytes: TileStorage.tileLimitBytes)
            return body
        } catch {
            throw StoreError(path: path, reason: .notGzip(error))
        }
    }

    /// The bytes of a file beside the tiles.
    package func metadataBytes(of name: String) throws(StoreError) -> [UInt8] {
        let isList = name == TileList.fileName || name == LeafList.fileName
        let limit = isList ? TileDirectory.tileListLimitBytes : TileDirectory.metadataLimitBytes
        return try RegularFile.bytes(atPath: path(ofFile: name), limitBytes: limit)
    }

    /// Reads the bytes of a file beside the tiles as what they stand for.
    package func decode<Value>(
        _ bytes: [UInt8], of name: String, _ read: ([UInt8]) throws(MetadataError) -> Value
    ) throws(StoreError) -> Value {
        do throws(MetadataError) {
            return try read(bytes)
        } catch {
            throw StoreError(path: path(ofFile: name), reason: .damaged(error.description))
        }
    }
}
