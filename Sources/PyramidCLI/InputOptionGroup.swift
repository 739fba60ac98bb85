import ArgumentParser
import PyramidBuild

struct InputOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            CSV only: a column with both coordinates, as "latitude, longitude" or as WKT, POINT (longitude latitude). \
            (default: found by its name)
            """, valueName: "column"))
    var pointColumn: String?

    @Option(
        help: ArgumentHelp(
            "Write only these columns, separated by commas. (default: all but coordinates and id)",
            valueName: "columns"),
        transform: CommaSeparated.names)
    var include: [[String]] = []

    @Option(
        help: ArgumentHelp("Leave out these columns, separated by commas.", valueName: "columns"),
        transform: CommaSeparated.names)
    var exclude: [[String]] = []

    @Option(
        help: ArgumentHelp(
            """
            CSV only: write columns as string, number or boolean, separated by commas; values that don't fit are left out. \
            (default: inferred from all values)
            """, valueName: "column:type"),
        transform: { try CommaSeparated.values($0, typeRule) })
    var types: [[ColumnTypeRule]] = []

    @Flag(help: "Stop at the first bad row, before anything is written.")
    var strict = false

    func options(_ common: CommonOptionGroup) -> InputOptions {
        InputOptions(
            longitudeColumn: common.longitudeColumn, latitudeColumn: common.latitudeColumn,
            pointColumn: pointColumn, idColumn: common.idColumn,
            include: include.isEmpty ? nil : Array(include.joined()), exclude: Array(exclude.joined()),
            types: Array(types.joined()), isStrict: strict)
    }

    private static func typeRule(_ text: String) throws -> ColumnTypeRule {
        guard let rule = ColumnTypeRule(text) else {
            let types = ColumnType.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("found \"\(text)\", expected column:type with one of \(types)")
        }
        return rule
    }
}
