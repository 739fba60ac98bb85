import ArgumentParser
import PyramidTiles

extension CountLabel: ExpressibleByArgument {}

struct ClusterContentOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Columns, separated by commas, that clusters copy from their anchor, the point whose place they keep.",
            valueName: "columns"),
        transform: CommaSeparated.names)
    var clusterProperties: [[String]] = []

    @Option(
        help: ArgumentHelp(
            "With --members: list objects with these columns, separated by commas, instead of ids.",
            valueName: "columns"),
        transform: CommaSeparated.names)
    var memberProperties: [[String]] = []

    @Option(
        help: ArgumentHelp(
            "Format of point_count_abbreviated: 1.2k, 1234, or 99+ for 100 and more.", valueName: "label"))
    var countLabel = CountLabel.abbreviated

    func options(_ common: CommonOptionGroup) -> ClusterContentOptions {
        var options = ClusterContentOptions(
            accumulate: Array(common.accumulateAttribute.joined()), countBy: Array(common.countBy.joined()),
            properties: Array(clusterProperties.joined()), countLabel: countLabel, memberLimit: common.members,
            memberProperties: Array(memberProperties.joined()))
        options.filterBy = Array(common.filterBy.joined())
        return options
    }
}
