import PyramidTiles
import Synchronization

/// A tileset to read, in a directory, in an archive or in memory.
///
/// Any number of threads may share a value.
public protocol TilesetReader: TileSource {
    /// The tileset's path or another name for messages.
    var name: String { get }

    /// How the tiles are stored.
    var storage: TileStorage { get }

    /// In MVT, the property of points for ids that can't be ids of features; `nil` if there are none.
    var idProperty: String? { get }

    /// The directory that holds the tileset's files; `nil` if it isn't in a directory.
    var directoryPath: String? { get }

    /// Whether a build is in progress or was interrupted. Then old and new tiles may be mixed.
    var isBeingBuilt: Bool { get }

    /// The bytes of a file beside the tiles, such as `manifest.json`.
    func metadataBytes(of name: String) throws(StoreError) -> [UInt8]

    /// Calls `body` with the bytes of a file beside the tiles, piece by piece, and with the file's size.
    func forEachPiece(
        ofMetadata name: String, _ body: (_ piece: [UInt8], _ total: Int) throws(StoreError) -> Void
    ) throws(StoreError)

    /// The bytes of a tile or a bundle as stored.
    /// - Parameter limitBytes: a larger file is an error.
    /// - Throws: ``StoreError``, with the reason `missing` if there is none.
    func storedBytes(of address: FileAddress, limitBytes: Int) throws(StoreError) -> [UInt8]

    /// The list of files, if it has to be made from the tiles; `nil` if it is stored as a file.
    func derivedFileList() throws(StoreError) -> FileList?

    /// Files that are among the tiles and bundles, but not in the list.
    func strays(_ list: FileList) -> [StrayFile]
}

/// A file or folder that doesn't belong in a tileset, or a folder that is missing.
public struct StrayFile: Equatable, Sendable {
    public enum Problem: Equatable, Sendable {
        case unlisted
        case notADirectory
        /// The folder can't be read, for the system's reason.
        case unreadable(String)
        /// The list names files in this folder, but it doesn't exist.
        case missingFolder
    }

    /// Relative to the tileset.
    public let path: String
    public let problem: Problem
}

extension TilesetReader {
    public var idProperty: String? { (try? manifest())?.content.idProperty }

    /// The path of a file of the tileset, for messages.
    public func path(ofFile path: String) -> String { "\(name)/\(path)" }

    /// The path of a tile, whether it exists or not.
    public func path(of tile: TileCoordinate) -> String { path(ofFile: storage.relativePath(of: .tile(tile))) }

    /// - Throws: ``StoreError`` if the manifest can't be read or is damaged.
    public func manifest() throws(StoreError) -> Manifest {
        try decode(manifestBytes(), of: Manifest.fileName, Manifest.init(decoding:))
    }

    /// The format version of a tileset that can't be read because of it; `nil` if the version is the current one, or if
    /// there is no tileset.
    var otherFormatVersion: Int? {
        (try? metadataBytes(of: Manifest.fileName)).flatMap { Manifest.otherFormatVersion(of: $0) }
    }

    /// - Throws: ``StoreError``, with the reason `incomplete` if a build hasn't written the manifest yet.
    func manifestBytes() throws(StoreError) -> [UInt8] {
        do throws(StoreError) {
            return try metadataBytes(of: Manifest.fileName)
        } catch {
            throw error.reason == .missing && isBeingBuilt ? StoreError(path: name, reason: .incomplete) : error
        }
    }

    /// - Throws: ``StoreError`` if the file can't be read or is damaged.
    public func tileJSON() throws(StoreError) -> TileJSON {
        try decode(metadataBytes(of: TileJSON.fileName), of: TileJSON.fileName, TileJSON.init(decoding:))
    }

    /// Every tile, bundle and page.
    /// - Throws: ``StoreError`` if the list can't be read or is damaged.
    public func fileList() throws(StoreError) -> FileList {
        if let derived = try derivedFileList() { return derived }
        return try inMemory { try storedFileList(nil, .unlimited) }
    }

    /// What `read` returns without temporary files, so that only reading can fail.
    func inMemory<Value>(_ read: () throws -> Value) throws(StoreError) -> Value {
        do {
            return try read()
        } catch let error as StoreError {
            throw error
        } catch {
            preconditionFailure("no temporary file is written: \(error)")
        }
    }

    public func derivedFileList() throws(StoreError) -> FileList? { nil }

    /// Reads the list that is stored as a file.
    /// - Parameter summary: the size and checksum that the manifest states; `nil` to accept any list.
    /// - Throws: ``StoreError``; ``OutputError`` if there is no room for a temporary file.
    func storedFileList(_ summary: Manifest.FileSummary?, _ memory: ListMemory) throws -> FileList {
        let name = FileList.fileName
        var decoder = FileListDecoder()
        let collector = FileListCollector(memory)
        var failure: (any Error)?
        try forEachPiece(ofMetadata: name) { piece, _ in
            guard failure == nil else { return }
            do {
                try collector.append(decoder.append(piece))
            } catch {
                failure = error
            }
        }
        do {
            if let failure { throw failure }
            if let summary, decoder.summary != summary { throw MetadataError("is not the list of the manifest") }
            try decoder.finish()
        } catch let error as MetadataError {
            throw StoreError(path: path(ofFile: name), reason: .damaged(error.description))
        }
        return try collector.finish()
    }

