import PyramidTiles

/// Every point's values in the columns that clusters sum up or count: what ``Aggregates`` start from.
struct PointValues: Sendable {
    /// A column of which a cluster says one number.
    enum Measure: Sendable {
        case numbers(NumberColumn, Accumulation.Operation)
        /// How many members have a text that is not empty.
        case presence(TextColumn)
    }

    /// A column of which a cluster says how many members have each value.
    struct Categories: Sendable {
        let column: TextColumn
        /// How many values a cluster lists.
        let limit: Int
    }

    /// By point; empty if nobody asks for weights.
    var weights: [UInt32] = []
    var measures: [Measure] = []
    var categories: [Categories] = []
}

/// What clusters say of their members' columns: one element per cluster in an array per column.
///
/// A cluster begins with one point, or with all that an earlier cluster of the same anchor has; points and whole clusters
/// are added to it; then it is finished. Everything is a whole number or an exact decimal, so the order of adding never
/// shows. O(1) per column and addition, and O(k log k) for a column that counts k categories.
struct Aggregates: Sendable {
    private let values: PointValues
    /// Sums of the members' weights, by cluster.
    private(set) var weights: [Int] = []
    /// In the order of ``PointValues/measures``.
    private(set) var measures: [MeasureColumn]
    /// In the order of ``PointValues/categories``.
    private(set) var categories: [CategoryColumn]

    /// No clusters.
    init(of values: PointValues = PointValues()) {
        self.values = values
        measures = values.measures.map { MeasureColumn(of: $0) }
        categories = values.categories.map { CategoryColumn(of: $0) }
    }

    private var hasWeights: Bool { !values.weights.isEmpty }

    /// Begins a cluster with one point.
    mutating func append(point: Int) {
        if hasWeights { weights.append(Int(values.weights[point])) }
        for index in measures.indices { measures[index].append(point: point) }
        for index in categories.indices { categories[index].append(point: point) }
    }

    /// Begins a cluster with all that another one has, which is added to nothing else.
    mutating func append(takingOver earlier: Int) {
        if hasWeights { weights.append(weights[earlier]) }
        for index in measures.indices { measures[index].append(takingOver: earlier) }
        for index in categories.indices { categories[index].append(takingOver: earlier) }
    }

    mutating func add(point: Int, to cluster: Int) {
        if hasWeights { weights[cluster] += Int(values.weights[point]) }
        for index in measures.indices { measures[index].add(point: point, to: cluster) }
        for index in categories.indices { categories[index].add(point: point, to: cluster) }
    }

    /// Adds a finished cluster, which is added to nothing else.
    mutating func merge(_ member: Int, into cluster: Int) {
        if hasWeights { weights[cluster] += weights[member] }
        for index in measures.indices { measures[index].merge(member, into: cluster) }
        for index in categories.indices { categories[index].merge(member, into: cluster) }
    }

    /// Ends the adding to the cluster that was begun last.
    mutating func finish() {
        for index in categories.indices { categories[index].finish() }
    }
}

/// One number of every cluster, over the members that have a value.
struct MeasureColumn: Sendable {
    private let measure: PointValues.Measure
    /// By cluster; zero as long as no member has a value.
    private var results: [FixedDecimal] = []
    /// How many members have a value, by cluster.
    private var counts: [UInt32] = []

    init(of measure: PointValues.Measure) { self.measure = measure }

    /// `nil` if no member has a value; a count is then zero.
    subscript(cluster: Int) -> FixedDecimal? {
        switch measure {
        case .presence: FixedDecimal(Int(counts[cluster]))
        case .numbers where counts[cluster] == 0: nil
        case .numbers(_, .mean): results[cluster].divided(by: Int(counts[cluster]))
        case .numbers: results[cluster]
        }
    }

    /// Whether the results of parts add up to that of the whole.
    var addsUp: Bool {
        if case .numbers(_, .mean) = measure { false } else { true }
    }

    fileprivate mutating func append(point: Int) {
        results.append(.zero)
        counts.append(0)
        add(point: point, to: counts.count - 1)
    }

    fileprivate mutating func append(takingOver earlier: Int) {
        results.append(results[earlier])
        counts.append(counts[earlier])
    }

