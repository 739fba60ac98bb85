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
        let named = content.columns.named ?? [:]
        guard var input = InputOptions(content.columns) else {
            throw InputError(.usage, in: tilesetName, "states options of the input that can't be read")
        }
        input.schema = schema
        self.init(
            inputPaths: inputPaths, outputPath: outputPath, input: input,
            clustering: manifest.options.naming(columns: named), clusters: content.clusters.naming(columns: named),
            compressionLevel: content.compressionLevel)
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

extension ClusteringOptions {
    /// The options with the input's names of columns.
    /// - Parameter names: by the names that the manifest has.
    fileprivate func naming(columns names: [String: String]) -> ClusteringOptions {
        var options = self
        options.groupColumn = groupColumn.map { names[$0] ?? $0 }
        options.weightColumn = weightColumn.map { names[$0] ?? $0 }
        return options
    }
}

extension ClusterContentOptions {
    /// The options with the input's names of columns.
    /// - Parameter names: by the names that the manifest has.
    fileprivate func naming(columns names: [String: String]) -> ClusterContentOptions {
        let name = { (column: String) in names[column] ?? column }
        var options = self
        options.properties = properties.map(name)
        options.memberProperties = memberProperties.map(name)
        for index in accumulate.indices { options.accumulate[index].name = name(accumulate[index].name) }
        for index in countBy.indices { options.countBy[index].name = name(countBy[index].name) }
        for index in filterBy.indices { options.filterBy[index].name = name(filterBy[index].name) }
        return options
    }
}