    public func forEachPiece(
        ofMetadata name: String, _ body: (_ piece: [UInt8], _ total: Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        let bytes = try metadataBytes(of: name)
        try body(bytes, bytes.count)
    }

    /// The tile at an address, decoded; `nil` if there is none.
    /// - Throws: ``StoreError``
    public func tile(at coordinate: TileCoordinate) throws -> Tile? {
        if let body = try body(of: .tile(coordinate)) {
            return try decodeTile(.tile(coordinate)) { () throws(TileDecodingError) in
                try storage.codec.decode(body, at: coordinate, idProperty: idProperty)
            }
        }
        guard let (bundle, address, zooms) = try bundle(holding: coordinate) else { return nil }
        let records = try decodeTile(address) { () throws(TileDecodingError) in
            try GeoJSONTileDecoder.decodeBundle(bundle, zooms: zooms)
        }
        let markers = records.filter { $0.isShown(in: coordinate) }.map { $0.asInTile(ofZoom: coordinate.z) }
        return markers.isEmpty ? nil : Tile(coordinate: coordinate, markers: markers)
    }

    private func decodeTile<Value>(
        _ address: FileAddress, _ decode: () throws(TileDecodingError) -> Value
    ) throws(StoreError) -> Value {
        do throws(TileDecodingError) {
            return try decode()
        } catch {
            throw StoreError(path: path(ofFile: storage.relativePath(of: address)), reason: .notATile(error))
        }
    }

    /// The bytes of a tile's own file as stored; `nil` if there is none.
    public func storedBytes(of tile: TileCoordinate) throws(StoreError) -> [UInt8]? { try storedBytes(at: .tile(tile)) }

    /// A tile as GeoJSON for people to read, converted if it is an MVT tile; `nil` if there is no such tile.
    public func json(of tile: TileCoordinate) throws(StoreError) -> [UInt8]? {
        guard let body = try body(of: tile) else { return nil }
        return try decodeTile(.tile(tile)) { () throws(TileDecodingError) in
            try storage.codec.transcript(of: body, at: tile).json
        }
    }

    /// The uncompressed bytes of a tile, taken out of its bundle if it is in one; `nil` if there is no such tile.
    public func body(of tile: TileCoordinate) throws(StoreError) -> [UInt8]? {
        if let body = try body(of: .tile(tile)) { return body }
        return try bundledBody(of: tile)
    }

    /// The uncompressed bytes of a tile that is in a bundle; `nil` if no bundle holds it.
    package func bundledBody(of tile: TileCoordinate) throws(StoreError) -> [UInt8]? {
        guard let (bundle, address, zooms) = try bundle(holding: tile) else { return nil }
        return try decodeTile(address) { () throws(TileDecodingError) in
            try BundleExpansion.tile(tile, from: bundle, of: address.tile, maxZoom: zooms.upperBound)
        }
    }

    /// The bundle that holds a tile; `nil` if none does, or the tileset has no such zoom.
    private func bundle(
        holding tile: TileCoordinate
    ) throws(StoreError) -> (body: [UInt8], address: FileAddress, zooms: ClosedRange<Int>)? {
        for address in storage.layout.bundles(holding: tile) {
            guard let bundle = try body(of: address) else { continue }
            let maxZoom = try manifest().options.maxZoom
            return address.tile.z <= maxZoom ? (bundle, address, address.tile.z...maxZoom) : nil
        }
        return nil
    }

    /// The uncompressed bytes of a file; `nil` if there is none.
    package func body(of address: FileAddress) throws(StoreError) -> [UInt8]? {
        guard let stored = try storedBytes(at: address) else { return nil }
        if storage.compression == .none { return stored }
        do throws(GzipError) {
            return try Gzip.decompress(stored, limitBytes: TileStorage.tileLimitBytes)
        } catch {
            throw StoreError(path: path(ofFile: storage.relativePath(of: address)), reason: .notGzip(error))
        }
    }

    private func storedBytes(at address: FileAddress) throws(StoreError) -> [UInt8]? {
        do throws(StoreError) {
            return try storedBytes(of: address, limitBytes: TileStorage.tileLimitBytes)
        } catch {
            guard error.reason == .missing else { throw error }
            return nil
        }
    }

    /// Decodes the bytes of a file beside the tiles.
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

/// Collects the entries of a list, in any order and from several threads.
package final class FileListCollector: Sendable {
    private let sorter: Mutex<RunSorter<FileList.Entry>>

    package init(_ memory: ListMemory = .unlimited) { sorter = Mutex(RunSorter(memory)) }

    package func append(_ entries: [FileList.Entry]) throws(OutputError) {
        try sorter.withLock { sorter throws(OutputError) in try sorter.append(entries) }
    }

    /// The list of all entries, each of which must have its own address. No more can be appended.
    package func finish() throws(OutputError) -> FileList {
        FileList(sorted: try sorter.withLock { sorter throws(OutputError) in try sorter.finish() })
    }
}

extension FileList.Entry: SortableElement {
    @usableFromInline package var sortKey: FileAddress { address }
}
