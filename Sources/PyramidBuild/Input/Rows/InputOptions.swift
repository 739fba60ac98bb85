import PyramidTiles

/// How to read the input: which columns mean what, and what happens to a bad row.
public struct InputOptions: Codable, Sendable {
    /// The column of degrees east in CSV; `nil` to find it by its name.
    public var longitudeColumn: String?
    /// The column of degrees north in CSV; `nil` to find it by its name.
    public var latitudeColumn: String?
    /// The column in CSV that has both, as `latitude, longitude` or as WKT (`POINT (longitude latitude)`); `nil` to find
    /// it by its name if there is no pair of columns. Given instead of the other two.
    public var pointColumn: String?
    /// The column with the points' ids; in GeoJSON, a property of exactly this name. With `nil`, features keep their
    /// own ids, and CSV rows have none.
    public var idColumn: String?
    /// The columns to write as properties, and no others; coordinates and ids may be among them. `nil` for every column
    /// except those.
    public var include: [String]?
    /// Columns not to write as properties, even if they are in `include`.
    public var exclude: [String]
    /// The types of CSV columns that aren't to be found by looking at their cells.
    public var types: [ColumnTypeRule]
    /// Whether the first bad row is an error; otherwise bad rows are skipped and counted.
    public var isStrict = false
    /// The columns of all rows, for GeoJSON; `nil` to find them in the rows that are read.
    public var schema: PointSchema?

    /// Strictness doesn't affect what is built.
    private enum CodingKeys: CodingKey {
        case longitudeColumn, latitudeColumn, pointColumn, idColumn, include, exclude, types, schema
    }

    public init(
        longitudeColumn: String? = nil, latitudeColumn: String? = nil, pointColumn: String? = nil,
        idColumn: String? = nil, include: [String]? = nil, exclude: [String] = [], types: [ColumnTypeRule] = [],
        isStrict: Bool = false
    ) {
        self.longitudeColumn = longitudeColumn
        self.latitudeColumn = latitudeColumn
        self.pointColumn = pointColumn
        self.idColumn = idColumn
        self.include = include
        self.exclude = exclude
        self.types = types
        self.isStrict = isStrict
    }

    /// Whether the options say where the coordinates are.
    var namesCoordinates: Bool { longitudeColumn != nil || latitudeColumn != nil || pointColumn != nil }
}
