import PyramidClusters
import PyramidInput
import PyramidTiles

/// Writes a column of the members as a property of their cluster, such as a sum.
struct AccumulatedColumn: Sendable {
    private enum Storage: Sendable {
        /// The index of the column in ``PointValues/measures``.
        case measure(Int)
        /// Texts collected from the members when the cluster is written.
        case texts(TextColumn, separator: [UInt8])
    }

    private let quotedName: [UInt8]
    /// A warning about values that are not numbers.
    let warning: CountedWarning?
    private let storage: Storage

    /// - Parameter values: the column is added to it, unless texts are joined.
    init(
        _ column: PointColumn, _ accumulation: Accumulation, _ reader: inout ColumnReader, values: inout PointValues
    ) {
        let operation = accumulation.operation
        quotedName = TableColumns.quoted(accumulation.property)
        switch operation {
        case .sum, .min, .max, .mean:
            let numbers = reader.numbers(of: column)
            storage = .measure(values.measures.count)
            values.measures.append(.numbers(numbers, operation))
            warning = CountedWarning(
                .notANumber(column: column.name, operation, isBoolean: column.content == .boolean),
                count: numbers.otherCount, first: numbers.firstOther)
        case .count:
            storage = .measure(values.measures.count)
            values.measures.append(.presence(reader.texts(of: column)))
            warning = nil
        case .concat, .comma:
            let separator = operation == .comma ? [UInt8(ascii: ",")] : []
            storage = .texts(reader.texts(of: column), separator: separator)
            warning = nil
        }
    }

    var needsMembers: Bool {
        if case .texts = storage { true } else { false }
    }

    /// Visits the property of a cluster, unless no member has a value.
    /// - Parameter members: calls its argument with the number of every member.
    func visit<Visitor: PropertyVisitor & ~Copyable>(
        of cluster: Int, _ aggregates: Aggregates, members: ((Int) -> Void) -> Void, _ visitor: inout Visitor
    ) {
        switch storage {
        case .measure(let index):
            if let value = aggregates.measures[index][cluster] { visitor.visit(quotedName, .decimal(value)) }
        case .texts(let column, let separator):
            var indices: [UInt32] = []
            members { if column.hasText($0) { indices.append(column.indices[$0]) } }
            guard !indices.isEmpty else { return }
            let text = Array(indices.sorted().map { column.texts[Int($0)] }.joined(separator: separator))
            text.withUnsafeBytes { visitor.visit(quotedName, .text($0)) }
        }
    }

    /// The result for all points; `nil` for an operation whose results don't add up over parts.
    /// - Parameter cluster: a cluster of all points.
    func total(of cluster: Int, _ aggregates: Aggregates) -> String? {
        guard case .measure(let index) = storage, aggregates.measures[index].addsUp else { return nil }
        return aggregates.measures[index][cluster]?.description
    }
}

/// Writes the number of members with each value of a column.
struct CountedColumn: Sendable {
    /// The name of the property.
    let name: String
    let quotedName: [UInt8]
    private let column: TextColumn
    private let index: Int

    private static let other = Array(CategoryCount.other.utf8)

    /// - Parameter values: the column is added to it.
    init(_ column: PointColumn, limit: Int, _ reader: inout ColumnReader, values: inout PointValues) {
        name = column.outputName
        quotedName = column.quotedName
        self.column = reader.texts(of: column)
        index = values.categories.count
        values.categories.append(PointValues.Categories(column: self.column, limit: limit))
    }

    /// Visits the property of a cluster: an object of counts, the most frequent value first, ties in the order of their
    /// bytes. One count at the end is for all values not listed, and for the value ``CategoryCount/other`` itself.
    func visit<Visitor: PropertyVisitor & ~Copyable>(
        of cluster: Int, _ aggregates: Aggregates, nested: inout JSONObjectWriter, _ visitor: inout Visitor
    ) {
        nested.removeAll()
        nested.beginObject()
        for entry in aggregates.categories[index][cluster].sorted(by: CategoryColumn.isMoreFrequent) {
            let isRest = entry.category == CategoryColumn.rest
            let text = isRest ? CountedColumn.other : column.texts[Int(entry.category)]
            text.withUnsafeBytes { nested.append(name: $0, .integer(Int(entry.count))) }
        }
        nested.endObject()
        nested.buffer.withUnsafeBytes { visitor.visit(quotedName, .json($0)) }
    }

    /// Visits the listed counts as properties of their own.
    /// - Parameter taken: the names of other properties.
    func visitFlat<Visitor: PropertyVisitor & ~Copyable>(
        of cluster: Int, _ aggregates: Aggregates, except taken: inout Set<String>, _ visitor: inout Visitor
    ) {
        for entry in aggregates.categories[index][cluster].sorted(by: CategoryColumn.isMoreFrequent)
        where entry.category != CategoryColumn.rest {
            let text = column.texts[Int(entry.category)]
            guard !text.isEmpty else { continue }
            let property = FlatCounts.name(name, String(decoding: text, as: UTF8.self))
            guard taken.insert(property).inserted else { continue }
            visitor.visit(TableColumns.quoted(property), .integer(Int(entry.count)))
        }
    }

    /// The number of points with each value.
    /// - Parameter cluster: a cluster of all points.
    func total(of cluster: Int, _ aggregates: Aggregates) -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: aggregates.categories[index].all(of: cluster).map {
                (String(decoding: column.texts[Int($0.category)], as: UTF8.self), Int($0.count))
            })
    }
}
