import ArgumentParser
import PyramidBuild
import PyramidTiles

extension TileStorage.Compression: ExpressibleByArgument {}

struct OutputOptionGroup: ParsableArguments {
    @Option(help: ArgumentHelp("The name of the tileset in tilejson.json.", valueName: "text"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Text or HTML that maps show, such as the source of the data, in tilejson.json.", valueName: "text"))
    var attribution: String?

    @Option(
        help: ArgumentHelp(
            "The URL that the output will have; makes the tile URLs in tilejson.json absolute.", valueName: "url"))
    var baseURL: String?

    @Option(help: ArgumentHelp("The ending of tile names, such as .geojson or .json.gz.", valueName: "suffix"))
    var tileSuffix = TileStorage().suffix

    @Option(
        help: ArgumentHelp(
            "Store tiles with those below them in one file, if they show at most N markers together.", valueName: "N"))
    var bundle: Int?

    @Option(help: ArgumentHelp("none suits hosts that compress by themselves.", valueName: "compression"))
    var compression = TileStorage().compression

    @Option(help: ArgumentHelp("Level of gzip, from 1 (fast) to 9 (small).", valueName: "level"))
    var compressionLevel = BuildOptions.defaultCompressionLevel

    var storage: TileStorage {
        TileStorage(suffix: tileSuffix, compression: compression, bundleLimit: bundle)
    }

    var tileJSON: TileJSONOptions { TileJSONOptions(name: name, attribution: attribution, baseURL: baseURL) }
}
