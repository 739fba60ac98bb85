import ArgumentParser
import PyramidInput
import PyramidPlatform
import PyramidTiles

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "List the columns of GeoJSON files and their types, for building in parts.",
        usage: "pyramid schema [<options>] <input> ... > schema.json")

    @Argument(
        help: ArgumentHelp("One or more files of GeoJSON (- for standard input).", valueName: "path"),
        completion: .file())
    var paths: [String]

    @Option(
        help: ArgumentHelp("As for `pyramid build`: a column with a unique id for each point.", valueName: "column"))
    var idColumn: String?

    @OptionGroup var skipping: SkippingOptionGroup

    func run() throws {
        try reportingErrors {
            let options = InputOptions(
                idColumn: idColumn, isStrict: skipping.strict, maxSkipped: skipping.maxSkipped)
            let jobs = ProcessInfo.processInfo.activeProcessorCount
            let schema = try PointSchema(reading: paths, options: options, jobs: jobs)
            try StandardOutput.json(encoded: try schema.encoded())
        }
    }
}
