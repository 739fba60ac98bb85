import PyramidTiles

/// The values of all points in the columns that clusters sum up or count, from which ``Aggregates`` are made.
struct PointValues: Sendable {
    /// A column that a cluster reduces to one number.
    enum Measure: Sendable {
        case numbers(NumberColumn, Accumulation.Operation)
        /// How many members have a text that is not empty.
        case presence(TextColumn)

        var operation: Accumulation.Operation {
            switch self {
            case .numbers(_, let operation): operation
            case .presence: .count
            }
        }

        /// A point's number; `nil` if it has none. Only whether there is one matters where members are counted.
        func value(of point: Int) -> FixedDecimal? {
            switch self {
            case .numbers(let column, _): column.value(of: point)
            case .presence(let column): column.hasText(point) ? .zero : nil
            }
        }
    }

    /// A column whose values a cluster counts.
    struct Categories: Sendable {
        let column: TextColumn
        /// How many values a cluster lists.
        let limit: Int
    }

    /// By point; empty if the clusters' weights are not needed.
    var weights: [UInt32] = []
    var measures: [Measure] = []
    var categories: [Categories] = []
}

/// What clusters say about their members' columns: an array per column, with an element per cluster.
///
/// Clusters are made one after the other: each begins with a point or with an earlier cluster, more points and clusters are
/// added to it, and it is finished. Sums are whole numbers or exact decimals, so the order of adding doesn't matter. Only
/// points need ``PointValues``; clusters are added to clusters without them. Adding takes O(1) per column, and O(k log k)
/// for a column that counts k categories.
struct Aggregates: Sendable {
    private let hasWeights: Bool
    /// The sums of the members' weights, by cluster; empty if they are not needed.
    private(set) var weights: [Int] = []
    /// In the order of ``PointValues/measures``.
    private(set) var measures: [MeasureColumn]
    /// In the order of ``PointValues/categories``.
    private(set) var categories: [CategoryColumn]

    /// No clusters of these columns.
    init(of values: PointValues = PointValues()) {
        hasWeights = !values.weights.isEmpty
        measures = values.measures.map { MeasureColumn($0.operation) }
        categories = values.categories.map { CategoryColumn(of: $0) }
    }

    /// Prepares for this many clusters in all.
    mutating func reserveCapacity(_ clusterCount: Int) {
        if hasWeights { weights.reserveCapacity(clusterCount) }
        for index in measures.indices { measures[index].reserveCapacity(clusterCount) }
        for index in categories.indices { categories[index].reserveCapacity(clusterCount) }
    }

    /// Begins a cluster without members.
    mutating func begin() {
        if hasWeights { weights.append(0) }
        for index in measures.indices { measures[index].begin() }
    }

    /// Adds a point to the cluster that was begun last.
    mutating func add(point: Int, of values: PointValues) {
        if hasWeights { weights[weights.count - 1] += Int(values.weights[point]) }
        for index in measures.indices { measures[index].add(values.measures[index].value(of: point)) }
        for index in categories.indices { categories[index].add(values.categories[index].column.indices[point]) }
    }

    /// Adds a finished cluster to the one that was begun last. Each cluster can be added only once.
    mutating func merge(_ member: Int) {
        if hasWeights { weights[weights.count - 1] += weights[member] }
        for index in measures.indices { measures[index].merge(member) }
        for index in categories.indices { categories[index].merge(member) }
    }

    /// Finishes the cluster that was begun last.
    mutating func finish() {
        for index in categories.indices { categories[index].finish() }
    }

    /// What a finished cluster that was not added to another one says.
    func values(of cluster: Int) -> AggregateValues {
        AggregateValues(
            weight: hasWeights ? weights[cluster] : 0, measures: measures.map { $0.parts(of: cluster) },
            categories: categories.map { Array($0.all(of: cluster)) })
    }

    /// Adds a finished cluster that another process has made.
    mutating func append(_ cluster: AggregateValues) {
        if hasWeights { weights.append(cluster.weight) }
        for index in measures.indices { measures[index].append(cluster.measures[index]) }
        for index in categories.indices {
            for count in cluster.categories[index] { categories[index].add(count) }
        }
        finish()
    }
}

