/// What clusters carry in addition to the properties in ``Cluster/PropertyName``.
public struct ClusterContentOptions: Codable, Equatable, Sendable {
    /// Each with a property of its own.
    public var accumulate: [Accumulation]
    public var countBy: [CategoryCount]
    /// The columns by which clients filter.
    public var filterBy: [FacetColumn] = []
    /// Columns whose values a cluster copies from its anchor.
    public var properties: [String]
    public var countLabel: CountLabel
    /// Whether clusters carry `scale`, 1 + ln(`point_count`) to three decimals.
    public var hasScale: Bool

    /// Clusters of up to this many points list them, larger coincident ones the first ones; `nil` for no lists.
    public var memberLimit: Int?
    /// The columns of listed members, as objects; if empty, members are listed by their ids.
    public var memberProperties: [String]

    /// Whether every marker carries `parent`, the id of its cluster at the next zoom out.
    public var hasParents = false

    /// Whether the points of clusters that don't list them all are written as pages, at the last clustered zoom.
    public var hasLeaves = false

    /// The number of pages of a cluster at the last clustered zoom.
    public static let leafPagesName = "leaf_pages"
    public static let parentName = "parent"
    public static let scaleName = "scale"
    /// The sum of the members' weights.
    public static let weightName = "point_weight"
    /// The property of a point that never merges.
    public static let unclusteredName = "unclustered"
    public static let membersName = "members"
    /// How many members have each combination of values in the columns to filter by.
    public static let facetsName = "facets"
    public static let memberLimits = 1...10_000

    public init(
        accumulate: [Accumulation] = [], countBy: [CategoryCount] = [], properties: [String] = [],
        countLabel: CountLabel = .abbreviated, hasScale: Bool = false, memberLimit: Int? = nil,
        memberProperties: [String] = []
    ) {
        self.accumulate = accumulate
        self.countBy = countBy
        self.properties = properties
        self.countLabel = countLabel
        self.hasScale = hasScale
        self.memberLimit = memberLimit
        self.memberProperties = memberProperties
    }

    /// Whether clusters carry nothing extra.
    public var isEmpty: Bool { self == ClusterContentOptions() }

    /// How many members a cluster lists; `nil` if it has no list.
    public func listedCount(ofPoints pointCount: Int, isCoincident: Bool) -> Int? {
        guard let memberLimit, pointCount <= memberLimit || isCoincident else { return nil }
        return min(pointCount, memberLimit)
    }

    /// The number of pages of a cluster at the last clustered zoom; `nil` if it lists all its members itself.
    public func leafPageCount(ofPoints pointCount: Int) -> Int? {
        hasLeaves && pointCount > memberLimit ?? 0 ? PointPage.count(ofPoints: pointCount) : nil
    }
}

/// Totals over all points, which are the same at every zoom.
public struct ContentTotals: Codable, Equatable, Sendable {
    /// Exact numbers as text, in the order of ``ClusterContentOptions/accumulate``; `nil` for means and joined texts, which
    /// don't add up.
    public var accumulated: [String?]
    /// Numbers of points by value, in the order of ``ClusterContentOptions/countBy``.
    public var categories: [[String: Int]]
    /// The sum of the points' weights; absent without a weight column.
    public var weight: Int?
    /// The number of points that never merge.
    public var unclusteredPoints = 0

    public init(accumulated: [String?] = [], categories: [[String: Int]] = []) {
        self.accumulated = accumulated
        self.categories = categories
    }
}