    fileprivate mutating func add(point: Int, to cluster: Int) {
        switch measure {
        case .numbers(let column, _):
            if let value = column.values[point] { add(value, ofMembers: 1, to: cluster) }
        case .presence(let column):
            if column.hasText(point) { counts[cluster] += 1 }
        }
    }

    fileprivate mutating func merge(_ member: Int, into cluster: Int) {
        if counts[member] > 0 { add(results[member], ofMembers: counts[member], to: cluster) }
    }

    private mutating func add(_ value: FixedDecimal, ofMembers count: UInt32, to cluster: Int) {
        let isFirst = counts[cluster] == 0
        counts[cluster] += count
        switch measure {
        case .numbers(_, .min): results[cluster] = isFirst ? value : min(results[cluster], value)
        case .numbers(_, .max): results[cluster] = isFirst ? value : max(results[cluster], value)
        case .numbers: results[cluster] = results[cluster] + value
        case .presence: break
        }
    }
}

/// How many members of every cluster have each value of a column.
///
/// Only clusters that nothing has taken in yet keep all their categories, so these never number more than the points. Of
/// the others what they list stays: the most frequent values and the rest.
struct CategoryColumn: Sendable {
    struct Count: Sendable {
        /// The number of a text, or ``rest``.
        let category: UInt32
        fileprivate(set) var count: UInt32
    }

    /// Stands for all values that a cluster does not list.
    static let rest = UInt32.max

    private let column: TextColumn
    private let limit: Int
    /// The number of the text "other", which is never listed beside the rest.
    private let other: UInt32?
    /// All categories by cluster, ascending once the cluster is finished; empty after another one has taken them over.
    private var all: [[Count]] = []
    /// What the finished clusters list, one after the other.
    private var listed: [Count] = []
    /// Where each cluster's list ends.
    private var ends: [Int] = []

    /// So many counts are sorted and summed up before more are gathered, if not twice as many were left the last time.
    private static let gatheredCount = 1024

    init(of categories: PointValues.Categories) {
        column = categories.column
        limit = categories.limit
        let other = Array(CategoryCount.other.utf8)
        self.other = column.texts.firstIndex(of: other).map { UInt32($0) }
    }

    /// What a cluster lists, in no particular order, the rest last.
    subscript(cluster: Int) -> ArraySlice<Count> { listed[(cluster == 0 ? 0 : ends[cluster - 1])..<ends[cluster]] }

    /// All categories of a finished cluster that nothing has taken over, ascending.
    func all(of cluster: Int) -> [Count] { all[cluster] }

    fileprivate mutating func append(point: Int) {
        all.append([Count(category: column.indices[point], count: 1)])
    }

    fileprivate mutating func append(takingOver earlier: Int) {
        all.append(all[earlier])
        all[earlier] = []
    }

    fileprivate mutating func add(point: Int, to cluster: Int) {
        all[cluster].append(Count(category: column.indices[point], count: 1))
        // Powers of two: so the sorting stays linear but for a logarithm, however many categories there are.
        let count = all[cluster].count
        if count >= CategoryColumn.gatheredCount, count & (count - 1) == 0 { all[cluster].sumUp() }
    }

    fileprivate mutating func merge(_ member: Int, into cluster: Int) {
        all[cluster] += all[member]
        all[member] = []
    }

    fileprivate mutating func finish() {
        let cluster = all.count - 1
        all[cluster].sumUp()
        if all[cluster].count <= limit {
            listed += all[cluster]
        } else {
            var rest = Count(category: CategoryColumn.rest, count: 0)
            var listedCount = 0
            for count in all[cluster].sorted(by: CategoryColumn.isMoreFrequent) {
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
    }

    /// The order in which a cluster's values are written: of equally frequent ones the first in the order of their bytes,
    /// and the rest at the end.
    static func isMoreFrequent(_ one: Count, _ other: Count) -> Bool {
        if one.category == rest || other.category == rest { return other.category == rest && one.category != rest }
        return (other.count, one.category) < (one.count, other.category)
    }
}

extension [CategoryColumn.Count] {
    /// Sorts the counts and makes those of one category one.
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
