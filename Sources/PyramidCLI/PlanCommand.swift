import ArgumentParser
import PyramidBuild
import PyramidInput
import PyramidParts
import PyramidTiles

struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Plan the parts of a tileset from counts of rows, for schedulers.",
        usage: "pyramid plan [<options>] [< counts]",
        discussion: """
            Prints JSON, in three steps with the same options as for `pyramid build`, all listed by --help-hidden:
              pyramid plan --max-zoom 14
                lists the zooms at which to count the tiles that have rows
              pyramid plan --max-zoom 14 --occupied-tiles 11:52000,12:180000
                chooses the cut zoom, and the zoom of the tiles in which to count rows
              pyramid plan --max-zoom 14 --cut-zoom 9 < counts
                reads a line for each such tile, as in "7/66/42 1234", and lists the parts

            A part needs the rows in its tile, and all others that are at most halo_units east, west, north or south of \
            it, also across the antimeridian. The world is 2^32 units wide and high, in Web Mercator.
            """)

    @Option(
        help: ArgumentHelp(
            "How many tiles have rows, at the zooms that the first step lists; estimates will do.",
            valueName: "zoom:count"),
        transform: { try CommaSeparated.values($0, occupiedTiles) })
    var occupiedTiles: [[(zoom: Int, count: Int)]] = []

    @Option(help: ArgumentHelp("About the most markers that `pyramid join` should get.", valueName: "n"))
    var joinMarkers = PartPlan.defaultJoinMarkers

    @Option(
        name: .customLong("cut-zoom"),
        help: ArgumentHelp("The last zoom that `pyramid join` makes: list the parts for it.", valueName: "zoom"))
    var cutZoom: Int?

    @Option(help: ArgumentHelp("The most rows that a part should read, with those around it.", valueName: "n"))
    var rowsPerPart = PartPlan.defaultRowsPerPart

    @OptionGroup(title: "Common options") var common: CommonOptionGroup
    @OptionGroup(title: "More input options", visibility: .lessCommon) var input: InputOptionGroup
    @OptionGroup(title: "More clustering options", visibility: .lessCommon) var clustering: ClusteringOptionGroup
    @OptionGroup(title: "More cluster properties", visibility: .lessCommon) var clusters: ClusterContentOptionGroup
    @OptionGroup(title: "Tiles and metadata", visibility: .lessCommon) var output: OutputOptionGroup

    func validate() throws {
        for (option, value) in [("--join-markers", joinMarkers), ("--rows-per-part", rowsPerPart)] where value < 1 {
            throw ValidationError("\(option) is \(value), expected 1 or more")
        }
    }

    func run() throws {
        let storage = output.storage(outputPath: "", bundleLimit: common.bundle)
        var options = BuildOptions(
            inputPaths: ["-"], outputPath: "part", input: input.options(common),
            clustering: clustering.options(common, storage.codec), clusters: try clusters.options(common),
            compressionLevel: output.compressionLevel)
        options.storage = storage
        options.choosesMaxZoom = common.maxZoom.zoom == nil
        if let problem = options.planProblem(cutZoom: cutZoom) { throw ValidationError(problem.withFlags) }
        if let cutZoom {
            try printParts(options, cutZoom: cutZoom)
        } else {
            try printCutZoom(options.clustering)
        }
    }

    /// The first two steps.
    private func printCutZoom(_ clustering: ClusteringOptions) throws {
        let known = Dictionary(occupiedTiles.joined().map { ($0.zoom, $0.count) }) { max($0, $1) }
        let needed = clustering.countedDepths(joinMarkers: joinMarkers)
        guard needed.allSatisfy({ known[$0] != nil }) else {
            return try StandardOutput.json(["count_occupied_tiles_at": needed])
        }
        let cutZoom = clustering.cutZoom(occupiedCells: { known[$0] ?? 0 }, joinMarkers: joinMarkers)
        try StandardOutput.json(["cut_zoom": cutZoom, "count_rows_at": clustering.countingZoom(cutZoom: cutZoom)])
    }

    /// The last step.
    private func printParts(_ options: BuildOptions, cutZoom: Int) throws {
        try reportingErrors {
            let clustering = options.clustering
            let cells = try CellCounts(
                reading: try InputBytes(path: "-"), atZoom: clustering.countingZoom(cutZoom: cutZoom))
            let plan = PartPlan(cells: cells, clustering: clustering, cutZoom: cutZoom, rowsPerPart: rowsPerPart)
            let parts = plan.parts.map { part in
                Content.Part(
                    tile: part.tile, rows: part.rows, rowsWithHalo: part.rowsWithHalo,
                    memoryBytes: options.partMemoryBytes(rows: part.rowsWithHalo))
            }
            try StandardOutput.json(Content(cutZoom: plan.cutZoom, haloUnits: plan.haloUnits, parts: parts))
        }
    }

    private struct Content: Encodable {
        struct Part: Encodable {
            let tile: TileCoordinate
            let rows, rowsWithHalo, memoryBytes: Int
        }
        let cutZoom: Int
        let haloUnits: UInt64
        let parts: [Part]
    }

    private static func occupiedTiles(_ text: String) throws -> (zoom: Int, count: Int) {
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let zoom = numbers[0], let count = numbers[1], count >= 0 else {
            throw ValidationError("found \"\(text)\", expected zoom:count, such as 11:52000")
        }
        return (zoom, count)
    }
}
