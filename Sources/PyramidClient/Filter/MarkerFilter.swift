import PyramidTiles

/// Which points to show: those with certain values in columns, or those that a function accepts.
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
    /// - Parameter columns: each with the values and ranges that match; `nil` among them is no value. A point with a set of
    ///   values matches if one of them does. Only columns by which the tileset can be filtered (`--filter-by`).
    public init(_ columns: [String: Set<FacetValue>]) {
        self.columns = columns
        predicate = nil
    }

    /// Accepts the points for which the function is true. Keep the filter: two filters made of the same function are
    /// different ones.
    ///
    /// Clusters whose points aren't all in one bundle can't be asked, so how many of their points match is unknown.
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

/// A filter that a tileset can't answer.
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
}
