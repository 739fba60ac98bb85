/// What quotes mean in CSV.
public enum QuoteRule: String, Codable, CaseIterable, Sendable {
    /// A quote at the start of a cell encloses it if it is closed and hides no rows; otherwise it is text. See the article
    /// *Input*.
    case auto
    /// Strictly RFC 4180: a quote at the start of a cell opens it, over any number of lines. A row whose quotes are wrong
    /// is bad. For cells that hold pasted tables.
    case csv
    /// Quotes are text everywhere.
    case none
}
