import PyramidInput
import PyramidTiles

/// All points' values in the columns that clusters sum up or count: the input of ``Aggregates``.
package struct PointValues: Sendable {
    /// A column that a cluster reduces to one number.
    package enum Measure: Sendable {
        case numbers(NumberColumn, Accumulation.Operation)
        /// The number of members with a text that is not empty.
        case presence(TextColumn)

        package var operation: Accumulation.Operation {
            switch self {
            case .numbers(_, let operation): operation
            case .presence: .count
            }
        }

        /// A point's number; `nil` if it has none. `presence` gives zero for any value, as only the points are counted.
        package func value(of point: Int) -> FixedDecimal? {
            switch self {
            case .numbers(let column, _): column.value(of: point)
            case .presence(let column): column.hasText(point) ? .zero : nil
            }
        }
    }

    /// A column whose values a cluster counts.
    package struct Categories: Sendable {
        package let column: TextColumn
        /// The number of values that a cluster lists.
        package let limit: Int

        package init(column: TextColumn, limit: Int) {
            self.column = column
            self.limit = limit
        }
    }

    /// By point; empty if no weights are needed.
    package var weights: [UInt32] = []
    package var measures: [Measure] = []
    package var categories: [Categories] = []

    package init(weights: [UInt32] = [], measures: [Measure] = [], categories: [Categories] = []) {
        self.weights = weights
        self.measures = measures
        self.categories = categories
    }
}

/// Sums and counts of the members' columns: an array per column, with an element per cluster.
///
/// Clusters are made one after the other: `begin()`, then any number of points and earlier clusters, then `finish()`.
/// Sums are whole numbers or exact decimals, so the order of adding doesn't matter. Only adding points needs
/// ``PointValues``. Adding takes O(1) per column, and O(k log k) for a column that counts k categories.
package struct Aggregates: Sendable {
    private let hasWeights: Bool
    /// The sums of the members' weights, by cluster; empty if no weights are needed.
    package private(set) var weights: [Int] = []
    /// In the order of ``PointValues/measures``.
    package private(set) var measures: [MeasureColumn]
    /// In the order of ``PointValues/categories``.
    package private(set) var categories: [CategoryColumn]

    /// The columns, without clusters yet.
    package init(of values: PointValues = PointValues()) {
        hasWeights = !values.weights.isEmpty
        measures = values.measures.map { MeasureColumn($0.operation) }
        categories = values.categories.map { CategoryColumn(of: $0) }
    }

    package mutating func reserveCapacity(_ clusterCount: Int) {
        if hasWeights { weights.reserveCapacity(clusterCount) }
        for index in measures.indices { measures[index].reserveCapacity(clusterCount) }
        for index in categories.indices { categories[index].reserveCapacity(clusterCount) }
    }

    /// Begins a cluster, without members yet.
    package mutating func begin() {
        if hasWeights { weights.append(0) }
        for index in measures.indices { measures[index].begin() }
    }

    /// Adds a point to the current cluster.
    package mutating func add(point: Int, of values: PointValues) {
        if hasWeights { weights[weights.count - 1] += Int(values.weights[point]) }
        for index in measures.indices { measures[index].add(values.measures[index].value(of: point)) }
        for index in categories.indices { categories[index].add(values.categories[index].column.indices[point]) }
    }

    /// Adds a finished cluster to the current one. Each cluster can be added only once.
    package mutating func merge(_ member: Int) {
        if hasWeights { weights[weights.count - 1] += weights[member] }
        for index in measures.indices { measures[index].merge(member) }
        for index in categories.indices { categories[index].merge(member) }
    }

    /// Finishes the current cluster.
    package mutating func finish() {
        for index in categories.indices { categories[index].finish() }
    }

    /// The values of a finished cluster that was not added to another one.
    package func values(of cluster: Int) -> AggregateValues {
        AggregateValues(
            weight: hasWeights ? weights[cluster] : 0, measures: measures.map { $0.parts(of: cluster) },
            categories: categories.map { Array($0.all(of: cluster)) })
    }

    /// Adds a finished cluster made by another process.
    package mutating func append(_ cluster: AggregateValues) {
        if hasWeights { weights.append(cluster.weight) }
        for index in measures.indices { measures[index].append(cluster.measures[index]) }
        for index in categories.indices {
            for count in cluster.categories[index] { categories[index].add(count) }
        }
        finish()
    }
}

/// One cluster's sums and counts, as one process hands them over to another.
package struct AggregateValues: Sendable {
    /// A cluster's element of a ``MeasureColumn``.
    package struct Measure: Sendable {
        package var result: FixedDecimal
        /// The number of members with a number.
        package var count: UInt32

        package init(result: FixedDecimal, count: UInt32) { (self.result, self.count) = (result, count) }
    }

    /// 0 if no weights are needed.
    package var weight: Int
    package var measures: [Measure]
    /// All categories of every column, also the unlisted ones.
    package var categories: [[CategoryColumn.Count]]

    package init(weight: Int = 0, measures: [Measure] = [], categories: [[CategoryColumn.Count]] = []) {
        (self.weight, self.measures, self.categories) = (weight, measures, categories)
    }
}

