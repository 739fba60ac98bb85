import ArgumentParser
import PyramidTiles

extension CountLabel: ExpressibleByArgument {}

struct ClusterContentOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Columns, separated by commas, that a cluster copies from its anchor.", valueName: "columns"),
        transform: CommaSeparated.names)
    var clusterProperties: [[String]] = []

    @Option(
        help: ArgumentHelp(
            "With --members: list objects with these columns, separated by commas, instead of ids.",
            valueName: "columns"),
        transform: CommaSeparated.names)
    var memberProperties: [[String]] = []

    @Flag(
        help: """
            Write the points of clusters that don't list them all as pages of 100, leaves/{cluster_id}/{page}.json, at \
            the last zoom with clusters. leaf_pages says how many.
            """)
    var leaves = false

    @Flag(help: "Every marker carries parent, the id of its cluster at the zoom above.")
    var parents = false

    @Option(
        help: ArgumentHelp(
            "How point_count_abbreviated is written: 1.2k, 1234, or 99+ from 100 on.", valueName: "label"))
    var countLabel = CountLabel.abbreviated

    @Flag(help: "Clusters carry scale, 1 + ln(point_count), a factor for the marker's size.")
    var scale = false

    func options(_ common: CommonOptionGroup) -> ClusterContentOptions {
        var options = ClusterContentOptions(
            accumulate: Array(common.accumulateAttribute.joined()), countBy: Array(common.countBy.joined()),
            properties: Array(clusterProperties.joined()), countLabel: countLabel, hasScale: scale,
            memberLimit: common.members, memberProperties: Array(memberProperties.joined()))
        options.hasParents = parents
        options.hasLeaves = leaves
        return options
    }
}
