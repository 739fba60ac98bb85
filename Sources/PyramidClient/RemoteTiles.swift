import Foundation
import PyramidTiles

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads a tileset from a web host.
///
/// ```swift
/// let tiles = try await RemoteTiles(at: URL(string: "https://tiles.example.org/cities/")!)
/// let markers = try await tiles.visibleMarkers(in: box, zoom: 7)
/// ```
///
/// Tasks can share a value. It leaves caching to the session, within its limits and as the host's `Cache-Control` and
/// `ETag` allow; only the files filtered last and the points of the last box stay in memory. Requests that fail temporarily (no connection, or status
/// 429 or 500 to 599) are repeated up to three times within a few seconds.
public struct RemoteTiles: Sendable {
    /// The size limit of a file, as sent and after decompression: 64 MiB.
    public static let tileLimitBytes = RemoteFiles.limitBytes

    /// The tileset's TileJSON, as first read.
    public let tileJSON: TileJSON
    /// The URL of ``tileJSON``; URLs in it are relative to this one.
    public let url: URL
    /// The index of bundles in ``tileJSON``.
    private let bundles: BundleIndex?
    private let files: RemoteFiles
    let filteredFiles = FilteredFiles()
    let lastBoxSearch = LastBoxSearch()

    /// As last read.
    var currentTileJSON: TileJSON { get async { await files.description.tileJSON } }

    /// Reads the TileJSON of a tileset.
    /// - Parameters:
    ///   - url: the URL of the TileJSON or of the tileset's directory, with or without a trailing slash.
    ///   - session: makes the requests; on Linux only its configuration is used.
    /// - Throws: ``RemoteTilesError``, and any error of the session.
    public init(at url: URL, session: URLSession = .shared) async throws {
        self.url = url.pathExtension == "json" ? url : url.appendingPathComponent(TileJSON.fileName)
        files = try await RemoteFiles(at: self.url, session: session)
        let description = await files.description
        (tileJSON, bundles) = (description.tileJSON, description.bundles)
    }

    /// The URL of the file that holds a tile: the tile's own or a bundle's. `nil` if there is no such tile, or if the
    /// TileJSON has no usable template.
    public func url(of tile: TileCoordinate) -> URL? {
        RemoteFiles.Description(tileJSON: tileJSON, bundles: bundles).file(holding: tile)
            .flatMap { url(of: $0, in: tileJSON) }
    }

    private func url(of file: FileAddress, in tileJSON: TileJSON) -> URL? {
        guard let template = tileJSON.template(of: file.kind) else { return nil }
        let path = zip(["{z}", "{x}", "{y}"], file.numbers).reduce(template) { path, part in
            path.replacingOccurrences(of: part.0, with: "\(part.1)")
        }
        return URL(string: path, relativeTo: url)?.absoluteURL
    }

    /// The tile at an address; `nil` if it holds no points: the tileset's index doesn't have it, or the host answers
    /// 404, 204, or with an empty body or no features.
    ///
    /// Decompresses gzip if the host and the session don't.
    /// - Throws: ``RemoteTilesError``, and any error of the session.
    public func tile(at coordinate: TileCoordinate) async throws -> Tile? {
        let markers = try await shown(at: [coordinate], RemoteTiles.markers)
        return markers.isEmpty ? nil : Tile(coordinate: coordinate, markers: markers)
    }

    /// The markers that a map shows in a box at a zoom level.
    ///
    /// To include circles that reach into the view from outside, pass a box that is wider than the view by a marker's
    /// radius on each side. Files are fetched concurrently.
    /// - Parameters:
    ///   - box: the area; `west` is greater than `east` if it crosses the antimeridian.
    ///   - zoom: the map's zoom. Round a fractional one down. At zooms higher than the tileset's last one, returns the
    ///     markers of the last one; at zooms lower than its first one, none.
    /// - Returns: the markers in the order of their tiles, from west to east and from north to south.
    public func visibleMarkers(in box: BoundingBox, zoom: Int) async throws -> [Marker] {
        try await shown(in: box, zoom: zoom, RemoteTiles.markers).filter { box.contains($0.coordinate) }
    }

