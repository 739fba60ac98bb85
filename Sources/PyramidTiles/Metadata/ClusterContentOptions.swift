/// What clusters have in addition to the properties in ``Cluster/PropertyName``.
public struct ClusterContentOptions: Codable, Equatable, Sendable {
    /// The columns that clusters summarise, each in a property of its own.
    public var accumulate: [Accumulation]
    public var countBy: [CategoryCount]
    /// The columns by which clients filter.
    public var filterBy: [FacetColumn] = []
    /// Columns whose values a cluster copies from its anchor.
    public var properties: [String]
    public var countLabel: CountLabel

    /// Clusters of at most this many points list all of them. Larger clusters of coincident points list the first ones.
    /// `nil` for no lists.
    public var memberLimit: Int?
    /// Members are listed as objects with these columns; if empty, as ids.
    public var memberProperties: [String]

    /// The sum of the members' weights.
    public static let weightName = "point_weight"
    /// The property of a point that never merges.
    public static let unclusteredName = "unclustered"
    public static let membersName = "members"
    /// The number of members with each combination of values in ``filterBy``.
    public static let facetsName = "facets"
    public static let memberLimits = 1...10_000

    public init(
        accumulate: [Accumulation] = [], countBy: [CategoryCount] = [], properties: [String] = [],
        countLabel: CountLabel = .abbreviated, memberLimit: Int? = nil, memberProperties: [String] = []
    ) {
        self.accumulate = accumulate
        self.countBy = countBy
        self.properties = properties
        self.countLabel = countLabel
        self.memberLimit = memberLimit
        self.memberProperties = memberProperties
    }

    /// Whether clusters have no extra properties.
    public var isEmpty: Bool { self == ClusterContentOptions() }

    /// How many members a cluster with this many points lists; `nil` if it has no list.
    public func listedCount(ofPoints pointCount: Int, isCoincident: Bool) -> Int? {
        guard let memberLimit, pointCount <= memberLimit || isCoincident else { return nil }
        return min(pointCount, memberLimit)
    }
}

/// Totals over all points, which are the same at every zoom.
public struct ContentTotals: Codable, Equatable, Sendable {
    /// Exact numbers as text, in the order of ``ClusterContentOptions/accumulate``. `nil` for means and joined texts,
    /// which have no total, and for columns without a number.
    public var accumulated: [String?]
    /// The number of points with each value, in the order of ``ClusterContentOptions/countBy``.
    public var categories: [[String: Int]]
    /// The sum of the points' weights; `nil` without a weight column.
    public var weight: Int?
    /// The number of points that never merge.
    public var unclusteredPoints = 0

    public init(accumulated: [String?] = [], categories: [[String: Int]] = []) {
        self.accumulated = accumulated
        self.categories = categories
    }
}
