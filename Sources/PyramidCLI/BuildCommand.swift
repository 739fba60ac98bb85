import ArgumentParser
import PyramidBuild
import PyramidInput
import PyramidParts
import PyramidPlatform
import PyramidServer
import PyramidStore
import PyramidTiles

struct BuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Cluster points for every zoom of a web map and write them as tiles.",
        usage: "pyramid build [<options>] <input> ... <output>",
        discussion: """
            Examples:
              pyramid build cities.csv out --bundle 256 --preview
                writes few files, and index.html, a page that shows them on a map
              pyramid build shops.csv out --bundle 256 --id-column id --filter-by kind
                keeps the ids of points, and lets maps filter by kind
              pyramid build a.csv b.csv.gz out --cluster-distance 60 --max-zoom 14
                clusters two files together, with markers at least 60 pixels apart
              pyramid build cities.csv cities.pmtiles
                writes vector tiles in one file, a PMTiles archive

            Input is CSV with a header line, or GeoJSON: a FeatureCollection, an array of features, or one feature per \
            line. The format, the delimiter (, ; tab |) and gzip are recognised by content. Several inputs make one \
            tileset; their order doesn't matter. Columns with the same name become one.

            The output is a new or empty directory, or an earlier tileset, of which only changed files are written. If \
            a build is interrupted, `pyramid verify` says so and the next build repairs the output. If the output ends \
            in .pmtiles, it is a single file, a PMTiles archive, and is replaced as a whole at the end.

            Below are the options that most people need; `pyramid build --help-hidden` lists all of them.
            """)

    @Argument(
        help: ArgumentHelp(
            "One or more input files (- for standard input), then the output directory or archive.", valueName: "path"),
        completion: .file())
    var paths: [String]

    @OptionGroup(title: "Common options") var common: CommonOptionGroup
    @OptionGroup(title: "More input options", visibility: .lessCommon) var input: InputOptionGroup
    @OptionGroup(title: "More clustering options", visibility: .lessCommon) var clustering: ClusteringOptionGroup
    @OptionGroup(title: "More cluster properties", visibility: .lessCommon) var clusters: ClusterContentOptionGroup
    @OptionGroup(title: "Tiles and metadata", visibility: .lessCommon) var output: OutputOptionGroup
    @OptionGroup(title: "Preview page", visibility: .lessCommon) var page: PageOptionGroup
    @OptionGroup(title: "Building in parts", visibility: .lessCommon) var parts: PartOptionGroup
    @OptionGroup(title: "Running the build") var running: RunningOptionGroup

    func validate() throws {
        guard paths.count >= 2 else {
            let found = paths.first.map { "only \"\($0)\"" } ?? "nothing"
            throw ValidationError("expected at least one input and the output, found \(found)")
        }
        try page.require(preview: common.preview)
        let output = paths.last ?? ""
        if let end = output.lastIndex(where: { $0 != "/" }), output.hasSuffix("/"),
            ArchiveTilesetWriter.isArchive(String(output[...end]))
        {
            throw ValidationError(
                "found \"\(output)\", expected \"\(output[...end])\" for an archive, or another name for a directory")
        }
    }

    func run() throws {
        let leaflet = try common.preview ? page.localLeaflet() : nil
        let options = try options(leaflet)
        try requireInputs()
        let part = parts.worldPart.map { PartOptions(build: options, part: $0) }
        if part == nil { try requireOutput(options) }
        let problem = if let part { part.problem } else { options.problem }
        if let problem { throw ValidationError(problem.withFlags) }
        #if DEBUG
            if !running.quiet { Console.line(BuildCommand.debugNotice) }
        #endif
        try running.run(outputPath: options.outputPath) { progress in
            if let part {
                let report = try PartBuilder(options: part).build(progress: progress)
                return { PartSummary(report: report, duration: $0) }
            }
            var builder = PyramidBuilder(options: options)
            builder.partLimits = parts.limits
            let report = try builder.build(progress: progress)
            return { BuildSummary(report: report, duration: $0, hasLeaflet: leaflet != nil) }
        }
        if Console.isTerminal, !running.quiet, part == nil {
            Console.line("Next: pyramid serve \(ShellWord.path(options.outputPath))")
        }
    }

    /// An option's values that blanks separate would be taken for the last input and the output.
    private func requireInputs() throws {
        guard paths.count > 2, let missing = paths.dropLast().first(where: { !isInput($0) }) else { return }
        Console.error(
            "\(missing): no such input; \(ShellWord.path(paths.last ?? "")), the last path, is the output. Separate the values "
                + "of an option by commas, without blanks")
        throw Failure.inputMissing
    }

    /// An output that is a file is probably an input.
    private func requireOutput(_ options: BuildOptions) throws {
        var status = stat()
        guard options.storage.layout != .archive, stat(options.outputPath, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return }
        Console.error(
            "\(options.outputPath): is a file; the inputs come first, and last the output, a directory or an archive")
        throw Failure.outputUnusable
    }

    private func isInput(_ path: String) -> Bool {
        path == "-" || path.contains("://") || access(path, F_OK) == 0
    }

    func options(_ leaflet: LocalLeaflet?) throws -> BuildOptions {
        let storage = output.storage(outputPath: paths.last ?? "", bundleLimit: common.bundle)
        var options = BuildOptions(
            inputPaths: paths.dropLast(), outputPath: paths.last ?? "", input: input.options(common),
            clustering: clustering.options(common, storage.codec), clusters: try clusters.options(common),
            compressionLevel: output.compressionLevel)
        options.storage = storage
        if let path = parts.schema { try reportingErrors { options.schema = try PointSchema(path: path) } }
        if common.preview { options.previewPage = PreviewPage.html(leaflet: leaflet, basemap: page.basemapValue) }
        options.tileJSON = output.tileJSON
        options.force = running.force
        options.syncs = running.sync
        options.choosesMaxZoom = common.maxZoom.zoom == nil
        options.choosesClusterMaxZoom = clustering.clusterMaxzoom == nil
        if let jobs = running.jobs { options.jobs = jobs }
        if let memoryLimit = running.memoryLimit { options.memoryLimit = memoryLimit }
        return options
    }

    private static let debugNotice =
        "This is a debug build; `swift run -c release pyramid build ...` is about four times faster."
}