    /// What to show of tiles that one file holds, in the order of the tiles.
    typealias Reading<Shown> = @Sendable (FetchedFile, [TileCoordinate]) throws -> [[Shown]]

    private static func markers(of file: FetchedFile, in tiles: [TileCoordinate]) throws -> [[Marker]] {
        let records = try file.records()
        return tiles.map { tile in
            records.compactMap { file.isBundle && !$0.isShown(in: tile) ? nil : $0.marker }
        }
    }

    /// What to show of the tiles that a box touches, which may lie outside the box.
    func shown<Shown: Sendable>(
        in box: BoundingBox, zoom: Int, _ read: @escaping Reading<Shown>
    ) async throws -> [Shown] {
        let tileJSON = await files.description.tileJSON
        guard zoom >= tileJSON.minzoom else { return [] }
        return try await shown(at: TileCoordinate.covering(box, atZoom: min(zoom, tileJSON.maxzoom)), read)
    }

    /// What to show of the tiles at addresses of one zoom, in the same order.
    private func shown<Shown: Sendable>(
        at coordinates: [TileCoordinate], _ read: @escaping Reading<Shown>
    ) async throws -> [Shown] {
        try await reading { files in
            let wanted = Dictionary(grouping: coordinates) { files.description.file(holding: $0) }
            let found = try await files.contents(of: wanted.keys.compactMap(\.self)) { file in
                let tiles = wanted[file.address] ?? []
                return Dictionary(uniqueKeysWithValues: zip(tiles, try read(file, tiles)))
            }
            let shown = found.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
            return coordinates.flatMap { shown[$0] ?? [] }
        }
    }

    /// Reads files, and once more if the tileset was rebuilt in the meantime.
    func reading<Result>(_ read: (FileReading) async throws -> Result) async throws -> Result {
        let description = await files.description
        do {
            return try await read(FileReading(tiles: self, description: description))
        } catch is MissingFile {
            // Files that are missing from the new tileset don't exist.
            try await files.refresh(after: description)
            return try await read(FileReading(tiles: self, description: files.description, filesMayBeMissing: true))
        }
    }

    /// The host doesn't have a file that the index names.
    private struct MissingFile: Error {}

    /// Reads files of the tileset that a description describes.
    struct FileReading: Sendable {
        let tiles: RemoteTiles
        let description: RemoteFiles.Description
        var filesMayBeMissing = false

        /// Reads files concurrently. Files that the host doesn't have are left out.
        func contents<Content: Sendable>(
            of addresses: [FileAddress], _ decode: @escaping @Sendable (FetchedFile) throws -> Content
        ) async throws -> [FileAddress: Content] {
            // Waits for all even if one fails: the next try finds the others in the session's cache.
            let found = await withTaskGroup(of: (FileAddress, Result<Content?, any Error>).self) { group in
                for address in addresses {
                    group.addTask {
                        do {
                            return (address, .success(try await content(of: address, decode)))
                        } catch {
                            return (address, .failure(error))
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            var contents: [FileAddress: Content] = [:]
            for (address, content) in found { contents[address] = try content.get() }
            return contents
        }

        /// `nil` if the host doesn't have the file.
        private func content<Content>(
            of address: FileAddress, _ decode: (FetchedFile) throws -> Content
        ) async throws -> Content? {
            guard let url = tiles.url(of: address, in: description.tileJSON) else {
                throw RemoteTilesError(url: tiles.url, problem: "the TileJSON has no URL template of \(address.kind)s")
            }
            guard let bytes = try await tiles.files.bytes(at: url), !bytes.isEmpty else {
                guard filesMayBeMissing || description.bundles == nil else {
                    throw MissingFile()
                }
                return nil
            }
            do {
                return try decode(FetchedFile(address: address, bytes: bytes, tileJSON: description.tileJSON))
            } catch let error as TileDecodingError {
                throw RemoteTilesError(url: url, problem: "is not a \(address.kind): \(error)")
            }
        }
    }
}
