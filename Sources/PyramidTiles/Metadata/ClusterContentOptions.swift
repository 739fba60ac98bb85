/// What clusters carry besides the names in ``Cluster/PropertyName``.
public struct ClusterContentOptions: Codable, Equatable, Sendable {
    /// Each name once.
    public var accumulate: [Accumulation]
    public var countBy: [CategoryCount]
    /// Columns whose values a cluster takes from its anchor.
    public var properties: [String]
    public var countLabel: CountLabel
    /// Whether a cluster has `scale`, 1 + ln(`point_count`) to three decimals.
    public var hasScale: Bool

    /// Clusters of at most so many points list them, and coincident ones the first so many; `nil` for no lists.
    public var memberLimit: Int?
    /// The columns of the listed members, as objects; the ids where there are none.
    public var memberProperties: [String]

    /// Whether every marker has `parent`, the id of the cluster that takes it in at the zoom above.
    public var hasParents = false

    /// Whether the points of clusters with more members than are listed are written as pages, those of the last clustered
    /// zoom.
    public var hasLeaves = false

    /// How many pages of points a cluster of the last clustered zoom has.
    public static let leafPagesName = "leaf_pages"
    public static let parentName = "parent"
    public static let scaleName = "scale"
    /// What the members' weights add up to.
    public static let weightName = "point_weight"
    /// The property of a point that is never merged.
    public static let unclusteredName = "unclustered"
    public static let membersName = "members"
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

    /// All the names that the options put into a cluster, in their order there.
    public var names: [String] {
        (hasScale ? [ClusterContentOptions.scaleName] : []) + properties + accumulate.map(\.name) + countBy.map(\.name)
            + (memberLimit == nil ? [] : [ClusterContentOptions.membersName])
            + (hasParents ? [ClusterContentOptions.parentName] : [])
    }

    /// Whether nothing is asked for.
    public var isEmpty: Bool { self == ClusterContentOptions() }

    /// How many members a cluster lists; `nil` where it has no list.
    public func listedCount(ofPoints pointCount: Int, isCoincident: Bool) -> Int? {
        guard let memberLimit, pointCount <= memberLimit || isCoincident else { return nil }
        return min(pointCount, memberLimit)
    }

    /// How many pages there are of the points of a cluster at the last clustered zoom; `nil` where there are none, because
    /// it lists all its members itself.
    public func leafPageCount(ofPoints pointCount: Int) -> Int? {
        hasLeaves && pointCount > memberLimit ?? 0 ? LeafPage.count(ofPoints: pointCount) : nil
    }

    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? { problem(beside: []) }

    /// - Parameter otherNames: what a cluster has besides.
    public func problem(beside otherNames: [String]) -> OptionMessage? {
        if let memberLimit, !ClusterContentOptions.memberLimits.contains(memberLimit) {
            return "\(.members) is \(memberLimit), expected 1 to 10000"
        }
        if memberLimit == nil, !memberProperties.isEmpty {
            return "\(.memberProperties) says what \(.members) lists, expected \(.members) too"
        }
        var seen: Set<String> = []
        return (otherNames + names).first { !seen.insert($0).inserted }.map {
            "a cluster can't have two values named \"\($0)\", expected each column in only one of \(.groupBy), "
                + "\(.clusterProperties), \(.accumulateAttribute) and \(.countBy), and none whose name another option uses "
                + "(scale, members, parent)"
        }
    }
}

/// What the points' values add up to: at every zoom, over clusters and points, the same.
public struct ContentTotals: Codable, Equatable, Sendable {
    /// Results over all points, in the order of ``ClusterContentOptions/accumulate``; `nil` for those that don't add up:
    /// means and texts. Numbers as text, exactly.
    public var accumulated: [String?]
    /// Points by value, in the order of ``ClusterContentOptions/countBy``.
    public var categories: [[String: Int]]
    /// What the points' weights add up to; absent where none are read.
    public var weight: Int?
    /// How many of the points are never merged.
    public var unclusteredPoints = 0

    public init(accumulated: [String?] = [], categories: [[String: Int]] = []) {
        self.accumulated = accumulated
        self.categories = categories
    }
}
