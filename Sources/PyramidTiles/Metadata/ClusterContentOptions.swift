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

    public static let scaleName = "scale"

    public init(
        accumulate: [Accumulation] = [], countBy: [CategoryCount] = [], properties: [String] = [],
        countLabel: CountLabel = .abbreviated, hasScale: Bool = false
    ) {
        self.accumulate = accumulate
        self.countBy = countBy
        self.properties = properties
        self.countLabel = countLabel
        self.hasScale = hasScale
    }

    /// All the names that the options put into a cluster, in their order there.
    public var names: [String] {
        (hasScale ? [ClusterContentOptions.scaleName] : []) + properties + accumulate.map(\.name) + countBy.map(\.name)
    }

    /// What is wrong with the options, as a sentence for the user; `nil` where nothing is.
    public var problem: String? {
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }.map {
            "a cluster can't have two values under \"\($0)\", expected each column in one of "
                + "--cluster-properties, --accumulate-attribute and --count-by"
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

    public init(accumulated: [String?] = [], categories: [[String: Int]] = []) {
        self.accumulated = accumulated
        self.categories = categories
    }
}
