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
        transform: columnNames)
    var include: [String]?

    @Option(
        help: ArgumentHelp("Leave out these columns, separated by commas.", valueName: "columns"),
        transform: columnNames)
    var exclude: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            CSV only: write a column as string, number or boolean; values that don't fit are left out. Can be repeated. \
            (default: by how all its values look)
            """, valueName: "column:type"),
        transform: typeRule)
    var types: [ColumnTypeRule] = []

    @Flag(help: "Stop at the first bad row, before anything is written.")
    var strict = false

    func options(_ common: CommonOptionGroup) -> InputOptions {
        InputOptions(
            longitudeColumn: common.longitudeColumn, latitudeColumn: common.latitudeColumn,
            pointColumn: pointColumn, idColumn: common.idColumn, include: include, exclude: exclude, types: types,
            isStrict: strict)
    }

    private static func typeRule(_ text: String) throws -> ColumnTypeRule {
        guard let rule = ColumnTypeRule(text) else {
            let types = ColumnType.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("found \"\(text)\", expected column:type with one of \(types)")
        }
        return rule
    }

    static func columnNames(_ list: String) -> [String] {
        list.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
    }
}
