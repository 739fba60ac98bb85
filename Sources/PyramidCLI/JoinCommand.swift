import ArgumentParser
import PyramidParts
import PyramidServer

struct JoinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join parts built with `pyramid build --part` into one tileset.",
        usage: "pyramid join [<options>] <part> ... <output>",
        discussion: """
            The tileset is byte for byte the one that a single build of all rows makes. All options come from the \
            parts. The output is a directory or, if it ends in .pmtiles, an archive. For an archive with vector tiles, \
            build the parts with --format mvt.

            Four parts, built one after the other; each needs memory for its own points only:
              pyramid schema points.ndjson > schema.json
              for tile in 1/0/0 1/1/0 1/0/1 1/1/1; do
                pyramid build points.ndjson part-${tile//\\//-} --schema schema.json \\
                  --part $tile --cut-zoom 6 --max-zoom 14
              done
              pyramid join part-1-* out

            `pyramid join --help-hidden` lists two more options: --jobs and --no-sync.
            """)

    @Argument(help: ArgumentHelp("The files of all parts, then the output.", valueName: "path"), completion: .file())
    var paths: [String]

    @Flag(help: "Also write index.html, a page that shows the tiles on a map, on any static host. See --leaflet.")
    var preview = false

    @OptionGroup var skipping: SkippingOptionGroup
    @OptionGroup var page: PageOptionGroup
    @OptionGroup var running: RunningOptionGroup

    func validate() throws {
        try page.require(preview: preview)
        guard paths.count >= 2 else {
            let found = paths.first.map { "only \"\($0)\"" } ?? "nothing"
            throw ValidationError("expected the files of all parts and the output, found \(found)")
        }
    }

    func run() throws {
        var options = JoinOptions(partPaths: paths.dropLast(), outputPath: paths.last ?? "")
        options.force = running.force
        options.syncs = running.sync
        (options.maxSkipped, options.isStrict) = (skipping.maxSkipped, skipping.strict)
        if let jobs = running.jobs { options.jobs = jobs }
        if let memoryLimit = running.memoryLimit { options.memoryLimit = memoryLimit }
        let leaflet = try preview ? page.localLeaflet() : nil
        if preview { options.previewPage = PreviewPage.html(leaflet: leaflet, basemap: page.basemapValue) }
        try running.run(outputPath: options.outputPath) { [options] progress in
            let report = try PartJoiner(options: options).join(progress: progress)
            return { BuildSummary(report: report, duration: $0, hasLeaflet: leaflet != nil) }
        }
    }
}
