import PyramidTiles

/// How clusters write what their members' values in a column come to.
struct AccumulatedColumn: Sendable {
    private enum Source: Sendable {
        /// A number that the clusters carry: the index of its measure.
        case measure(Int)
        /// Texts that are gathered from the members when the cluster is written.
        case texts(TextColumn, separator: [UInt8])
    }

    /// As it is written.
    let name: String
    let quotedName: [UInt8]
    /// A sentence about values that are no numbers.
    let warning: OptionMessage?
    private let source: Source

    /// - Parameter values: gets the column if clusters carry a number of it.
    init(_ column: PointColumn, _ operation: Accumulation.Operation, of points: PointTable, values: inout PointValues) {
        name = column.outputName
        quotedName = column.quotedName
        switch operation {
        case .sum, .min, .max, .mean:
            let numbers = NumberColumn(column, of: points)
            source = .measure(values.measures.count)
            values.measures.append(.numbers(numbers, operation))
            warning =
                numbers.otherCount == 0
                ? nil
                : "\(numbers.otherCount) values of \"\(column.name)\" are no numbers and are left out of its "
                    + "\(operation.rawValue)"
        case .count:
            source = .measure(values.measures.count)
            values.measures.append(.presence(TextColumn(column, of: points)))
            warning = nil
        case .concat, .comma:
            let separator = operation == .comma ? [UInt8(ascii: ",")] : []
            source = .texts(TextColumn(column, of: points), separator: separator)
            warning = nil
        }
    }

    var needsMembers: Bool {
        if case .texts = source { true } else { false }
    }

    /// Hands over the number or the text that a cluster carries, or nothing if no member has a value.
    /// - Parameter members: calls its argument with the number of every member.
    func visit<Visitor: PropertyVisitor & ~Copyable>(
        of cluster: Int, _ aggregates: Aggregates, members: ((Int) -> Void) -> Void, _ visitor: inout Visitor
    ) {
        switch source {
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

    /// The result over all points, if those of parts add up to it.
    /// - Parameter cluster: holds all points.
    func total(of cluster: Int, _ aggregates: Aggregates) -> String? {
        guard case .measure(let index) = source, aggregates.measures[index].addsUp else { return nil }
        return aggregates.measures[index][cluster]?.description
    }
}

/// How clusters write how many of their members have each value of a column.
struct CountedColumn: Sendable {
    /// As it is written.
    let name: String
    let quotedName: [UInt8]
    private let column: TextColumn
    private let index: Int

    private static let other = Array(CategoryCount.other.utf8)

    /// - Parameter values: gets the column.
    init(_ column: PointColumn, limit: Int, of points: PointTable, values: inout PointValues) {
        name = column.outputName
        quotedName = column.quotedName
        self.column = TextColumn(column, of: points)
        index = values.categories.count
        values.categories.append(PointValues.Categories(column: self.column, limit: limit))
    }

    /// Hands over an object of the most frequent values, of equally frequent ones the first in the order of their bytes;
    /// at the end all others together, with those whose value is ``CategoryCount/other`` itself.
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

    /// Points by value.
    /// - Parameter cluster: holds all points.
    func total(of cluster: Int, _ aggregates: Aggregates) -> [String: Int] {
        // Texts of equal letters in different bytes are one string.
        Dictionary(
            aggregates.categories[index].all(of: cluster).map {
                (String(decoding: column.texts[Int($0.category)], as: UTF8.self), Int($0.count))
            },
            uniquingKeysWith: +)
    }
}
