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

    @Option(
        help: ArgumentHelp(
            "With --filter-by column:unit: how dates are written, if not as in ISO 8601, such as \"MM/DD/YYYY hh:mm:ss a\".",
            valueName: "pattern"),
        transform: {
            try required(
                DatePattern($0), $0,
                "YYYY or YY, and then MM, M or MMM, DD or D, HH or hh and a, mm, ss, and Z for an offset, as in \"DD.MM.YYYY HH:mm\""
            )
        })
    var dateFormat: DatePattern?

    func options(_ common: CommonOptionGroup) throws -> ClusterContentOptions {
        var options = ClusterContentOptions(
            accumulate: Array(common.accumulateAttribute.joined()), countBy: Array(common.countBy.joined()),
            properties: Array(clusterProperties.joined()), countLabel: countLabel, memberLimit: common.members,
            memberProperties: Array(memberProperties.joined()))
        if dateFormat != nil, !common.filterBy.joined().contains(where: { $0.dates != nil }) {
            throw ValidationError("--date-format needs --filter-by with a column of dates, as in opened:month")
        }
        options.filterBy = common.filterBy.joined().map { facet in
            guard let dateFormat, facet.dates != nil else { return facet }
            var facet = facet
            facet.dates?.notation = .pattern(dateFormat)
            return facet
        }
        return options
    }
}
