extension ClusterContentOptions {
    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? { problem(adding: added) }

    /// - Parameter added: all properties that options add to markers.
    package func problem(adding added: [AddedProperty]) -> OptionMessage? {
        if let memberLimit, !ClusterContentOptions.memberLimits.contains(memberLimit) {
            return "\(.members) is \(memberLimit), expected 1 to 10000"
        }
        if let count = countBy.first(where: { !CategoryCount.limits.contains($0.limit) }) {
            return "\(.countBy) lists \(count.limit) values of \"\(count.name)\", expected 1 to 1000"
        }
        if memberLimit == nil, !memberProperties.isEmpty {
            return "\(.memberProperties) needs \(.members)"
        }
        if let name = accumulate.lazy.compactMap(\.output).first(where: { Cluster.PropertyName(rawValue: $0) != nil }) {
            return "every cluster already has a property \"\(name)\", expected another name in \(.accumulateAttribute)"
        }
        if let name = Dictionary(grouping: filterBy, by: \.name).first(where: { $1.count > 1 })?.key {
            return "the column \"\(name)\" is given twice, expected each column once in \(.filterBy)"
        }
        if let facet = filterBy.first(where: { !$0.hasRisingEdges }) {
            return
                "the edges of \"\(facet.name)\" in \(.filterBy) aren't ascending; each must exceed the one before"
        }
        var seen: Set<String> = []
        return added.first { !seen.insert($0.name).inserted }.map {
            "two options add a property \"\($0.name)\" to clusters; name a column in only one of \(.groupBy), "
                + "\(.clusterProperties), \(.accumulateAttribute) and \(.countBy), or rename the property with "
                + "\(.accumulateAttribute) column:operation:name"
        }
    }
}

extension ClusterContentOptions {
    /// How many columns of values clusters count: one more for the combinations of those to filter by.
    package var countedColumnCount: Int { countBy.count + (filterBy.isEmpty ? 0 : 1) }
}

extension OptionName {
    public static var accumulateAttribute: OptionName { OptionName() }
    public static var countBy: OptionName { OptionName() }
    public static var filterBy: OptionName { OptionName() }
    public static var dateFormat: OptionName { OptionName() }
    public static var clusterProperties: OptionName { OptionName() }
    public static var members: OptionName { OptionName() }
    public static var memberProperties: OptionName { OptionName() }
}
