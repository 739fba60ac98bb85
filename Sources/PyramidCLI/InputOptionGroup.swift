import ArgumentParser
import PyramidInput
import PyramidTiles

struct InputOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            CSV only: a column with both coordinates, as "latitude, longitude" or as WKT, POINT (longitude latitude). \
            place:lon-lat if plain numbers have the longitude first. (default: found by its name)
            """, valueName: "column[:order]"))
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

    @Option(
        help: ArgumentHelp(
            "CSV only: the character between cells, such as ':'. (default: a comma, a semicolon, a tab or a bar)",
            valueName: "character"))
    var delimiter: String?

    @Option(
        help: ArgumentHelp("CSV only: how many lines to skip above the header.", valueName: "n"))
    var skipLines = 0

    @OptionGroup var skipping: SkippingOptionGroup

    func options(_ common: CommonOptionGroup) -> InputOptions {
        let point = pointColumn.map(PointOrder.split)
        return InputOptions(
            longitudeColumn: common.longitudeColumn, latitudeColumn: common.latitudeColumn,
            pointColumn: point?.column, pointOrder: point?.order, idColumn: common.idColumn,
            include: include.isEmpty ? nil : Array(include.joined()), exclude: Array(exclude.joined()),
            types: Array(types.joined()), delimiter: delimiter, skipLines: skipLines, isStrict: skipping.strict,
            maxSkipped: skipping.maxSkipped)
    }

    private static func typeRule(_ text: String) throws -> ColumnTypeRule {
        let types = ColumnType.allCases.map(\.rawValue).joined(separator: ", ")
        return try required(ColumnTypeRule(text), text, "column:type with one of \(types)")
    }
}

/// The options of all commands that judge the number of skipped rows.
struct SkippingOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Refuse an input with more bad rows: N, or a share N% of its rows. Rows without coordinates don't count. \
            (default: 10%, and always one row)
            """, valueName: "limit"),
        transform: { try required(SkipLimit($0), $0, "a number of rows, such as 20, or a share, such as 5%") })
    var maxSkipped: SkipLimit?

    @Flag(help: "Refuse an input if any row would be skipped, for whatever reason.")
    var strict = false

    func validate() throws {
        let options = InputOptions(isStrict: strict, maxSkipped: maxSkipped)
        if let problem = options.problem { throw ValidationError(problem.withFlags) }
    }
}
