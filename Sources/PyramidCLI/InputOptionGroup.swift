import ArgumentParser
import PyramidBuild

struct InputOptionGroup: ParsableArguments {
    @Option(help: ArgumentHelp("The column of degrees east in CSV. (default: found by its name)", valueName: "column"))
    var longitudeColumn: String?

    @Option(help: ArgumentHelp("The column of degrees north in CSV. (default: found by its name)", valueName: "column"))
    var latitudeColumn: String?

    @Option(
        help: ArgumentHelp(
            "The column of the points' ids, each different. (default: the ids of GeoJSON features, none in CSV)",
            valueName: "column"))
    var idColumn: String?

    @Option(
        help: ArgumentHelp(
            "Write only these columns as properties. (default: all but the coordinates and the id)",
            valueName: "columns"),
        transform: columnNames)
    var include: [String]?

    @Option(
        help: ArgumentHelp("Don't write these columns; names separated by commas.", valueName: "columns"),
        transform: columnNames)
    var exclude: [String] = []

    @Flag(help: "Stop at the first bad row, before anything is written.")
    var strict = false

    var options: InputOptions {
        InputOptions(
            longitudeColumn: longitudeColumn, latitudeColumn: latitudeColumn, idColumn: idColumn, include: include,
            exclude: exclude, isStrict: strict)
    }

    static func columnNames(_ list: String) -> [String] {
        list.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
    }
}
