import ArgumentParser
import PyramidBuild
import PyramidTiles

extension TileStorage.Compression: ExpressibleByArgument {}

struct OutputOptionGroup: ParsableArguments {
    @Option(help: ArgumentHelp("What ends the tiles' names, such as .geojson or .json.gz.", valueName: "suffix"))
    var tileSuffix = TileStorage().suffix

    @Option(help: ArgumentHelp("none is for hosts that compress by themselves.", valueName: "gzip|none"))
    var compression = TileStorage().compression

    @Option(help: ArgumentHelp("gzip level of the tiles, 1 (fast) to 9 (small).", valueName: "1-9"))
    var compressionLevel = BuildOptions.defaultCompressionLevel

    @Option(
        help: ArgumentHelp(
            "Where the output directory will be found; makes the tiles' URLs in tilejson.json absolute.",
            valueName: "url"))
    var baseURL: String?

    @Option(help: ArgumentHelp("What tilejson.json calls the pyramid.", valueName: "text"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Text or HTML that clients show on the map, in tilejson.json; such as the source of the data.",
            valueName: "text"))
    var attribution: String?

    var storage: TileStorage { TileStorage(suffix: tileSuffix, compression: compression) }

    var tileJSON: TileJSONOptions { TileJSONOptions(name: name, attribution: attribution, baseURL: baseURL) }
}
