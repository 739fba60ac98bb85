import PyramidTiles

/// How to read the input: the purpose of its columns, and what to do with a bad row.
public struct InputOptions: Codable, Sendable {
    /// The CSV column of longitudes in degrees; `nil` to find it by its name.
    public var longitudeColumn: String?
    /// The CSV column of latitudes in degrees; `nil` to find it by its name.
    public var latitudeColumn: String?
    /// The CSV column that holds both coordinates, as `latitude, longitude` or WKT (`POINT (longitude latitude)`);
    /// `nil` to find it by its name if there is no pair of columns. Excludes the two options above.
    public var pointColumn: String?
    /// The column of the points' ids; in GeoJSON, a property of exactly this name. With `nil`, features keep their own
    /// ids, and CSV rows have none.
    public var idColumn: String?
    /// The only columns to write as properties; coordinates and ids may be among them. `nil` for every column except
    /// coordinates and ids.
    public var include: [String]?
    /// Columns not to write as properties, even if ``include`` lists them.
    public var exclude: [String]
    /// Declared types of CSV columns. The types of other columns are found by looking at their cells.
    public var types: [ColumnTypeRule]
    /// Whether the first bad row is an error. Otherwise bad rows are skipped and counted.
    public var isStrict = false
    /// For GeoJSON: the columns of all rows, also of other parts; `nil` to find them in the rows read.
    public var schema: PointSchema?

    /// Without `isStrict`, which doesn't affect the output.
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

    /// What a manifest states of the options.
    func columns(renamed: [InputReport.RenamedColumn]) -> Manifest.InputColumns {
        var columns = Manifest.InputColumns(id: idColumn)
        (columns.longitude, columns.latitude, columns.point) = (longitudeColumn, latitudeColumn, pointColumn)
        columns.include = include
        if !exclude.isEmpty { columns.exclude = exclude }
        if !types.isEmpty { columns.types = types.map { "\($0.column):\($0.type.rawValue)" } }
        if !renamed.isEmpty { columns.renamed = Dictionary(renamed.map { ($0.to, $0.from) }) { first, _ in first } }
        return columns
    }

    /// Whether the options name columns of coordinates.
    var namesCoordinates: Bool { longitudeColumn != nil || latitudeColumn != nil || pointColumn != nil }
}

extension OptionName {
    public static var longitudeColumn: OptionName { OptionName() }
    public static var latitudeColumn: OptionName { OptionName() }
    public static var pointColumn: OptionName { OptionName() }
    public static var idColumn: OptionName { OptionName() }
    public static var include: OptionName { OptionName() }
    public static var exclude: OptionName { OptionName() }
    public static var types: OptionName { OptionName() }
    public static var schema: OptionName { OptionName() }
}
