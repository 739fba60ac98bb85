/// A column that clusters summarise. As text, `COLUMN:sum`, or `COLUMN:sum:NAME` to give the property another name.
public struct Accumulation: Codable, Hashable, Sendable {
    public enum Operation: String, Codable, CaseIterable, Sendable {
        case sum, min, max
        /// The mean over the members that have a number, to 12 decimals.
        case mean
        /// The number of members with a value of any type.
        case count
        /// All non-empty values, sorted by their bytes and joined.
        case concat
        /// Like `concat`, separated by commas.
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

        /// Whether the results of all markers of a zoom make up one that is the same at every zoom.
        package var hasTotal: Bool { isNumber && self != .mean }
    }

    /// The name of the column.
    public var name: String
    public var operation: Operation
    /// The cluster property that holds the result; `nil` if it is named after the column.
    public var output: String?

    public init(name: String, operation: Operation, output: String? = nil) {
        self.name = name
        self.operation = operation
        self.output = output == name ? nil : output
    }

    /// The name of the cluster property that holds the result.
    public var property: String { output ?? name }

    /// Reads `COLUMN:OPERATION:NAME` or `COLUMN:OPERATION`. The column's name may contain colons, the property's may
    /// not.
    ///
    /// If the second word from the end is an operation, the last word is the property's name, even if it is an
    /// operation too: `price:max:sum` is the maximum of `price` as `sum`. So the sum of a column `price:max` needs a
    /// name, such as `price:max:sum:total`.
    ///
    /// `nil` if there is no operation in either position, or if a name is empty.
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

/// A column by whose values clusters count their members. As text, `COLUMN` or `COLUMN:LIMIT`.
public struct CategoryCount: Codable, Hashable, Sendable {
    /// The name of the column, and of the cluster property that holds the counts.
    public var name: String
    /// The most values that a cluster lists, the most frequent first. The others are counted as ``other``.
    public var limit: Int

    public static let defaultLimit = 10
    public static let limits = 1...1000
    /// The key that counts all values that aren't listed, and the value "other" itself.
    public static let other = "other"

    public init(name: String, limit: Int = defaultLimit) {
        self.name = name
        self.limit = limit
    }

    /// `nil` if the name is empty, or if the limit isn't a number in ``limits``.
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
