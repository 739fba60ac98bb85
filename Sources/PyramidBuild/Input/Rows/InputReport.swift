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
        /// What all its values are.
        public enum Content: String, Sendable {
            case string, number, boolean
            /// Objects and arrays.
            case nested
            /// Values of several types, as only GeoJSON has them.
            case mixed
            /// There are no values.
            case empty
        }

        public let name: String
        public let content: Content
        /// Whether the points have their ids from it.
        public let isID: Bool
    }

    /// The rows after the headers of CSV, not counting empty lines; the features of GeoJSON.
    public internal(set) var rowsRead = 0
    public internal(set) var rowsAccepted = 0
    /// How many accepted rows lie beyond the map's top or bottom edge and are drawn on it.
    public internal(set) var rowsClamped = 0
    /// By reason; reasons that didn't occur are left out.
    public internal(set) var rowsSkipped: [RowProblem: Int] = [:]
    /// The first few bad rows for every reason, input by input in the order of their lines.
    public internal(set) var examples: [InputError] = []
    /// The points' properties and the column of their ids, in the order of the columns.
    public internal(set) var columns: [Column] = []
    public internal(set) var renamedColumns: [RenamedColumn] = []
    /// Sentences for the user.
    public internal(set) var warnings: [OptionMessage] = []
    /// A digest of the headers and the accepted rows that doesn't depend on the order of rows and inputs, on line ends,
    /// or on names.
    public internal(set) var digest: UInt64 = 0
    /// The sum of the digests of the rows alone, which adds up over parts.
    var rowsDigest: UInt64 = 0
    /// Whether a point has an id.
    var hasIDs = false
}

/// Why a row was skipped; the raw value is what the summary and the manifest show.
///
/// A row has one problem: the first that applies, in this order.
public enum RowProblem: String, CaseIterable, Sendable {
    /// A field begins with a quote that is never closed.
    case unterminatedQuote = "unterminated quote"
    /// A closing quote is followed by something other than a delimiter or the end of the row.
    case textAfterQuote = "text after a closing quote"
    /// The bytes at the beginning of a row aren't JSON.
    case invalidJSON = "invalid JSON"
    case tooLong = "row too long"
    /// More or fewer fields than the header.
    case raggedRow = "ragged row"
    /// Brackets nested more than 60 deep.
    case tooDeep = "nested too deep"
    case nulByte = "NUL byte"
    /// Or a JSON escape of half a surrogate pair, which can't be written in UTF-8.
    case invalidUTF8 = "invalid UTF-8"
    /// JSON, but not a GeoJSON Feature.
    case notAFeature = "not a feature"
    /// An object has the same name twice, so readers would disagree about its content.
    case repeatedName = "repeated name"
    /// The properties of a feature are neither an object nor null.
    case unreadableProperties = "unreadable properties"
    /// A number is too large for a 64-bit float.
    case hugeNumber = "number too large"
    /// The feature has no geometry.
    case missingGeometry = "no geometry"
    case notAPoint = "not a point"
    case missingCoordinate = "missing coordinate"
    case unreadableCoordinate = "unreadable coordinate"
    case coordinateOutOfRange = "coordinate out of range"
    /// The id of a feature is neither a string nor a number, or that of a row no number although it is said to be one.
    case unreadableID = "unreadable id"
    case missingID = "missing id"
    /// Among the rows with the same id, the one with the greatest bytes is kept.
    case duplicateID = "duplicate id"
}
