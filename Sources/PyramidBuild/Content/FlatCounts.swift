import PyramidClusters
import PyramidInput
import PyramidTiles

/// The counts of single values as properties of their own, such as `kind.bakery`, which the styles of maps can filter by and
/// add up. For vector tiles, whose properties can't be nested.
struct FlatCounts: Sendable {
    /// The names of the properties, in the order of writing.
    private(set) var names: [String] = []
    private var quotedNames: [[UInt8]] = []
    /// By combination: the properties that count it.
    private var properties: [[Int]] = []

    init() {}

    /// - Parameters:
    ///   - combinations: JSON arrays of a value for each column.
    ///   - taken: names that other properties of clusters have.
    init(_ columns: [FacetColumn], _ combinations: [[UInt8]], except taken: Set<String>) {
        /// A property, ordered by its column and then by the bytes of its name: in every part alike.
        struct Property: Hashable, Comparable {
            let column: Int
            /// As bytes, because different ones can be equal as strings.
            let name: [UInt8]

            static func < (one: Property, other: Property) -> Bool {
                one.column == other.column
                    ? one.name.lexicographicallyPrecedes(other.name) : one.column < other.column
            }
        }
        let counted = combinations.map { combination in
            zip(columns, FlatCounts.values(in: combination)).enumerated().flatMap { index, column in
                FlatCounts.texts(of: column.1, isRange: column.0.edges != nil).map {
                    Property(column: index, name: Array(FlatCounts.name(column.0.name, $0).utf8))
                }
            }
        }
        var names = taken
        let all = Set(counted.joined()).sorted().filter {
            names.insert(String(decoding: $0.name, as: UTF8.self)).inserted
        }
        let numbers = Dictionary(uniqueKeysWithValues: zip(all, 0...))
        self.names = all.map { String(decoding: $0.name, as: UTF8.self) }
        quotedNames = self.names.map { TableColumns.quoted($0) }
        properties = counted.map { Set($0.compactMap { numbers[$0] }).sorted() }
    }

    static func name(_ column: String, _ value: String) -> String { "\(column).\(value)" }

    /// Visits the counts of a cluster that aren't zero.
    func visit<Visitor: PropertyVisitor & ~Copyable>(
        _ counts: some Sequence<CategoryColumn.Count>, _ visitor: inout Visitor
    ) {
        var sums = [Int](repeating: 0, count: names.count)
        for count in counts {
            for property in properties[Int(count.category)] { sums[property] += Int(count.count) }
        }
        for (property, sum) in sums.enumerated() where sum > 0 {
            visitor.visit(quotedNames[property], .integer(sum))
        }
    }

    static func values(in combination: [UInt8]) -> [PropertyValue] {
        if case .array(let values) = PropertyValue(json: combination) { values } else { [] }
    }

    private static func texts(of value: PropertyValue, isRange: Bool) -> [String] {
        switch value {
        case .array(let limits) where isRange: limits.count == 2 ? [text(ofRange: limits[0], limits[1])] : []
        case .array(let values): values.flatMap { texts(of: $0, isRange: false) }
        case .string(let text): [text]
        case .number(let number): [FacetColumn.text(ofEdge: number)]
        case .bool(let flag): [flag ? "true" : "false"]
        case .null, .object: []
        }
    }

    private static func text(ofRange from: PropertyValue, _ to: PropertyValue) -> String {
        switch (from, to) {
        case (.number(let from), .number(let to)): "\(FacetColumn.text(ofEdge: from))-\(FacetColumn.text(ofEdge: to))"
        case (.number(let from), _): "\(FacetColumn.text(ofEdge: from))+"
        case (_, .number(let to)): "<\(FacetColumn.text(ofEdge: to))"
        default: ""
        }
    }
}
