/// A column by whose values clients filter; as text, `COLUMN`, or `COLUMN:EDGE:EDGE` for ranges of numbers.
public struct FacetColumn: Codable, Hashable, Sendable {
    public var name: String
    /// Where ranges of numbers begin, ascending: each goes up to the next edge, without it; two more hold what is less than
    /// the first edge, and all from the last one on. `nil` if every value counts by itself.
    public var edges: [Double]?

    public init(name: String, edges: [Double]? = nil) {
        self.name = name
        self.edges = edges
    }

    /// Reads `COLUMN` or `COLUMN:EDGE:EDGE`. The column may have colons in its name; the numbers at the end are edges.
    /// - Returns: `nil` if there is no name.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let edges = parts.dropFirst().reversed().prefix { FacetColumn.edge($0) != nil }.reversed().compactMap(
            FacetColumn.edge)
        let name = parts.dropLast(edges.count).joined(separator: ":")
        guard !name.isEmpty else { return nil }
        self.init(name: name, edges: edges.isEmpty ? nil : edges)
    }

    private static func edge(_ text: Substring) -> Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    package var hasRisingEdges: Bool {
        let edges = edges ?? []
        return zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 }
    }

    /// An edge as JSON.
    package static func text(ofEdge edge: Double) -> String {
        edge.magnitude < 1e15 && edge == edge.rounded() ? "\(Int(edge))" : "\(edge)"
    }

    /// The range of a number: its first number, and the first of the next range; `nil` where it has no end on that side.
    public func range(of number: Double) -> (from: Double?, to: Double?)? {
        guard let edges else { return nil }
        let next = edges.partitioningIndex { $0 > number }
        return (next == 0 ? nil : edges[next - 1], next == edges.count ? nil : edges[next])
    }
}

/// The columns by which clients filter, with the values that points have in them.
public struct Facets: Codable, Equatable, Sendable {
    /// Named as the properties of points are.
    public var columns: [FacetColumn]
    /// The number of points with each combination of values; as JSON, an array with a value for each column: `null` for
    /// none, an array of two limits for a range, and an array of the values for a set.
    public var counts: [String: Int]

    public init(columns: [FacetColumn], counts: [String: Int]) {
        self.columns = columns
        self.counts = counts
    }

    /// The most combinations that a tileset can have.
    public static let combinationLimit = 4096
}
