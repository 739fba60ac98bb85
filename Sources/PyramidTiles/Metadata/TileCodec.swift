/// How the markers of tiles are encoded, with all that follows from it. Pages of clusters' points are GeoJSON in any case.
public enum TileCodec: String, Codable, CaseIterable, Sendable {
    /// GeoJSON (RFC 7946).
    case geojson
    /// [Mapbox Vector Tiles 2.1](https://github.com/mapbox/vector-tile-spec/tree/master/2.1).
    case mvt

    /// What people call the bytes of a tile.
    public var title: String { self == .geojson ? "JSON" : "MVT" }

    /// The type that servers send with a tile.
    public var mediaType: String {
        self == .geojson ? "application/geo+json" : "application/vnd.mapbox-vector-tile"
    }

    /// How the names of tiles end by default.
    public var defaultSuffix: String { self == .geojson ? ".json" : ".mvt" }

    /// The default side of a tile on the map, in pixels: MapLibre's for the sources that read the format.
    public var defaultTileSize: Int { self == .geojson ? 256 : 512 }

    /// A tile without features. No bytes are an MVT tile without layers.
    public var emptyTile: [UInt8] {
        self == .geojson ? Array(#"{"type":"FeatureCollection","features":[]}"#.utf8) : []
    }

    /// Whether tiles have every coordinate as it is. An MVT tile has the nearest of its 8192 × 8192 places.
    public var hasExactPlaces: Bool { self == .geojson }

    /// Whether tiles hold every value as it is, and every id as that of a feature. MVT has no nested values, and no ids but
    /// whole numbers.
    public var holdsAnyValue: Bool { self == .geojson }

    /// Whether tiles can be put into bundles.
    public var canBeBundled: Bool { self == .geojson }

    /// The `format` of TileJSON, as servers of MBTiles call it; `nil` if TileJSON has none.
    package var tileJSONFormat: String? { self == .mvt ? "pbf" : nil }

    /// Whether TileJSON has the templates of the tiles under `data` too, its name for GeoJSON.
    package var hasTileJSONData: Bool { self == .geojson }

    /// The tile size that TileJSON leaves out; `nil` if it always has one.
    package var impliedTileSize: Int? { self == .geojson ? 256 : nil }

    /// Whether the bounds in TileJSON are a ten-millionth of a degree wider on each side: MapLibre fetches no vector tile
    /// that has only their eastern or southern border.
    package var widensBounds: Bool { self == .mvt }

    /// Whether TileJSON lists the properties of clusters too. Clients of GeoJSON see them in the tiles; some readers of MVT
    /// ignore what isn't listed.
    package var listsClusterFields: Bool { self == .mvt }

    /// The codec of the tiles that a TileJSON with this `format` describes.
    package init(tileJSONFormat: String?) {
        self = TileCodec.allCases.first { $0.tileJSONFormat == tileJSONFormat } ?? .geojson
    }
}

/// What clusters in MVT tiles carry only if it is wanted.
public enum MVTProperty: String, Codable, CaseIterable, Sendable {
    /// The feature's id once more.
    case clusterID = "cluster_id"
    /// The box around the members, as JSON text.
    case boundingBox = "bbox"
}
