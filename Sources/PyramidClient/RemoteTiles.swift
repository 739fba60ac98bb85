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
/// Values of this type only read, and any number of tasks may share one. The session's own cache keeps the tiles, as
/// the host's `Cache-Control` and `ETag` allow.
public struct RemoteTiles: Sendable {
    /// The largest tile that is read, in bytes as sent and as JSON: 64 MiB.
    public static let tileLimitBytes = 64 << 20

    /// The host's description of the tileset.
    public let tileJSON: TileJSON
    /// The URL of ``tileJSON``; addresses in it are relative to this.
    public let url: URL
    private let session: URLSession

    /// Reads the TileJSON of a tileset.
    /// - Parameter url: of the TileJSON, or of the tileset's directory, with or without a trailing slash.
    /// - Throws: ``RemoteTilesError``, and any error of the session.
    public init(at url: URL, session: URLSession = .shared) async throws {
        self.url = url.pathExtension == "json" ? url : url.appendingPathComponent(TileJSON.fileName)
        self.session = session
        guard let bytes = try await RemoteTiles.bytes(at: self.url, session) else {
            throw RemoteTilesError(url: self.url, problem: "there is no TileJSON")
        }
        do throws(MetadataError) {
            tileJSON = try TileJSON(decoding: bytes)
        } catch {
            throw RemoteTilesError(url: self.url, problem: "\(error)")
        }
    }

    /// The URL of a tile; `nil` if the TileJSON has no usable template.
    public func url(of tile: TileCoordinate) -> URL? {
        let path = tileJSON.tiles.first?.replacingOccurrences(of: "{z}", with: "\(tile.z)")
            .replacingOccurrences(of: "{x}", with: "\(tile.x)").replacingOccurrences(of: "{y}", with: "\(tile.y)")
        return path.flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
    }

    /// The tile at an address; `nil` if it holds no points: the host answers 404, 204, or with an empty body or no
    /// features.
    ///
    /// Inflates gzip if neither the host nor the session has.
    /// - Throws: ``RemoteTilesError``, and any error of the session.
    public func tile(at coordinate: TileCoordinate) async throws -> Tile? {
        guard let url = url(of: coordinate) else {
            throw RemoteTilesError(url: self.url, problem: "the TileJSON has no address of tiles")
        }
        guard let bytes = try await RemoteTiles.bytes(at: url, session), !bytes.isEmpty else { return nil }
        do {
            let tile = try GeoJSONTileDecoder.decode(bytes, at: coordinate)
            return tile.markers.isEmpty ? nil : tile
        } catch {
            throw RemoteTilesError(url: url, problem: "is not a tile: \(error)")
        }
    }

    /// The markers that lie in a box: what a map shows there.
    ///
    /// A marker just outside the view may reach into it with its circle, so pass a box that is wider than the view by a
    /// marker's radius. The tiles are fetched concurrently.
    /// - Parameters:
    ///   - box: in degrees; `west` is greater than `east` if it crosses the antimeridian.
    ///   - zoom: for a fractional map zoom, its whole part. Beyond the tileset's last zoom level, the markers of the
    ///     last
    ///     level are returned; before the first, none.
    /// - Returns: in the order of their tiles, from west to east and from north to south.
    public func visibleMarkers(in box: BoundingBox, zoom: Int) async throws -> [Marker] {
        guard zoom >= tileJSON.minzoom else { return [] }
        let coordinates = TileCoordinate.covering(box, atZoom: min(zoom, tileJSON.maxzoom))
        return try await withThrowingTaskGroup(of: (Int, [Marker]).self) { group in
            for (index, coordinate) in coordinates.enumerated() {
                group.addTask { (index, try await tile(at: coordinate)?.markers(in: box) ?? []) }
            }
            var markers = [[Marker]](repeating: [], count: coordinates.count)
            for try await (index, found) in group { markers[index] = found }
            return markers.flatMap { $0 }
        }
    }

    /// The bytes at a URL, with gzip inflated; `nil` if there is nothing.
    private static func bytes(at url: URL, _ session: URLSession) async throws -> [UInt8]? {
        let (data, response) = try await session.data(from: url)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 200
        if status == 404 || status == 204 { return nil }
        guard (200..<300).contains(status) else {
            throw RemoteTilesError(url: url, problem: "the host answers \(status)")
        }
        guard data.count <= tileLimitBytes else {
            throw RemoteTilesError(url: url, problem: "is larger than the limit of \(tileLimitBytes) bytes")
        }
        guard data.starts(with: Gzip.magic) else { return Array(data) }
        do {
            return try Gzip.decompress(Array(data), limitBytes: tileLimitBytes)
        } catch {
            throw RemoteTilesError(url: url, problem: "can't be inflated: \(error)")
        }
    }
}

/// What is wrong with a file on a web host.
public struct RemoteTilesError: Error, Equatable, CustomStringConvertible, Sendable {
    public let url: URL
    /// What the host sent.
    public let problem: String

    public var description: String { "\(url.absoluteString): \(problem)" }
}
