/// How to read the input: the purpose of its columns, and what to do with a bad row.
public struct InputOptions: Codable, Equatable, Sendable {
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
    /// The columns whose values other options compare: blanks around them are left out.
    package var comparedColumns: [String] = []
    /// Property names with a meaning of their own; columns with these names get underscores appended.
    package var reservedNames = Cluster.PropertyName.allCases.map(\.rawValue)

    /// Without `isStrict` and `maxSkipped`, which don't affect the output, and what other options say.
    private enum CodingKeys: CodingKey {
        case longitudeColumn, latitudeColumn, pointColumn, pointOrder, idColumn, include, exclude, types
        case delimiter, skipLines
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
}

/// Which coordinate comes first where one cell has both as a pair or an array.
public enum PointOrder: String, Codable, CaseIterable, Sendable {
    case latitudeFirst = "lat-lon"
    case longitudeFirst = "lon-lat"

    /// Splits `name:lon-lat` into the name of the column and its order.
    /// - Returns: the whole text as the name if it doesn't end with an order.
    public static func split(_ text: String) -> (column: String, order: PointOrder?) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let order = PointOrder(rawValue: String(text[text.index(after: colon)...]))
        else { return (text, nil) }
        return (String(text[..<colon]), order)
    }
}
