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
/// `ETag` allow; only the files filtered last stay in memory. Requests that fail temporarily (no connection, or status
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
        guard let bundles else { return url(of: .tile(tile), in: tileJSON) }
        return bundles.file(holding: tile).flatMap { url(of: $0, in: tileJSON) }
    }

    private func url(of file: FileAddress, in tileJSON: TileJSON) -> URL? {
        guard let tile = file.tile, let template = tileJSON.template(of: file.kind) else { return nil }
        let path = template.replacingOccurrences(of: "{z}", with: "\(tile.z)")
            .replacingOccurrences(of: "{x}", with: "\(tile.x)").replacingOccurrences(of: "{y}", with: "\(tile.y)")
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
        let description = await files.description
        do {
            return try await shown(at: coordinates, description, read)
        } catch is MissingFile {
            // The tileset was rebuilt. Files that are missing from the new one don't exist.
            try await files.refresh(after: description)
            return try await shown(at: coordinates, await files.description, filesMayBeMissing: true, read)
        }
    }

    /// The host doesn't have a file that the index names.
    private struct MissingFile: Error {}

    private func shown<Shown: Sendable>(
        at coordinates: [TileCoordinate], _ description: RemoteFiles.Description, filesMayBeMissing: Bool = false,
        _ read: @escaping Reading<Shown>
    ) async throws -> [Shown] {
        var wanted: [FileAddress: [TileCoordinate]] = [:]
        for tile in coordinates {
            let file = description.bundles.map { $0.file(holding: tile) } ?? .tile(tile)
            if let file { wanted[file, default: []].append(tile) }
        }
        // Waits for all even if one fails: on Linux, URLSession can hang if a request is cancelled as it ends.
        let found = await withTaskGroup(of: Result<[TileCoordinate: [Shown]], any Error>.self) { group in
            for (file, tiles) in wanted {
                group.addTask {
                    do {
                        guard let shown = try await self.shown(at: tiles, in: file, description, read) else {
                            return filesMayBeMissing || description.bundles == nil
                                ? .success([:]) : .failure(MissingFile())
                        }
                        return .success(Dictionary(uniqueKeysWithValues: zip(tiles, shown)))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var shown: [TileCoordinate: [Shown]] = [:]
        for result in found { shown.merge(try result.get()) { first, _ in first } }
        return coordinates.flatMap { shown[$0] ?? [] }
    }

    /// What to show of tiles that one file holds; `nil` if the host doesn't have the file.
    private func shown<Shown: Sendable>(
        at tiles: [TileCoordinate], in file: FileAddress, _ description: RemoteFiles.Description,
        _ read: Reading<Shown>
    ) async throws -> [[Shown]]? {
        guard let url = url(of: file, in: description.tileJSON) else {
            throw RemoteTilesError(url: self.url, problem: "the TileJSON has no URL template of tiles")
        }
        guard let bytes = try await files.bytes(at: url), !bytes.isEmpty else { return nil }
        do {
            return try read(FetchedFile(address: file, bytes: bytes, tileJSON: description.tileJSON), tiles)
        } catch let error as TileDecodingError {
            throw RemoteTilesError(url: url, problem: "is not a tile: \(error)")
        }
    }
}
