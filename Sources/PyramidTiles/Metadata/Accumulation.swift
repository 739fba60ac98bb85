/// A column that clusters summarise; as text, `COLUMN:sum`, or `COLUMN:sum:NAME` for a property of another name.
public struct Accumulation: Codable, Hashable, Sendable {
    public enum Operation: String, Codable, CaseIterable, Sendable {
        case sum, min, max
        /// The mean of the members that have a number, to 12 decimals.
        case mean
        /// The number of members that have a value of any kind.
        case count
        /// All values that aren't empty, joined in the order of their bytes.
        case concat
        /// The same, separated by commas.
        case comma

        /// Whether the values are read as numbers.
        public var needsNumbers: Bool {
            switch self {
            case .sum, .min, .max, .mean: true
            case .count, .concat, .comma: false
            }
        }

        /// Whether the result is a number.
        public var isNumber: Bool { needsNumbers || self == .count }
    }

    /// The column.
    public var name: String
    public var operation: Operation
    /// The property of a cluster that holds the result; `nil` if it has the name of the column.
    public var output: String?

    public init(name: String, operation: Operation, output: String? = nil) {
        self.name = name
        self.operation = operation
        self.output = output == name ? nil : output
    }

    /// The name of the property of a cluster.
    public var property: String { output ?? name }

    /// Reads `COLUMN:OPERATION:NAME` or `COLUMN:OPERATION`. The column may have colons in its name, the property may not.
    ///
    /// If the last part but one is an operation, the last is the name, even if it is that of an operation too:
    /// `price:max:sum` is the maximum of `price` as `sum`. The sum of a column `price:max` needs a name:
    /// `price:max:sum:total`.
    /// - Returns: `nil` if there is no operation where one is expected, or if a name is empty.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        func reading(operationAt index: Int) -> Accumulation? {
            let column = parts[..<max(index, 0)].joined(separator: ":")
            guard !column.isEmpty, let operation = Operation(rawValue: parts[index]) else { return nil }
            let output = index + 1 < parts.count ? parts[index + 1] : nil
            return output == "" ? nil : Accumulation(name: column, operation: operation, output: output)
        }
        guard parts.count > 1,
            let accumulation = reading(operationAt: parts.count - 2) ?? reading(operationAt: parts.count - 1)
        else { return nil }
        self = accumulation
    }
}

/// A column by whose values clusters count their members; as text, `COLUMN` or `COLUMN:LIMIT`.
public struct CategoryCount: Codable, Hashable, Sendable {
    /// The column, and the property of a cluster that holds the counts.
    public var name: String
    /// How many values are listed, the most frequent first; the others are counted as ``other``.
    public var limit: Int

    public static let defaultLimit = 10
    public static let limits = 1...1000
    /// The key for all values that aren't listed, and for members that have this very value.
    public static let other = "other"

    public init(name: String, limit: Int = defaultLimit) {
        self.name = name
        self.limit = limit
    }

    /// `nil` if the limit isn't a number in ``limits``.
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
