/// The type in which the cells of a CSV column are written.
public enum ColumnType: String, Codable, CaseIterable, Sendable {
    case string, number, boolean
}

/// The declared type of a CSV column, whatever its cells look like; as text, `COLUMN:TYPE`.
public struct ColumnTypeRule: Codable, Equatable, Sendable {
    public var column: String
    public var type: ColumnType

    public init(column: String, type: ColumnType) {
        self.column = column
        self.type = type
    }

    /// `nil` unless the text ends with a colon and the name of a type.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let type = ColumnType(rawValue: String(text[text.index(after: colon)...]))
        else { return nil }
        self.init(column: String(text[..<colon]), type: type)
    }
}
