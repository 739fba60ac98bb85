/// Why a row was skipped; the raw value is what the summary and the manifest show.
///
/// A row has one problem: the first in this order that it shows.
public enum RowProblem: String, CaseIterable, Sendable {
    /// A field begins with a quote, and no quote ends it before the end of the input.
    case unterminatedQuote = "unterminated quote"
    /// Something other than a delimiter or the end of the row follows a closing quote.
    case textAfterQuote = "text after a closing quote"
    case tooLong = "row too long"
    /// More or fewer fields than the header.
    case raggedRow = "ragged row"
    case nulByte = "NUL byte"
    case invalidUTF8 = "invalid UTF-8"
    case missingCoordinate = "missing coordinate"
    case unreadableCoordinate = "unreadable coordinate"
    case coordinateOutOfRange = "coordinate out of range"
    case missingID = "missing id"
    /// Of the rows with one id the greatest by bytes is kept.
    case duplicateID = "duplicate id"
}
