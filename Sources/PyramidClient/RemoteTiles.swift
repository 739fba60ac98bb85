import Foundation
import PyramidTiles

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads a pyramid from a web host.
///
/// ```swift
/// let tiles = try await RemoteTiles(at: URL(string: "https://tiles.example.org/cities/")!)
/// let markers = try await tiles.visibleMarkers(in: box, zoom: 7)
/// ```
///
/// Values of this type only read, and any number of tasks may use one. Tiles that were read are kept by the session's own
/// cache, as the host's `Cache-Control` and `ETag` allow.
public struct RemoteTiles: Sendable {
    /// No tile is read that is larger, in bytes as sent or as JSON: 64 MiB.
    public static let tileLimitBytes = 64 << 20

    /// What the host says of the pyramid.
    public let tileJSON: TileJSON
    /// Where ``tileJSON`` is; the addresses in it are relative to this.
    public let url: URL
    private let session: URLSession

    /// Reads the TileJSON of a pyramid.
    /// - Parameter url: of the TileJSON, or of the pyramid's directory, with or without a slash at its end.
    /// - Throws: ``RemoteTilesError``, and what the session throws.
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

    /// The address of a tile; `nil` where the TileJSON has none that can be understood.
    public func url(of tile: TileCoordinate) -> URL? {
        let path = tileJSON.tiles.first?.replacingOccurrences(of: "{z}", with: "\(tile.z)")
            .replacingOccurrences(of: "{x}", with: "\(tile.x)").replacingOccurrences(of: "{y}", with: "\(tile.y)")
        return path.flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
    }

    /// The tile at an address; `nil` where no point lies: the host answers 404 or 204, with nothing or with no features.
    ///
    /// Gzip is undone here where neither the host nor the session has.
    /// - Throws: ``RemoteTilesError``, and what the session throws.
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

    /// The markers whose places are in a box: what a map shows there.
    ///
    /// A marker whose place is just outside may reach into the view with its circle, so give a box that is wider than the
    /// view by a marker's radius. The tiles are fetched at once.
    /// - Parameters:
    ///   - box: in degrees; `west` is greater than `east` where it crosses the antimeridian.
    ///   - zoom: of a map's zoom the whole part. Beyond the pyramid's last zoom level the markers are those of the last;
    ///     before the first there are none.
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

    /// The bytes at an address, gzip undone; `nil` where there is nothing.
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

/// What is wrong with a file of a web host.
public struct RemoteTilesError: Error, Equatable, CustomStringConvertible, Sendable {
    public let url: URL
    /// What was found there.
    public let problem: String

    public var description: String { "\(url.absoluteString): \(problem)" }
}
