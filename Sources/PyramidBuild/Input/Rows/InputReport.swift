import PyramidTiles

/// What reading an input came to. `rowsRead` is always `rowsAccepted` plus the sum of `rowsSkipped`.
public struct InputReport: Equatable, Sendable {
    /// A column whose name could not be kept.
    public struct RenamedColumn: Equatable, Sendable {
        public let from: String
        public let to: String
    }

    /// Rows after the headers of CSV, where empty lines are none; features of GeoJSON.
    public internal(set) var rowsRead = 0
    public internal(set) var rowsAccepted = 0
    /// How many of the accepted lie beyond the map's upper or lower edge and are drawn on it.
    public internal(set) var rowsClamped = 0
    /// By reason; a reason that never came up is left out.
    public internal(set) var rowsSkipped: [RowProblem: Int] = [:]
    /// The first few bad rows of every reason, input by input in the order of their lines.
    public internal(set) var examples: [InputError] = []
    public internal(set) var renamedColumns: [RenamedColumn] = []
    /// Sentences for the user.
    public internal(set) var warnings: [OptionMessage] = []
    /// Of the headers and the accepted rows, whatever the order of the rows and of the inputs, the line ends and names.
    public internal(set) var digest: UInt64 = 0
}

/// Why a row was skipped; the raw value is what the summary and the manifest show.
///
/// A row has one problem: the first in this order that it shows.
public enum RowProblem: String, CaseIterable, Sendable {
    /// A field begins with a quote, and no quote ends it before the end of the input.
    case unterminatedQuote = "unterminated quote"
    /// Something other than a delimiter or the end of the row follows a closing quote.
    case textAfterQuote = "text after a closing quote"
    /// The bytes at the beginning of a row are no JSON.
    case invalidJSON = "invalid JSON"
    case tooLong = "row too long"
    /// More or fewer fields than the header.
    case raggedRow = "ragged row"
    /// Brackets nest deeper than ``InputLimits/nestedBrackets``.
    case tooDeep = "nested too deep"
    case nulByte = "NUL byte"
    /// Or half of a surrogate pair as an escape of JSON, which no UTF-8 can hold.
    case invalidUTF8 = "invalid UTF-8"
    /// Some other JSON than a GeoJSON Feature.
    case notAFeature = "not a feature"
    /// An object has a name twice, so that readers disagree on what it says.
    case repeatedName = "repeated name"
    /// The properties of a feature are neither an object nor null.
    case unreadableProperties = "unreadable properties"
    /// A number is larger than a 64-bit float can be.
    case hugeNumber = "number too large"
    /// The feature has no geometry.
    case missingGeometry = "no geometry"
    case notAPoint = "not a point"
    case missingCoordinate = "missing coordinate"
    case unreadableCoordinate = "unreadable coordinate"
    case coordinateOutOfRange = "coordinate out of range"
    /// The id of a feature is neither a string nor a number.
    case unreadableID = "unreadable id"
    case missingID = "missing id"
    /// Of the rows with one id the greatest by bytes is kept.
    case duplicateID = "duplicate id"
}
