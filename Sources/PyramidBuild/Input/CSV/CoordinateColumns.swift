/// The columns of the coordinates.
struct CoordinateColumns: Equatable {
    var longitude: Int
    var latitude: Int

    init(longitude: Int, latitude: Int) {
        self.longitude = longitude
        self.latitude = latitude
    }

    /// One column that holds both coordinates (``PointText``).
    init(point: Int) { self.init(longitude: point, latitude: point) }

    /// Whether one column holds both coordinates.
    var isPoint: Bool { longitude == latitude }

    var columns: [Int] { isPoint ? [longitude] : [longitude, latitude] }

    /// Finds pairs of columns by their names. One or both of the columns may be given.
    ///
    /// There are kinds of pairs, tried in this order: names that mean latitude and longitude; y and x; one of each;
    /// pairs with a common prefix, first of the former names, then of the latter; names that may be sizes. The first
    /// kind that occurs is the result. A given column first looks for a partner with the same prefix.
    ///
    /// - Returns: all pairs of that kind; empty if no kind occurs.
    static func candidates(among names: [String], longitude: Int? = nil, latitude: Int? = nil) -> [CoordinateColumns] {
        if let longitude, let latitude { return [CoordinateColumns(longitude: longitude, latitude: latitude)] }
        return pairsByKind(among: names, longitude: longitude, latitude: latitude).first { !$0.isEmpty } ?? []
    }

    /// Finds columns that hold both coordinates by their names. The first kind of name that occurs is the result; the
    /// least ambiguous kinds come first.
    ///
    /// - Returns: all columns of that kind.
    static func pointCandidates(among names: [String]) -> [CoordinateColumns] {
        pointsByKind(among: names).first { !$0.isEmpty } ?? []
    }

    /// Other columns whose names are those of coordinates, the likeliest first: pairs, then columns that hold both.
    /// For inputs whose first choice is empty in every row.
    ///
    /// - Returns: a few at most; none shares a column with the first choice.
    static func alternatives(to found: CoordinateColumns, among names: [String]) -> [CoordinateColumns] {
        var others: [CoordinateColumns] = []
        let pairs = pairsByKind(among: names, longitude: nil, latitude: nil).joined()
        for candidate in Array(pairs) + pointsByKind(among: names).joined()
        where !others.contains(candidate) && candidate.columns.allSatisfy({ !found.columns.contains($0) }) {
            others.append(candidate)
            if others.count == alikeLimit { break }
        }
        return others
    }

    /// All pairs of each kind, by kind.
    private static func pairsByKind(
        among names: [String], longitude: Int?, latitude: Int?
    ) -> LazyMapSequence<[(CoordinateName, CoordinateName) -> Bool], [CoordinateColumns]> {
        let readings = firstOfEachKind(
            names.enumerated().compactMap { CoordinateName($0.element, column: $0.offset) })
        var latitudes = readings.filter { $0.axis == .latitude && $0.column != longitude }
        var longitudes = readings.filter { $0.axis == .longitude && $0.column != latitude }
        var kinds: [(CoordinateName, CoordinateName) -> Bool] = [
            { $0.prefix.isEmpty && $1.prefix.isEmpty && $0.word == .degrees && $1.word == .degrees },
            { $0.prefix.isEmpty && $1.prefix.isEmpty && $0.word == .axis && $1.word == .axis },
            { $0.prefix.isEmpty && $1.prefix.isEmpty && $0.word != .size && $1.word != .size },
            { $0.prefix == $1.prefix && $0.isDecimal && $0.word == .degrees && $1.word == .degrees },
            { $0.prefix == $1.prefix && $0.word == .degrees && $1.word == .degrees },
            { $0.prefix == $1.prefix && $0.word != .size && $1.word != .size },
            { $0.word == .size && $1.word == .size },
        ]
        // A given column counts as its coordinate, whatever its name.
        if let latitude { latitudes = [CoordinateName(.latitude, names[latitude], column: latitude)] }
        if let longitude { longitudes = [CoordinateName(.longitude, names[longitude], column: longitude)] }
        if latitude != nil || longitude != nil {
            let ofOther: (CoordinateName, CoordinateName) -> CoordinateName = { latitude == nil ? $0 : $1 }
            kinds.insert({ $0.prefix == $1.prefix }, at: 0)
            kinds.insert({ $0.prefix == $1.prefix && ofOther($0, $1).word != .size }, at: 0)
            kinds += [{ ofOther($0, $1).word == .degrees && ofOther($0, $1).prefix.isEmpty }, { _, _ in true }]
        }

        // By prefix, so that thousands of columns don't make millions of pairs.
        let longitudesByPrefix = Dictionary(grouping: longitudes, by: \.prefix)
        return kinds.lazy.map { isPair in
            latitudes.flatMap { north in
                let partners = latitude == nil && longitude == nil ? longitudesByPrefix[north.prefix] ?? [] : longitudes
                return partners.filter { isPair(north, $0) }.map {
                    CoordinateColumns(longitude: $0.column, latitude: north.column)
                }
            }
        }
    }