/// What one cluster says about its members' columns, so that it can go on in another process.
struct AggregateValues: Sendable {
    /// What a ``MeasureColumn`` knows of a cluster.
    struct Measure: Sendable {
        var result: FixedDecimal
        /// How many members have a number.
        var count: UInt32
    }

    /// 0 if weights are not needed.
    var weight = 0
    var measures: [Measure] = []
    /// All categories of every column, not only the listed ones.
    var categories: [[CategoryColumn.Count]] = []
}

/// One number per cluster, made from the numbers of its members. Members without a number don't count.
struct MeasureColumn: Sendable {
    private let operation: Accumulation.Operation
    /// By cluster; zero if no member has a number, and for all clusters where members are counted.
    private var results: [FixedDecimal] = []
    /// How many members have a number, by cluster.
    private var counts: [UInt32] = []

    fileprivate init(_ operation: Accumulation.Operation) { self.operation = operation }

    /// `nil` if no member has a number; a count is zero then.
    subscript(cluster: Int) -> FixedDecimal? {
        let count = Int(counts[cluster])
        if operation == .count { return FixedDecimal(count) }
        guard count > 0 else { return nil }
        return operation == .mean ? results[cluster].divided(by: count) : results[cluster]
    }

    /// Whether the results of several parts add up to the result of the whole.
    var addsUp: Bool { operation != .mean }

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

/// How many members of each cluster have each value of a column.
///
/// A finished cluster keeps what it lists: its most frequent values and the number of all others. The counts of the others
/// are kept too until the cluster is added to another one, so there are never more of them than points.
struct CategoryColumn: Sendable {
    struct Count: Sendable {
        /// The number of a text, or ``rest``.
        let category: UInt32
        fileprivate(set) var count: UInt32

        init(category: UInt32, count: UInt32) {
            self.category = category
            self.count = count
        }
    }

    /// Stands for all values that a cluster does not list.
    static let rest = UInt32.max

    private let limit: Int
    /// The number of the text "other", which is never listed next to the rest.
    private let other: UInt32?
    /// The counts of the cluster that is being made.
    private var pending: [Count] = []
    /// What the finished clusters list, one after the other.
    private var listed: [Count] = []
    /// Where each cluster's list ends.
    private var ends: [Int] = []
    /// All counts of the clusters that don't list all their values, by cluster, until these are added to others.
    private var unlisted: [Int: [Count]] = [:]

    /// The counts of a cluster are not summed up before there are this many.
    private static let gatheredCount = 1024

    fileprivate init(of categories: PointValues.Categories) {
        limit = categories.limit
        let other = Array(CategoryCount.other.utf8)
        self.other = categories.column.texts.firstIndex(of: other).map { UInt32($0) }
    }

    /// What a finished cluster lists, in no particular order; the rest comes last.
    subscript(cluster: Int) -> ArraySlice<Count> { listed[(cluster == 0 ? 0 : ends[cluster - 1])..<ends[cluster]] }

    /// All categories of a finished cluster that was not added to another one, ascending.
    func all(of cluster: Int) -> ArraySlice<Count> { unlisted[cluster].map { $0[...] } ?? self[cluster] }

    fileprivate mutating func reserveCapacity(_ clusterCount: Int) { ends.reserveCapacity(clusterCount) }

    fileprivate mutating func add(_ category: UInt32) {
        pending.append(Count(category: category, count: 1))
        // At powers of two, so that sorting takes O(n log n) in all, however many categories there are.
        if pending.count >= CategoryColumn.gatheredCount, pending.count.nonzeroBitCount == 1 { pending.sumUp() }
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

    /// The order in which a cluster's values are written: the most frequent first, equally frequent ones in the order of
    /// their bytes, the rest last.
    static func isMoreFrequent(_ one: Count, _ other: Count) -> Bool {
        if one.category == rest || other.category == rest { return other.category == rest && one.category != rest }
        return (other.count, one.category) < (one.count, other.category)
    }
}

extension [CategoryColumn.Count] {
    /// Sorts the counts by category and combines those of the same one.
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
