import PyramidTiles

/// How to read the input: the purpose of its columns, and what to do with a bad row.
public struct InputOptions: Codable, Sendable {
    /// The CSV column of longitudes in degrees; `nil` to find it by its name.
    public var longitudeColumn: String?
    /// The CSV column of latitudes in degrees; `nil` to find it by its name.
    public var latitudeColumn: String?
    /// The CSV column that holds both coordinates, in one of the notations of the article *Input*; `nil` to find it by its
    /// name if there is no pair of columns. Excludes the two options above.
    public var pointColumn: String?
    /// The order of pairs and JSON arrays in ``pointColumn``; `nil` for pairs with the latitude first and arrays with the
    /// longitude first.
    public var pointOrder: PointOrder?
    /// The column of the points' ids; in GeoJSON, a property of exactly this name. Of several rows with the same id, one
    /// is kept. With `nil`, features keep the ids that no other feature has, and CSV rows have none.
    public var idColumn: String?
    /// The only columns to write as properties; coordinates and ids may be among them. `nil` for every column except
    /// coordinates and ids.
    public var include: [String]?
    /// Columns not to write as properties, even if ``include`` lists them.
    public var exclude: [String]
    /// Declared types of CSV columns. The types of other columns are found by looking at their cells.
    public var types: [ColumnTypeRule]
    /// The ASCII character between the cells of all CSV inputs; `nil` to find a comma, a semicolon, a tab or a bar.
    public var delimiter: String?
    /// How many lines above the header of each CSV input to skip, at least 0.
    public var skipLines = 0
    /// Whether any skipped row is an error, whatever the reason.
    public var isStrict = false
    /// How many bad rows each input may have, which are skipped and counted; `nil` for ``SkipLimit/standard``. More are
    /// an error. Can't be used with `isStrict`.
    public var maxSkipped: SkipLimit?
    /// For GeoJSON: the columns of all rows, also of other parts; `nil` to find them in the rows read.
    public var schema: PointSchema?

    /// The columns whose values other options compare: blanks around them are left out.
    package var comparedColumns: [String] = []
    /// Property names with a meaning of their own; columns with these names get underscores appended.
    package var reservedNames = Set(Cluster.PropertyName.allCases.map(\.rawValue))

    /// Without `isStrict` and `maxSkipped`, which don't affect the output, and what other options say.
    private enum CodingKeys: CodingKey {
        case longitudeColumn, latitudeColumn, pointColumn, pointOrder, idColumn, include, exclude, types
        case delimiter, skipLines, schema
    }

    public init(
        longitudeColumn: String? = nil, latitudeColumn: String? = nil, pointColumn: String? = nil,
        pointOrder: PointOrder? = nil, idColumn: String? = nil, include: [String]? = nil, exclude: [String] = [],
        types: [ColumnTypeRule] = [], delimiter: String? = nil, skipLines: Int = 0,
        isStrict: Bool = false, maxSkipped: SkipLimit? = nil
    ) {
        self.longitudeColumn = longitudeColumn
        self.latitudeColumn = latitudeColumn
        self.pointColumn = pointColumn
        self.pointOrder = pointOrder
        self.idColumn = idColumn
        self.include = include
        self.exclude = exclude
        self.types = types
        self.delimiter = delimiter
        self.skipLines = skipLines
        self.isStrict = isStrict
        self.maxSkipped = maxSkipped
    }

    /// What a manifest states of the options.
    package func columns(renamed: [InputReport.RenamedColumn]) -> Manifest.InputColumns {
        var columns = Manifest.InputColumns(id: idColumn)
        (columns.longitude, columns.latitude, columns.point) = (longitudeColumn, latitudeColumn, pointColumn)
        columns.pointOrder = pointOrder?.rawValue
        columns.delimiter = delimiter
        if skipLines != 0 { columns.skipLines = skipLines }
        columns.include = include
        if !exclude.isEmpty { columns.exclude = exclude }
        if !types.isEmpty { columns.types = types.map { "\($0.column):\($0.type.rawValue)" } }
        if !renamed.isEmpty { columns.renamed = Dictionary(renamed.map { ($0.to, $0.from) }) { first, _ in first } }
        return columns
    }

    /// Whether the options name columns of coordinates.
    package var namesCoordinates: Bool { longitudeColumn != nil || latitudeColumn != nil || pointColumn != nil }
}

extension InputOptions {
    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? {
        if pointColumn != nil, longitudeColumn != nil || latitudeColumn != nil {
            return "\(.pointColumn) can't be used with \(.longitudeColumn) or \(.latitudeColumn)"
        }
        if let delimiter, delimiter.wholeMatch(of: /[ -~\t&&[^A-Za-z0-9"]]/) == nil {
            return
                "\(.delimiter) is \(InputError.list([delimiter])), expected one character that is no letter, digit or quote"
        }
        if skipLines < 0 { return "\(.skipLines) is \(skipLines), expected 0 or more" }
        guard let maxSkipped else { return nil }
        if isStrict { return "\(.maxSkipped) can't be used with \(.strict), which allows no skipped row" }
        return maxSkipped.isValid ? nil : "\(.maxSkipped) is \(maxSkipped), expected 0 or more rows, or 0% to 100%"
    }

    /// The first option that can't be used if all inputs are GeoJSON, described for the user.
    var problemWithGeoJSON: OptionMessage? {
        if namesCoordinates {
            return
                "is GeoJSON, which has coordinates in its geometries, but \(.longitudeColumn), \(.latitudeColumn) and "
                + "\(.pointColumn) are only for CSV"
        }
        return ofCSV.map {
            "is GeoJSON\($0 == .types ? ", whose values have types" : ""), but \($0) is only for CSV"
        }
    }

    /// The first given option that only CSV has a use for, besides columns of coordinates.
    package var ofCSV: OptionName? {
        if !types.isEmpty { return .types }
        if delimiter != nil { return .delimiter }
        return skipLines == 0 ? nil : .skipLines
    }
}

extension OptionName {
    public static var longitudeColumn: OptionName { OptionName() }
    public static var latitudeColumn: OptionName { OptionName() }
    public static var pointColumn: OptionName { OptionName() }
    public static var idColumn: OptionName { OptionName() }
    public static var include: OptionName { OptionName() }
    public static var exclude: OptionName { OptionName() }
    public static var types: OptionName { OptionName() }
    public static var delimiter: OptionName { OptionName() }
    public static var skipLines: OptionName { OptionName() }
    public static var strict: OptionName { OptionName() }
    public static var maxSkipped: OptionName { OptionName() }
    public static var schema: OptionName { OptionName() }
}
