import PyramidTiles

/// Selects the points to show, by their values in columns or by a function.
///
/// ```swift
/// MarkerFilter(["kind": ["bakery", "cafe", nil], "price": [.range(from: 10, to: 50)]])
/// MarkerFilter { $0.properties["name"] == "Aurora" }
/// ```
public struct MarkerFilter: Hashable, Sendable {
    /// Accepts all points.
    public static let all = MarkerFilter([:])

    let columns: [String: Set<FacetValue>]
    let predicate: Predicate?

    /// Accepts the points that match in every column.
    /// - Parameter columns: for each column, the values and ranges that match; `nil` matches points without a value. A
    ///   point with a set of values matches if any of them does. The tileset must be built with `--filter-by` for these
    ///   columns.
    public init(_ columns: [String: Set<FacetValue>]) {
        self.columns = columns
        predicate = nil
    }

    /// Accepts the points for which the function returns true.
    ///
    /// Make the filter once and keep it: two filters made from the same function are different.
    ///
    /// The number of matching points is known only for clusters whose points are all in one bundle.
    public init(_ matches: @escaping @Sendable (Feature) -> Bool) {
        columns = [:]
        predicate = Predicate(matches)
    }

    /// A function, which is equal only to itself.
    final class Predicate: Hashable, Sendable {
        let matches: @Sendable (Feature) -> Bool

        init(_ matches: @escaping @Sendable (Feature) -> Bool) { self.matches = matches }

        static func == (left: Predicate, right: Predicate) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

/// A filter that a tileset does not support.
public struct MarkerFilterError: Error, Equatable, CustomStringConvertible, Sendable {
    public let column: String
    public let description: String

    init(unknownColumn column: String, of columns: [FacetColumn]) {
        let known = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let found = columns.isEmpty ? "no columns to filter by" : "only the columns \(known)"
        self.column = column
        description =
            "can't filter by \"\(column)\": the tileset has \(found); build it with --filter-by \(column), "
            + "or filter by a function"
    }

    init(column: String, from: Double, to: Double) {
        self.column = column
        description = "the range of \"\(column)\" goes from \(from) to \(to), expected the smaller number first"
    }

    init(column: String, from: String, to: String) {
        self.column = column
        description = "the range of \"\(column)\" goes from \(from) to \(to), expected the earlier date first"
    }

    init(numbersForDates column: String) {
        self.column = column
        description =
            "\"\(column)\" has dates, found a range of numbers, expected one of dates, as in .dates(from: \"2024-03\")"
    }

    init(noDates column: String) {
        self.column = column
        description = "\"\(column)\" has no dates; build the tileset with --filter-by \(column):month, or another unit"
    }

    init(column: String, noDate text: String) {
        self.column = column
        description =
            "the range of \"\(column)\" has \"\(text)\", expected a date such as 2024, 2024-Q1, 2024-03, 2024-W09, "
            + "2024-03-05 or 2024-03-05T12:30"
    }
}
