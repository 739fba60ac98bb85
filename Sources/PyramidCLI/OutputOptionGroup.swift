import ArgumentParser
import PyramidBuild
import PyramidTiles

extension TileStorage.Compression: ExpressibleByArgument {}
extension TileCodec: ExpressibleByArgument {}

struct OutputOptionGroup: ParsableArguments {
    @Option(help: ArgumentHelp("The name of the tileset, in tilejson.json.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("A description of the tileset, in tilejson.json.", valueName: "text"))
    var description: String?

    @Option(
        help: ArgumentHelp(
            "The credit that maps show, such as the data's source, as text or HTML, in tilejson.json.",
            valueName: "text"))
    var attribution: String?

    @Option(
        help: ArgumentHelp(
            "The URL at which the output will be published; makes the tile URLs in tilejson.json absolute.",
            valueName: "url"))
    var baseURL: String?

    @Option(
        help: ArgumentHelp(
            """
            geojson, or mvt: Mapbox Vector Tiles, which MapLibre and others read natively. (default: geojson; mvt for \
            an archive)
            """, valueName: "format"))
    var format: TileCodec?

    @Option(
        help: ArgumentHelp(
            "With --format mvt: the name of the layer (source-layer in styles).", valueName: "name"))
    var layer = TileStorage.defaultLayer

    @Option(
        help: ArgumentHelp(
            "The ending of tile names, such as .geojson or .json.gz. (default: .json; .mvt with --format mvt)",
            valueName: "suffix"))
    var tileSuffix: String?

    @Option(help: ArgumentHelp("gzip, or none if the host compresses.", valueName: "compression"))
    var compression = TileStorage().compression

    @Option(help: ArgumentHelp("Gzip level, from 1 (fast) to 9 (small).", valueName: "level"))
    var compressionLevel = BuildOptions.defaultCompressionLevel

    /// Archives are for clients that read vector tiles by default.
    func storage(outputPath: String, bundleLimit: Int?) -> TileStorage {
        let layout = TilesetLayout(outputPath: outputPath, bundleLimit: bundleLimit)
        var storage = TileStorage(
            codec: format ?? (TilesetLayout(outputPath: outputPath).isOneFile ? .mvt : .geojson), suffix: tileSuffix,
            compression: compression, layout: layout)
        storage.layer = layer
        return storage
    }

    var tileJSON: TileJSONOptions {
        TileJSONOptions(name: name, description: description, attribution: attribution, baseURL: baseURL)
    }
}
