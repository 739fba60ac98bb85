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
        quotedName = TableColumns.quoted(column.outputName)
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

    /// The JSON number or the text that a cluster carries; `nil` if no member has a value.
    /// - Parameter members: calls its argument with the number of every member.
    func result(
        of cluster: Int, _ aggregates: Aggregates, members: ((Int) -> Void) -> Void
    ) -> (text: [UInt8], isNumber: Bool)? {
        switch source {
        case .measure(let index):
            return aggregates.measures[index][cluster].map { (Array($0.description.utf8), true) }
        case .texts(let column, let separator):
            var indices: [UInt32] = []
            members { if column.hasText($0) { indices.append(column.indices[$0]) } }
            guard !indices.isEmpty else { return nil }
            return (Array(indices.sorted().map { column.texts[Int($0)] }.joined(separator: separator)), false)
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

    /// - Parameter values: gets the column.
    init(_ column: PointColumn, limit: Int, of points: PointTable, values: inout PointValues) {
        name = column.outputName
        quotedName = TableColumns.quoted(column.outputName)
        self.column = TextColumn(column, of: points)
        index = values.categories.count
        values.categories.append(PointValues.Categories(column: self.column, limit: limit))
    }

    /// The most frequent values, of equally frequent ones the first in the order of their bytes; at the end all others
    /// together, with those whose value is ``CategoryCount/other`` itself.
    func result(of cluster: Int, _ aggregates: Aggregates) -> [(name: [UInt8], count: Int)] {
        aggregates.categories[index][cluster].sorted(by: CategoryColumn.isMoreFrequent).map { entry in
            let isRest = entry.category == CategoryColumn.rest
            let text = isRest ? Array(CategoryCount.other.utf8) : column.texts[Int(entry.category)]
            return (text, Int(entry.count))
        }
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
