import PyramidTiles

/// The counts of single values as properties of their own, such as `kind.bakery`, which the styles of maps can filter by and
/// add up. For vector tiles, whose properties can't be nested.
struct FlatCounts: Sendable {
    /// The names of the properties, in the order of writing.
    let names: [String]
    private let quotedNames: [[UInt8]]
    /// By combination: the properties that count it.
    private let properties: [[Int]]

    /// - Parameter combinations: JSON arrays of a value for each column.
    init(_ columns: [FacetColumn], _ combinations: [[UInt8]]) {
        var ofColumns = columns.map { _ in [[UInt8]: Int]() }
        var found: [(column: Int, name: String)] = []
        properties = combinations.map { combination in
            var properties: [Int] = []
            for (column, value) in FlatCounts.values(in: combination).enumerated() where column < columns.count {
                for text in FlatCounts.texts(of: value, isRange: columns[column].edges != nil) {
                    let key = Array(text.utf8)
                    if let property = ofColumns[column][key] {
                        properties.append(property)
                    } else {
                        ofColumns[column][key] = found.count
                        properties.append(found.count)
                        found.append((column, FlatCounts.name(columns[column].name, text)))
                    }
                }
            }
            return properties
        }
        names = found.map(\.name)
        quotedNames = names.map { TableColumns.quoted($0) }
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

    private static func values(in combination: [UInt8]) -> [PropertyValue] {
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