/// One number per cluster, made from the numbers of its members. Members without a number are ignored.
package struct MeasureColumn: Sendable {
    private let operation: Accumulation.Operation
    /// By cluster; zero if no member has a number, and for the operation `count`.
    private var results: [FixedDecimal] = []
    /// By cluster: the number of members with a number.
    private var counts: [UInt32] = []

    fileprivate init(_ operation: Accumulation.Operation) { self.operation = operation }

    /// `nil` if no member has a number; the operation `count` gives zero instead.
    package subscript(cluster: Int) -> FixedDecimal? {
        let count = Int(counts[cluster])
        if operation == .count { return FixedDecimal(count) }
        guard count > 0 else { return nil }
        return operation == .mean ? results[cluster].divided(by: count) : results[cluster]
    }

    /// Whether the results of parts add up to the result of the whole.
    package var addsUp: Bool { operation != .mean }

    fileprivate mutating func reserveCapacity(_ clusterCount: Int) {
        results.reserveCapacity(clusterCount)
        counts.reserveCapacity(clusterCount)
    }

    fileprivate func parts(of cluster: Int) -> AggregateValues.Measure {
        AggregateValues.Measure(result: results[cluster], count: counts[cluster])
    }

    fileprivate mutating func append(_ cluster: AggregateValues.Measure) {
        results.append(cluster.result)
        counts.append(cluster.count)
    }

    fileprivate mutating func begin() {
        results.append(.zero)
        counts.append(0)
    }

    fileprivate mutating func add(_ value: FixedDecimal?) {
        if let value { add(value, ofMembers: 1) }
    }

    fileprivate mutating func merge(_ member: Int) {
        if counts[member] > 0 { add(results[member], ofMembers: counts[member]) }
    }

    private mutating func add(_ value: FixedDecimal, ofMembers count: UInt32) {
        let cluster = counts.count - 1
        let isFirst = counts[cluster] == 0
        counts[cluster] += count
        switch operation {
        case .min: results[cluster] = isFirst ? value : min(results[cluster], value)
        case .max: results[cluster] = isFirst ? value : max(results[cluster], value)
        case .sum, .mean: results[cluster] = results[cluster] + value
        case .count, .concat, .comma: break
        }
    }
}

/// The number of members with each value of a column, by cluster.
///
/// A finished cluster lists its most frequent values and one number for all others. The counts of the others are kept
/// until the cluster is added to another one, so there are never more of them than points.
package struct CategoryColumn: Sendable {
    package struct Count: Sendable {
        /// The index of a text, or ``rest``.
        package let category: UInt32
        package fileprivate(set) var count: UInt32

        package init(category: UInt32, count: UInt32) {
            self.category = category
            self.count = count
        }
    }

    /// Stands for all values not listed.
    package static let rest = UInt32.max

    private let limit: Int
    /// The index of the text "other", which is counted with the rest if there is a rest.
    private let other: UInt32?
    /// The counts of the current cluster.
    private var pending: [Count] = []
    /// The lists of all finished clusters, one after the other.
    private var listed: [Count] = []
    /// Where each cluster's list ends.
    private var ends: [Int] = []
    /// All counts of each cluster that lists only some of them, until it is added to another cluster.
    private var unlisted: [Int: [Count]] = [:]

    /// Fewer pending counts are not combined before the cluster is finished.
    private static let combiningThreshold = 1024

    fileprivate init(of categories: PointValues.Categories) {
        limit = categories.limit
        let other = Array(CategoryCount.other.utf8)
        self.other = categories.column.texts.firstIndex(of: other).map { UInt32($0) }
    }

    /// The values listed by a finished cluster, in no particular order; the rest comes last.
    package subscript(cluster: Int) -> ArraySlice<Count> {
        listed[(cluster == 0 ? 0 : ends[cluster - 1])..<ends[cluster]]
    }

    /// All categories of a finished cluster that was not added to another one, ascending.
    package func all(of cluster: Int) -> ArraySlice<Count> { unlisted[cluster].map { $0[...] } ?? self[cluster] }

    fileprivate mutating func reserveCapacity(_ clusterCount: Int) { ends.reserveCapacity(clusterCount) }

    fileprivate mutating func add(_ category: UInt32) {
        pending.append(Count(category: category, count: 1))
        // At powers of two only, so all sorting together takes O(n log n) for any number of categories.
        if pending.count >= CategoryColumn.combiningThreshold, pending.count.nonzeroBitCount == 1 { pending.sumUp() }
    }

    fileprivate mutating func add(_ count: Count) { pending.append(count) }

    fileprivate mutating func merge(_ member: Int) {
        let counts = self[member]
        if counts.last?.category == CategoryColumn.rest, let all = unlisted.removeValue(forKey: member) {
            pending += all
        } else {
            pending += counts
        }
    }

    fileprivate mutating func finish() {
        pending.sumUp()
        if pending.count <= limit {
            listed += pending
        } else {
            unlisted[ends.count] = pending
            var rest = Count(category: CategoryColumn.rest, count: 0)
            var listedCount = 0
            for count in pending.sorted(by: CategoryColumn.isMoreFrequent) {
                if listedCount < limit, count.category != other {
                    listed.append(count)
                    listedCount += 1
                } else {
                    rest.count += count.count
                }
            }
            listed.append(rest)
        }
        ends.append(listed.count)
        pending.removeAll(keepingCapacity: true)
    }

    /// The order in which a cluster's values are written: the most frequent first, ties in the order of their bytes,
    /// the rest last.
    package static func isMoreFrequent(_ one: Count, _ other: Count) -> Bool {
        if one.category == rest || other.category == rest { return other.category == rest && one.category != rest }
        return (other.count, one.category) < (one.count, other.category)
    }
}

extension [CategoryColumn.Count] {
    /// Sorts the counts by category and combines equal categories.
    fileprivate mutating func sumUp() {
        guard count > 1 else { return }
        sort { $0.category < $1.category }
        var last = 0
        for index in 1..<count {
            if self[index].category == self[last].category {
                self[last].count += self[index].count
            } else {
                last += 1
                self[last] = self[index]
            }
        }
        removeSubrange(last + 1..<count)
    }
}
