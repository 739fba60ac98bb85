import PyramidTiles

/// The result of reading the input. `rowsRead` is always `rowsAccepted` plus the sum of `rowsSkipped`.
public struct InputReport: Equatable, Sendable {
    /// A column that had to be renamed.
    public struct RenamedColumn: Equatable, Sendable {
        public let from: String
        public let to: String
    }

    /// A column as it is written.
    public struct Column: Equatable, Sendable {
        public let name: String
        /// The kinds of its values; only GeoJSON has several.
        public let content: ValueKinds
        /// Whether the points' ids come from it.
        public let isID: Bool

        package init(name: String, content: ValueKinds, isID: Bool) {
            self.name = name
            self.content = content
            self.isID = isID
        }
    }

    /// CSV rows after the header, without empty lines; GeoJSON features.
    public package(set) var rowsRead = 0
    public package(set) var rowsAccepted = 0
    /// The number of accepted rows north or south of the map, which are drawn on its edge.
    public package(set) var rowsClamped = 0
    /// By reason; reasons without rows are left out.
    public package(set) var rowsSkipped: [RowProblem: Int] = [:]
    /// The first few bad rows of every reason, input by input in the order of their lines.
    public package(set) var examples: [InputError] = []
    /// The points' properties and the id column, in the order of the columns.
    public package(set) var columns: [Column] = []
    public package(set) var renamedColumns: [RenamedColumn] = []
    /// What is odd about accepted rows, as sentences for the summary.
    public package(set) var notes: [OptionMessage] = []
    /// Warnings, as sentences for the user.
    public package(set) var warnings: [OptionMessage] = []
    /// A digest of the headers and the accepted rows. It doesn't depend on the order of rows and inputs, on line ends,
    /// or on the inputs' names.
    public package(set) var digest: UInt64 = 0
    /// The sum of the rows' digests, without headers; it adds up over selections of rows.
    package var rowsDigest: UInt64 = 0
    /// Of the rows that have a cell.
    package var cellDigests = CellDigests()
    /// Whether any point has an id.
    package var hasIDs = false

    package init() {}
}

/// Why a row was skipped; the summary and the manifest show the raw value.
///
/// A row counts once, with the first problem that applies in the order of the article *Input*.
public enum RowProblem: String, CaseIterable, Sendable {
    /// The bytes at the start of a row aren't JSON.
    case invalidJSON = "invalid JSON"
    case tooLong = "row too long"
    /// The last row has fewer fields than the header, and no line end.
    case cutOff = "row cut off"
    /// The row below the header has the units of the columns.
    case units = "row of units"
    /// The header again, where files were joined.
    case repeatedHeader = "repeated header"
    /// Brackets are nested more than 60 deep.
    case tooDeep = "nested too deep"
    case nulByte = "NUL byte"
    case invalidUTF8 = "invalid UTF-8"
    /// Valid JSON, but not a GeoJSON Feature.
    case notAFeature = "not a feature"
    /// The feature has its type or its geometry twice, so readers would disagree about its place.
    case repeatedName = "repeated name"
    /// The feature has no geometry.
    case missingGeometry = "no geometry"
    case notAPoint = "not a point"
    case missingCoordinate = "missing coordinate"
    case unreadableCoordinate = "unreadable coordinate"
    case coordinateOutOfRange = "coordinate out of range"
    /// More fields than the header, and coordinates that an unquoted delimiter may have shifted.
    case raggedRow = "ragged row"
    /// An id that the options ask for is neither a string nor a number, or isn't a number in a column of numbers.
    case unreadableID = "unreadable id"
    case missingID = "missing id"
    /// Another row has the same id. Of such rows, the one with the greatest bytes is kept.
    case duplicateID = "duplicate id"
}

extension RowProblem {
    /// Whether rows with this problem are left out by anybody's rule, so that no limit applies to them.
    public var isHarmless: Bool {
        switch self {
        case .missingGeometry, .missingCoordinate, .units, .repeatedHeader: true
        default: false
        }
    }
}
