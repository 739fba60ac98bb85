/// What clusters say about the values that their members have in a column, as text `NAME:sum`.
public struct Accumulation: Codable, Hashable, Sendable {
    public enum Operation: String, Codable, CaseIterable, Sendable {
        case sum, min, max
        /// Of the members that have a number, to 12 decimals.
        case mean
        /// How many members have a value, a number or not.
        case count
        /// All values that are not empty, one after the other, in the order of their bytes.
        case concat
        /// The same with commas between them.
        case comma

        /// Whether the values are read as numbers.
        public var needsNumbers: Bool {
            switch self {
            case .sum, .min, .max, .mean: true
            case .count, .concat, .comma: false
            }
        }
    }

    /// The column, and the property of a cluster that holds the result.
    public var name: String
    public var operation: Operation

    public init(name: String, operation: Operation) {
        self.name = name
        self.operation = operation
    }

    /// `nil` where the text does not end with a colon and the name of an operation.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let operation = Operation(rawValue: String(text[text.index(after: colon)...]))
        else { return nil }
        self.init(name: String(text[..<colon]), operation: operation)
    }
}

/// How many members of a cluster have each value of a column, as text `COLUMN` or `COLUMN:LIMIT`.
public struct CategoryCount: Codable, Hashable, Sendable {
    /// The column, and the property of a cluster that holds the counts.
    public var name: String
    /// So many values are listed, the most frequent first; the rest is ``other``.
    public var limit: Int

    public static let defaultLimit = 10
    public static let limits = 1...1000
    /// The key under which what is not listed is counted, together with members of that very value.
    public static let other = "other"

    public init(name: String, limit: Int = defaultLimit) {
        self.name = name
        self.limit = limit
    }

    /// `nil` where the limit is no number in ``limits``.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex else {
            guard !text.isEmpty, text != ":" else { return nil }
            self.init(name: text)
            return
        }
        guard let limit = Int(text[text.index(after: colon)...]), CategoryCount.limits.contains(limit) else {
            return nil
        }
        self.init(name: String(text[..<colon]), limit: limit)
    }
}

/// What `point_count_abbreviated` holds.
public enum CountLabel: String, Codable, CaseIterable, Sendable {
    /// The number below 1,000, then "1k", "1.2k", "12k", "1.2M".
    case abbreviated
    /// The number.
    case exact
    /// The number below 100, then "99+".
    case ninetyNine = "99+"
}
