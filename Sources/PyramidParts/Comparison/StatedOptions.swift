import PyramidBuild
import PyramidInput
import PyramidTiles

extension BuildOptions {
    /// The options with which a tileset was built, as its metadata state them.
    /// - Parameters:
    ///   - tileJSON: states texts and the base URL.
    ///   - schema: with which the tileset was built; `nil` if there was none.
    ///   - outputPath: a path whose name fits the tileset's layout. Nothing is written there.
    /// - Throws: a usage error, which names `source`, if the manifest states options that no build accepts.
    init(
        stated manifest: Manifest, _ tileJSON: TileJSON, inputPaths: [String], schema: PointSchema?,
        outputPath: String, tilesetName: String
    ) throws(InputError) {
        let content = manifest.content
        guard var input = InputOptions(content.columns) else {
            throw InputError(.usage, in: tilesetName, "states options of the input that can't be read")
        }
        input.schema = schema
        self.init(
            inputPaths: inputPaths, outputPath: outputPath, input: input,
            clustering: manifest.options, clusters: content.clusters, compressionLevel: content.compressionLevel)
        storage = content.storage
        self.tileJSON = TileJSONOptions(
            name: tileJSON.name, description: tileJSON.description, attribution: tileJSON.attribution,
            baseURL: tileJSON.baseURL)
        if let problem { throw InputError(.usage, in: tilesetName, "states options that no build accepts: \(problem)") }
    }
}

extension InputOptions {
    /// The options that a manifest states; `nil` if any can't be read.
    fileprivate init?(_ columns: Manifest.InputColumns) {
        let types = (columns.types ?? []).map { ColumnTypeRule($0) }
        let order = columns.pointOrder.map { PointOrder(rawValue: $0) }
        guard !types.contains(nil), order != .some(nil) else { return nil }
        self.init(
            longitudeColumn: columns.longitude, latitudeColumn: columns.latitude, pointColumn: columns.point,
            pointOrder: order ?? nil, idColumn: columns.id, include: columns.include, exclude: columns.exclude ?? [],
            types: types.compactMap(\.self), delimiter: columns.delimiter, skipLines: columns.skipLines ?? 0)
    }
}
