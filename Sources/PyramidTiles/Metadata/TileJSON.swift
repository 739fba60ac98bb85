import PyramidPlatform

/// `tilejson.json`, for map clients: where the tiles are and what they contain.
///
/// Source: [TileJSON 3.0.0](https://github.com/mapbox/tilejson-spec/tree/master/3.0.0).
public struct TileJSON: Codable, Equatable, Sendable {
    public static let fileName = "tilejson.json"

    public var tilejson = "3.0.0"
    public var scheme = "xyz"
    public var name: String?
    public var description: String?
    /// Text or HTML that clients show on the map.
    public var attribution: String?
    /// The URL templates of the tiles, relative to this file unless they are absolute.
    public var tiles: [String]
    /// The same templates, under TileJSON's key for GeoJSON; `nil` for other formats.
    public var data: [String]?
    /// `pbf` for MVT, as MBTiles names it; `nil` for GeoJSON.
    public var format: String?
    /// In MVT, the property of points for ids that can't be ids of features; `nil` if there are none.
    public var idProperty: String?
    /// The tile size in pixels; `nil` for GeoJSON tiles of 256 pixels.
    public var tileSize: Int?
    public var minzoom: Int
    public var maxzoom: Int
    /// West, south, east, north in degrees. TileJSON's bounds can't cross the antimeridian, so bounds that cross it are
    /// widened to all longitudes. With MVT they are a ten-millionth of a degree wider on each side: MapLibre doesn't
    /// fetch a tile that contains only their eastern or southern border.
    public var bounds: [Double]
    /// Longitude and latitude in degrees, and a zoom.
    public var center: [Double]
    public var vectorLayers: [VectorLayer]
    /// The number of points at every zoom.
    public var pointCount: Int?
    /// For each clustered zoom, from the first to the last: the minimum distance between two markers, in pixels of a
    /// tile with ``tileSize``; `nil` if none is promised.
    public var clusterDistances: [Double]?
    /// The columns whose values clusters count; `nil` if there are none.
    public var countBy: [CountedValues]?
    /// Points with different values in this column never merge; `nil` if all points can merge.
    public var groupBy: String?
    /// The columns by which clients filter; `nil` if there are none.
    public var facets: Facets?
    /// Where the bundles are, and which file holds a tile; `nil` if there are no bundles.
    public var bundles: Bundles?
    /// The folders beside this file with this version of the tileset and with older ones, newest first; `nil` if there is
    /// only one, which is not in such a folder.
    public var versions: [String]?

    /// A column whose values clusters count.
    public struct CountedValues: Codable, Equatable, Sendable {
        /// The cluster property that holds the counts.
        public var name: String
        /// The most frequent values, as many as a cluster lists, with their numbers of points.
        public var values: [String: Int]
        /// Whether points have no other values.
        public var isComplete: Bool

        /// - Parameter values: of all points.
        package init(_ count: CategoryCount, _ values: [String: Int]) {
            name = count.name
            let frequent = values.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(count.limit)
            self.values = Dictionary(uniqueKeysWithValues: frequent.map { ($0.key, $0.value) })
            isComplete = values.count <= count.limit
        }
    }

    /// A ``BundleIndex`` in its stored form.
    public struct Bundles: Codable, Equatable, Sendable {
        public var limit: Int
        public var root: BundleIndex.State
        /// The URL template of the bundles, relative to this file unless it is absolute.
        public var template: String
        /// The index's bytes: Base64 (RFC 4648) of raw deflate (RFC 1951).
        public var index: String

        /// - Parameter deflated: the nodes of the index as raw deflate.
        package init(limit: Int, root: BundleIndex.State, template: String, deflated: [UInt8]) {
            self.limit = limit
            self.root = root
            self.template = template
            index = Data(deflated).base64EncodedString()
        }

