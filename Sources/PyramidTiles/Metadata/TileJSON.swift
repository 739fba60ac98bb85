import Foundation

/// `tilejson.json`: where the tiles are and what is in them, for map clients.
///
/// Source: [TileJSON 3.0.0](https://github.com/mapbox/tilejson-spec/tree/master/3.0.0).
public struct TileJSON: Codable, Equatable, Sendable {
    public static let fileName = "tilejson.json"

    public var tilejson = "3.0.0"
    public var scheme = "xyz"
    public var name: String?
    /// Text or HTML that clients show on the map.
    public var attribution: String?
    /// The URL templates of the tiles, relative to this file unless they are absolute.
    public var tiles: [String]
    /// The same templates, under the name that TileJSON has for GeoJSON.
    public var data: [String]
    public var minzoom: Int
    public var maxzoom: Int
    /// West, south, east, north in degrees. They must not cross the antimeridian: bounds that do are widened to all
    /// longitudes.
    public var bounds: [Double]
    /// Longitude and latitude in degrees, and a zoom level.
    public var center: [Double]
    public var vectorLayers: [VectorLayer]

    /// The only layer of a tileset, and the types of its points' properties.
    public struct VectorLayer: Codable, Equatable, Sendable {
        public var id: String
        /// Property name to "String", "Number" or "Boolean".
        public var fields: [String: String]
        public var minzoom: Int
        public var maxzoom: Int
    }

    /// - Parameters:
    ///   - tileTemplate: relative to this file.
    ///   - fields: the points' property names, each with "String", "Number" or "Boolean".
    ///   - options: have no ``TileJSONOptions/problem``.
    public init(
        tileTemplate: String, minZoom: Int, maxZoom: Int, bounds: BoundingBox, fields: [String: String],
        options: TileJSONOptions = TileJSONOptions()
    ) {
        name = options.name
        attribution = options.attribution
        let template = (options.baseURLWithSlash ?? "") + tileTemplate
        tiles = [template]
        data = [template]
        minzoom = minZoom
        maxzoom = maxZoom
        let crossesAntimeridian = bounds.west > bounds.east
        let inside = BoundingBox(
            west: crossesAntimeridian ? -180_000_000 : bounds.west, south: bounds.south,
            east: crossesAntimeridian ? 180_000_000 : bounds.east, north: bounds.north)
        self.bounds = inside.degrees
        let east = Int64(bounds.east) + (crossesAntimeridian ? 360_000_000 : 0)
        let longitude = (Int64(bounds.west) + east) / 2
        let middle = Coordinate(
            longitudeMicrodegrees: Int32(longitude > 180_000_000 ? longitude - 360_000_000 : longitude),
            latitudeMicrodegrees: Int32((Int64(bounds.south) + Int64(bounds.north)) / 2))
        center = [middle.longitude, middle.latitude, Double(minZoom)]
        vectorLayers = [VectorLayer(id: "points", fields: fields, minzoom: minZoom, maxzoom: maxZoom)]
    }

    /// What precedes "tiles/..." in the template, with a trailing slash; `nil` if the template is relative.
    public var baseURL: String? {
        guard let template = tiles.first, let end = template.range(of: "\(TileStorage.tilesName)/{z}/{x}/{y}") else {
            return nil
        }
        let base = String(template[..<end.lowerBound])
        return TileJSONOptions.isBaseURL(base) ? base : nil
    }

    /// The file's bytes.
    public func encoded() throws -> [UInt8] { try MetadataJSON.encode(self) }

    /// Reads the file's bytes.
    public init(decoding bytes: [UInt8]) throws(MetadataError) {
        self = try MetadataJSON.decode(TileJSON.self, from: bytes)
    }
}
