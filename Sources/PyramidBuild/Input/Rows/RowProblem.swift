/// Why a row was skipped; the raw value is what the summary and the manifest show.
///
/// A row has one problem: the first in this order that it shows.
public enum RowProblem: String, CaseIterable, Sendable {
    /// A field begins with a quote, and no quote ends it before the end of the input.
    case unterminatedQuote = "unterminated quote"
    /// Something other than a delimiter or the end of the row follows a closing quote.
    case textAfterQuote = "text after a closing quote"
    /// The bytes at the begin of a row are no JSON.
    case invalidJSON = "invalid JSON"
    case tooLong = "row too long"
    /// More or fewer fields than the header.
    case raggedRow = "ragged row"
    /// More brackets in each other than ``InputLimits/nestedBrackets``.
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
    /// A feature without a place.
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