        /// - Throws: ``MetadataError`` if the bytes are damaged.
        public func decoded() throws(MetadataError) -> BundleIndex {
            guard let data = Data(base64Encoded: index) else {
                throw MetadataError("has a bundle index that is not Base64")
            }
            let nodes: [UInt8]
            do throws(GzipError) {
                nodes = try Gzip.decompress(Array(data), limitBytes: BundleIndex.limitBytes, isRaw: true)
            } catch {
                throw MetadataError("has a bundle index that can't be inflated: \(error)")
            }
            guard let decoded = BundleIndex(limit: limit, root: root, nodes: nodes) else {
                throw MetadataError("has a bundle index that is not a tree of tiles")
            }
            return decoded
        }
    }

    /// How the tiles are encoded.
    public var codec: TileCodec { TileCodec(tileJSONFormat: format) }

    /// The only layer of a tileset, and the types of its properties. With GeoJSON, it has the properties of points;
    /// with MVT, also those of clusters, because some readers ignore properties that aren't listed.
    public struct VectorLayer: Codable, Equatable, Sendable {
        public var id: String
        /// By the property's name: "String", "Number" or "Boolean".
        public var fields: [String: String]
        public var minzoom: Int
        public var maxzoom: Int
    }

    /// - Parameters:
    ///   - tileTemplate: relative to this file.
    ///   - bundles: with a template relative to this file; `nil` if there are no bundles.
    ///   - tileSize: in pixels.
    ///   - layer: the name of the only layer.
    ///   - fields: by the property's name: "String", "Number" or "Boolean".
    ///   - options: their base URL must satisfy ``TileJSONOptions/isBaseURL(_:)``.
    public init(
        tileTemplate: String, codec: TileCodec = .geojson, tileSize: Int = 256, minZoom: Int, maxZoom: Int,
        bounds: BoundingBox, layer: String = TileStorage.defaultLayer, fields: [String: String],
        bundles: Bundles? = nil, options: TileJSONOptions = TileJSONOptions()
    ) {
        name = options.name
        description = options.description
        attribution = options.attribution
        let base = options.baseURLWithSlash ?? ""
        let template = base + tileTemplate
        self.bundles = bundles
        self.bundles?.template = base + (bundles?.template ?? "")
        tiles = [template]
        data = codec.hasTileJSONData ? [template] : nil
        format = codec.tileJSONFormat
        self.tileSize = tileSize == codec.impliedTileSize ? nil : tileSize
        minzoom = minZoom
        maxzoom = maxZoom
        let crossesAntimeridian = bounds.west > bounds.east
        let inside = BoundingBox(
            west: crossesAntimeridian ? -180_000_000 : bounds.west, south: bounds.south,
            east: crossesAntimeridian ? 180_000_000 : bounds.east, north: bounds.north)
        self.bounds = codec.widensBounds ? inside.widenedDegrees : inside.degrees
        let east = Int64(bounds.east) + (crossesAntimeridian ? 360_000_000 : 0)
        let longitude = (Int64(bounds.west) + east) / 2
        let middle = Coordinate(
            longitudeMicrodegrees: Int32(longitude > 180_000_000 ? longitude - 360_000_000 : longitude),
            latitudeMicrodegrees: Int32((Int64(bounds.south) + Int64(bounds.north)) / 2))
        center = [middle.longitude, middle.latitude, Double(minZoom)]
        vectorLayers = [VectorLayer(id: layer, fields: fields, minzoom: minZoom, maxzoom: maxZoom)]
    }

    /// The TileJSON of a tileset with these options.
    package init(
        _ clustering: ClusteringOptions, _ storage: TileStorage, bounds: BoundingBox, fields: [String: String],
        bundles: Bundles? = nil, options: TileJSONOptions
    ) {
        self.init(
            tileTemplate: storage.template(of: .tile), codec: storage.codec, tileSize: clustering.tileSize,
            minZoom: clustering.minZoom, maxZoom: clustering.maxZoom, bounds: bounds, layer: storage.layer,
            fields: fields, bundles: bundles, options: options)
    }

