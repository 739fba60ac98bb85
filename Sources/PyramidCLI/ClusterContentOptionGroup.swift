import ArgumentParser
import PyramidTiles

extension CountLabel: ExpressibleByArgument {}

struct ClusterContentOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What clusters say of their members' values in a column: sum, min, max, mean, count, concat or comma.",
            valueName: "column:operation"),
        transform: accumulation)
    var accumulateAttribute: [Accumulation] = []

    @Option(
        help: ArgumentHelp(
            "Clusters count their members by the values of a column, the most frequent values first. (default limit: 10)",
            valueName: "column[:limit]"),
        transform: categoryCount)
    var countBy: [CategoryCount] = []

    @Option(
        help: ArgumentHelp(
            "Columns that a cluster takes from its anchor; names separated by commas.", valueName: "columns"),
        transform: InputOptionGroup.columnNames)
    var clusterProperties: [String] = []

    @Option(
        help: ArgumentHelp(
            "What point_count_abbreviated holds: 1.2k, the number, or 99+ from 100 on.",
            valueName: "label"))
    var countLabel = CountLabel.abbreviated

    @Flag(help: "Clusters carry scale, 1 + ln(point_count), as a factor for a marker's size.")
    var scale = false

    @Option(
        help: ArgumentHelp(
            "Clusters of at most so many points list the ids of these; coincident ones the first so many.",
            valueName: "n"))
    var members: Int?

    @Option(
        help: ArgumentHelp("List small objects of these columns instead of ids.", valueName: "columns"),
        transform: InputOptionGroup.columnNames)
    var memberProperties: [String] = []

    @Flag(
        help:
            "The points of larger clusters at the last zoom with clusters are written as pages of 100, leaves/{cluster_id}/{page}.json from 0 on; such a cluster carries leaf_pages, how many there are."
    )
    var leaves = false

    @Flag(help: "Every marker carries parent, the id of the cluster that takes it in at the zoom above.")
    var parents = false

    var options: ClusterContentOptions {
        var options = ClusterContentOptions(
            accumulate: accumulateAttribute, countBy: countBy, properties: clusterProperties, countLabel: countLabel,
            hasScale: scale, memberLimit: members, memberProperties: memberProperties)
        options.hasParents = parents
        options.hasLeaves = leaves
        return options
    }

    private static func accumulation(_ text: String) throws -> Accumulation {
        guard let accumulation = Accumulation(text) else {
            let operations = Accumulation.Operation.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\"\(text)\" is no column:operation, expected one of the operations \(operations)")
        }
        return accumulation
    }

    private static func categoryCount(_ text: String) throws -> CategoryCount {
        guard let count = CategoryCount(text) else {
            throw ValidationError("\"\(text)\" is no column or column:limit, expected a limit from 1 to 1000")
        }
        return count
    }
}
