import PyramidTiles

/// How the input is to be read: which columns mean what, and what happens to a bad row.
public struct InputOptions: Sendable {
    /// The column of degrees east in CSV; found by its name where it is `nil`.
    public var longitudeColumn: String?
    /// The column of degrees north in CSV; found by its name where it is `nil`.
    public var latitudeColumn: String?
    /// The column that gives the points their ids, in GeoJSON a property of exactly this name; where it is `nil`, features
    /// keep their own ids, and rows of CSV have none.
    public var idColumn: String?
    /// Exactly the columns to write as properties, coordinates and ids among them where they are named; `nil` for every
    /// column but those.
    public var include: [String]?
    /// Columns not to write as properties. What is included and excluded is excluded.
    public var exclude: [String]
    /// Whether the first bad row is an error instead of being skipped and counted.
    public var isStrict: Bool

    /// Property names that mean something else; columns of these names are written with an underscore at the end.
    var reservedNames = Set(Cluster.PropertyName.allCases.map(\.rawValue))

    public init(
        longitudeColumn: String? = nil, latitudeColumn: String? = nil, idColumn: String? = nil,
        include: [String]? = nil, exclude: [String] = [], isStrict: Bool = false
    ) {
        self.longitudeColumn = longitudeColumn
        self.latitudeColumn = latitudeColumn
        self.idColumn = idColumn
        self.include = include
        self.exclude = exclude
        self.isStrict = isStrict
    }
}
