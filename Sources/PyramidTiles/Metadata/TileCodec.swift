/// How the markers of tiles are encoded, and what depends on it.
public enum TileCodec: String, Codable, CaseIterable, Sendable {
    /// GeoJSON (RFC 7946).
    case geojson
    /// [Mapbox Vector Tiles 2.1](https://github.com/mapbox/vector-tile-spec/tree/master/2.1).
    case mvt

    /// The format's name in messages.
    public var title: String { self == .geojson ? "JSON" : "MVT" }

    /// The type that servers send with a tile.
    public var mediaType: String {
        self == .geojson ? "application/geo+json" : "application/vnd.mapbox-vector-tile"
    }

    /// The default suffix of tiles' names.
    public var defaultSuffix: String { self == .geojson ? ".json" : ".mvt" }

    /// The default side of a tile on the map in pixels, as MapLibre assumes for the format.
    public var defaultTileSize: Int { self == .geojson ? 256 : 512 }

    /// A tile without features. In MVT, that is an empty file.
    public var emptyTile: [UInt8] {
        self == .geojson ? Array(#"{"type":"FeatureCollection","features":[]}"#.utf8) : []
    }

    /// Whether coordinates in tiles are exact. In MVT they are rounded to a grid of 8192 × 8192 places in each tile.
    public var hasExactPlaces: Bool { self == .geojson }

    /// Whether tiles hold all values unchanged, and all ids as ids of features. MVT has no nested values, and its ids
    /// are whole numbers.
    public var holdsAnyValue: Bool { self == .geojson }

    /// Whether tiles can be put into bundles.
    public var canBeBundled: Bool { self == .geojson }

    /// The `format` in TileJSON, as MBTiles names it; `nil` if it is left out.
    package var tileJSONFormat: String? { self == .mvt ? "pbf" : nil }

    /// Whether TileJSON repeats the templates of the tiles under `data`, its key for GeoJSON.
    package var hasTileJSONData: Bool { self == .geojson }

    /// The tile size that is left out of TileJSON; `nil` if none is.
    package var impliedTileSize: Int? { self == .geojson ? 256 : nil }

    /// Whether the bounds in TileJSON are widened by a ten-millionth of a degree on each side: MapLibre doesn't fetch a
    /// vector tile that contains only their eastern or southern border.
    package var widensBounds: Bool { self == .mvt }

    /// Whether TileJSON lists the properties of clusters too. Some readers of MVT ignore properties that aren't listed;
    /// those of GeoJSON don't need the list.
    package var listsClusterFields: Bool { self == .mvt }

    /// The codec for the `format` in a TileJSON; GeoJSON if the format is unknown.
    package init(tileJSONFormat: String?) {
        self = TileCodec.allCases.first { $0.tileJSONFormat == tileJSONFormat } ?? .geojson
    }
}