    /// All columns with a name of each kind, by kind.
    private static func pointsByKind(among names: [String]) -> LazyMapSequence<[Set<String>], [CoordinateColumns]> {
        let words = names.map(CoordinateName.normalised)
        return pointNames.lazy.map { kind in
            words.indices.filter { kind.contains(words[$0]) }.map { CoordinateColumns(point: $0) }
        }
    }

    private static let pointNames: [Set<String>] = [
        Set(
            [
                "geometry", "geom", "the_geom", "wkt", "wkt_geom", "geom_wkt", "geometry_wkt", "wkb_geometry", "wkb",
                "ewkb",
                "ewkt", "geojson", "lat_lon", "lat_lng", "lat_long", "latlon", "latlng", "latlong",
                "latitude_longitude",
                "geo_point", "geo_point_2d", "geopoint", "geolocation", "geo_location", "geocoded_column",
                "geocoded_location", "georeference", "new_georeferenced_column",
            ] + coordinatesInLanguages.flatMap { [$0, "geo_\($0)", "gps_\($0)", "\($0)_gps", "\($0)_geo"] }),
        // A column of Socrata whose name stood there twice.
        ["location_1"],
        ["location", "position", "point", "gps", "shape"],
    ]

    private static let coordinatesInLanguages = [
        "coordinates", "coordinate", "coords", "coord", "koordinaten", "koordinate", "coordonnées", "coordonnees",
        "coordenadas", "coordinaten",
    ]

    /// The first few names of each kind. Thousands with the same meaning are as ambiguous as a few, but would make
    /// millions of pairs.
    private static func firstOfEachKind(_ readings: [CoordinateName]) -> [CoordinateName] {
        let kinds = Dictionary(grouping: readings) { "\($0.axis) \($0.word) \($0.prefix)" }
        return kinds.values.flatMap { $0.prefix(alikeLimit) }.sorted { $0.column < $1.column }
    }

    /// More than messages show.
    private static let alikeLimit = 16
}

/// A column's name read as a coordinate.
struct CoordinateName {
    /// What a name says, the surest first.
    enum Word {
        /// Latitude or longitude: "lat", "lng".
        case degrees
        /// Just y or x.
        case axis
        /// The German words for latitude and longitude, which are also width and length.
        case size
    }

    var column: Int
    var axis: Axis
    var word: Word
    /// The text before it, such as "pickup" in "pickup_latitude"; else empty.
    var prefix: String

    /// Whether the prefix says that these are decimal degrees, perhaps beside others, as in the files of GBIF.
    var isDecimal: Bool { ["decimal", "dec", "dd"].contains(prefix) }

    /// Of a coordinate, the longer words first.
    private static let words: [(axis: Axis, word: Word, words: [String])] = [
        (
            .latitude, .degrees,
            german("breite") + ["breitengrad", "latitudine", "latitude", "latitud", "intptlat", "dec_lat_va", "lat"]
        ),
        (
            .longitude, .degrees,
            german("länge") + german("laenge") + [
                "längengrad", "laengengrad", "longitudine", "longitude", "longitud", "intptlong", "intptlon",
                "dec_long_va", "long", "lon", "lng",
            ]
        ),
        (.latitude, .axis, ["ycoord", "y_coord", "y"]), (.longitude, .axis, ["xcoord", "x_coord", "x"]),
        (.latitude, .size, ["breite"]), (.longitude, .size, ["länge", "laenge"]),
    ]
    private static let units = ["_decimal_degrees", "_degrees", "_deg", "_decimal", "_dd", "_wgs84"]

    /// A German word for a size with what makes it a coordinate: "geografische_breite".
    private static func german(_ size: String) -> [String] {
        ["geografische_", "geographische_", "geogr_", "geo_", "geo"].map { $0 + size }
    }

    /// `nil` if the name has nothing to do with coordinates.
    init?(_ name: String, column: Int) {
        var text = CoordinateName.normalised(name)
        if let unit = CoordinateName.units.first(where: { text.hasSuffix($0) }) { text.removeLast(unit.count) }
        for (axis, meaning, words) in CoordinateName.words {
            for word in words where text.hasSuffix(word) {
                let prefix = text.dropLast(word.count)
                // "pickupLatitude" is a coordinate, but "flat" and "along" are not.
                guard
                    prefix.isEmpty || prefix.hasSuffix("_") || word.contains("itud")
                        || word.hasSuffix("grad"),
                    meaning != .size || prefix.isEmpty
                else { continue }
                self.column = column
                self.axis = axis
                self.word = meaning
                self.prefix = String(prefix.hasSuffix("_") ? prefix.dropLast() : prefix)
                return
            }
        }
        return nil
    }

    /// The name in lower case, with one `_` for anything but letters and digits: "Latitude (deg)" becomes
    /// "latitude_deg".
    static func normalised(_ name: String) -> String {
        String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }).split(separator: "_")
            .joined(separator: "_")
    }

    /// A column given as a coordinate in the options, whatever its name.
    init(_ axis: Axis, _ name: String, column: Int) {
        if let reading = CoordinateName(name, column: column), reading.axis == axis {
            self = reading
        } else {
            self.column = column
            self.axis = axis
            word = .degrees
            prefix = ""
        }
    }
}
