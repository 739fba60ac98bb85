import ArgumentParser
import Foundation
import PyramidBuild
import PyramidServer
import PyramidTiles

extension MemoryLimit: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

struct BuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Reads points, clusters them for every zoom, writes the tiles and the metadata.",
        usage: "pyramid build [<options>] <input> ... <output>",
        discussion: """
            An input is CSV with a header line, or GeoJSON: a FeatureCollection, an array of Features, a Feature on each \
            line (NDJSON), or Features behind record separators. The format, the delimiter (, ; tab |), gzip and a byte \
            order mark are recognised by content. Several inputs make one pyramid, whatever their formats and their \
            order: columns of one name are one.

            The output is an empty directory, a new one, or a pyramid, of which only what changed is written. A build \
            that is stopped, by whatever, leaves an output that `verify` calls incomplete and the next build repairs.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files of points, at least one, or - for standard input; and last the directory to write to.",
            valueName: "path"))
    var paths: [String]

    @OptionGroup(title: "Clustering") var clustering: ClusteringOptionGroup
    @OptionGroup(title: "What clusters carry") var clusters: ClusterContentOptionGroup
    @OptionGroup(title: "Input") var input: InputOptionGroup

    @OptionGroup(title: "Output") var output: OutputOptionGroup

    @Flag(help: "Write index.html beside the tiles, a page that shows them on a map from any static host.")
    var preview = false

    @Option(help: ArgumentHelp("How many threads work at once. (default: all cores)", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Build into a directory that holds other files too, and leave these alone.")
    var force = false

    @Flag(
        inversion: .prefixedNo,
        help: "Wait until all is on the disk: then not even a power cut leaves a mixture that looks whole.")
    var sync = true

    @Option(
        help: ArgumentHelp(
            "How much memory the build may need: bytes as 800M or 4G, or none. (default: what the system has)",
            valueName: "size"))
    var memoryLimit: MemoryLimit?

    @Flag(help: "Print nothing but warnings and errors.")
    var quiet = false

    @Flag(help: "Print the summary as JSON on standard output.")
    var json = false

    func validate() throws {
        guard paths.count >= 2 else {
            let found = paths.first.map { "only \"\($0)\"" } ?? "nothing"
            throw ValidationError("expected at least one input and the output directory, found \(found)")
        }
        if let problem = options.problem { throw ValidationError(problem.withFlags) }
    }

    func run() throws {
        #if DEBUG
            if !quiet { Console.line(BuildCommand.debugNotice) }
        #endif
        Interruption.watch(outputPath: options.outputPath)
        try reportingErrors {
            let clock = ContinuousClock()
            let start = clock.now
            let line = quiet ? nil : ProgressLine()
            defer { line?.finish() }
            let report = try PyramidBuilder(options: options).build { line?.update($0) }
            line?.finish()
            for warning in report.warnings { Console.warning(warning.withFlags) }
            let summary = BuildSummary(report: report, duration: clock.now - start)
            if quiet { summary.warnOfSkippedRows() } else { Console.write(summary.text) }
            if json { try StandardOutput.line(try summary.json()) }
        }
    }

    private var options: BuildOptions {
        var options = BuildOptions(
            inputPaths: paths.dropLast(), outputPath: paths.last ?? "", input: input.options,
            clustering: clustering.options, clusters: clusters.options, compressionLevel: output.compressionLevel)
        options.storage = output.storage
        options.tileJSON = output.tileJSON
        options.force = force
        options.syncs = sync
        options.choosesMaxZoom = clustering.maxZoom.isAuto
        if preview { options.previewPage = PreviewPage.html(leaflet: .contentNetwork) }
        if let jobs { options.jobs = jobs }
        if let memoryLimit { options.memoryLimit = memoryLimit }
        return options
    }

    private static let debugNotice =
        "This is a debug build; `swift run -c release pyramid build ...` is about four times faster."
}