    /// The bounds, rounded to microdegrees; `nil` if they aren't a valid box.
    package var boundingBox: BoundingBox? {
        guard bounds.count == 4, bounds.allSatisfy({ (-180...180).contains($0) }),
            (-90...90).contains(bounds[1]), (-90...90).contains(bounds[3]), bounds[1] <= bounds[3]
        else { return nil }
        let borders = bounds.map { Int32(($0 * 1e6).rounded()) }
        return BoundingBox(west: borders[0], south: borders[1], east: borders[2], north: borders[3])
    }

    /// The URL template of a kind of file; `nil` if there is none.
    package func template(of kind: FileAddress.Kind) -> String? {
        kind == .tile ? tiles.first : bundles?.template
    }

    /// What precedes "tiles/..." in the template, with a trailing slash; `nil` if the template is relative.
    public var baseURL: String? {
        guard let template = tiles.first,
            let end = template.firstRange(of: "\(FileAddress.Kind.tile.folder)/{z}/{x}/{y}")
        else {
            return nil
        }
        let base = String(template[..<end.lowerBound])
        return TileJSONOptions.isBaseURL(base) ? base : nil
    }

    /// The same with absolute URLs of files below `baseURL`; unchanged if it has absolute ones already.
    /// - Parameter baseURL: must satisfy ``TileJSONOptions/isBaseURL(_:)`` and end in a slash.
    package func withBaseURL(_ baseURL: String) -> TileJSON {
        guard self.baseURL == nil else { return self }
        var absolute = self
        absolute.tiles = tiles.map { baseURL + $0 }
        absolute.data = data?.map { baseURL + $0 }
        absolute.bundles?.template = baseURL + (bundles?.template ?? "")
        return absolute
    }

    /// The TileJSON that leads to the first of some versions, whose own TileJSON is this one, from the folder above.
    package func leading(to versions: [String]) -> TileJSON {
        func moved(_ template: String, _ kind: FileAddress.Kind) -> String {
            guard let version = versions.first, let end = template.firstRange(of: "\(kind.folder)/{z}")?.lowerBound
            else { return template }
            return "\(template[..<end])\(version)/\(template[end...])"
        }
        var pointer = self
        pointer.tiles = tiles.map { moved($0, .tile) }
        pointer.data = data?.map { moved($0, .tile) }
        if let bundles { pointer.bundles?.template = moved(bundles.template, .bundle) }
        pointer.versions = versions
        return pointer
    }

    /// Whether a text can be the name of a version's folder: 16 hexadecimal digits.
    package static func isVersion(_ name: some StringProtocol) -> Bool {
        name.utf8.count == 16
            && name.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// The file's bytes.
    public func encoded() throws -> [UInt8] { try MetadataJSON.encode(self) }

    /// Reads the file's bytes.
    /// - Throws: ``MetadataError`` if they are damaged, or if readers can't calculate with the numbers.
    public init(decoding bytes: [UInt8]) throws(MetadataError) {
        self = try MetadataJSON.decode(TileJSON.self, from: bytes)
        if let problem { throw MetadataError(problem) }
    }

    /// The first value that misleads readers; `nil` if there is none.
    private var problem: String? {
        let zooms = TileCoordinate.zooms
        guard minzoom <= maxzoom, zooms.contains(minzoom), zooms.contains(maxzoom) else {
            return
                "has zoom levels \(minzoom) to \(maxzoom), expected zooms from \(zooms.lowerBound) to \(zooms.upperBound)"
        }
        if let versions, versions.isEmpty || !versions.allSatisfy(TileJSON.isVersion) {
            return "has versions that aren't folders, expected names of 16 hexadecimal digits"
        }
        if let tileSize, !ClusteringOptions.tileSizes.contains(tileSize) {
            return "has tile_size \(tileSize), expected 256 or 512"
        }
        if let pointCount, !(0...Int(UInt32.max)).contains(pointCount) {
            return "has point_count \(pointCount), expected 0 to \(UInt32.max)"
        }
        let distances = clusterDistances ?? []
        guard distances.count <= maxzoom - minzoom + 1, distances.allSatisfy((0...512).contains) else {
            return "has cluster_distances \(distances), expected 0 to 512 pixels, at most one for each zoom"
        }
        return facets?.problem.map { "has facets with \($0)" }
    }
}
