import PyramidStore
import PyramidTiles

/// A whole tileset.
struct TilesetSink: PipelineSink {
    let writer: any TilesetWriter

    var files: any TilesetFileWriter { writer }

    func finish(_ built: consuming BuiltTiles) throws -> BuildReport {
        let metadata = built.metadata()
        return BuildReport(built, try writer.finish(metadata))
    }

    func abandon() { writer.abandon() }
}

extension BuildOptions {
    /// Throws `OutputError` if nothing can be built at the output path; touches nothing.
    func checkOutput() throws {
        if isArchive {
            try ArchiveTilesetWriter.check(path: outputPath, force: force)
        } else {
            try DirectoryTilesetWriter.check(path: outputPath, force: force, previewPage: previewPage)
        }
    }

    /// Opens the directory or the archive.
    func openOutput() throws -> any TilesetWriter {
        guard !isArchive else {
            return try ArchiveTilesetWriter(path: outputPath, force: force, jobs: jobs, syncs: syncs)
        }
        return try DirectoryTilesetWriter(
            path: outputPath, storage: storage, compressor: storage.compressorName(level: compressionLevel),
            force: force, syncs: syncs)
    }
}

/// The files beside the tiles.
extension BuiltTiles {
    /// Hands the list of files over.
    mutating func metadata() -> TilesetMetadata {
        let tiles = written.takeTileList()
        let bundles = written.bundleList(options.storage)
        return TilesetMetadata(
            tiles: tiles, bundles: bundles, leaves: options.clusters.hasLeaves ? LeafList(written.leaves) : nil,
            tileJSON: tileJSON(tiles, bundles), manifest: manifest, previewPage: options.build.previewPage)
    }

    /// The property names of markers, each with its type in TileJSON. Clients of GeoJSON see those of clusters in the tiles.
    private var fields: [String: String] {
        guard options.storage.format == .mvt else { return points.fields }
        var types = points.columns.propertyTypes
        func add(_ name: String, _ new: PropertyTypes) { types[name, default: []].formUnion(new) }
        if let name = options.idProperty { add(name, written.idTypes) }
        let hasClusters = options.clustering.mode == .markers
        if hasClusters {
            for name in Cluster.PropertyName.allCases where name != .clusterID { add(name.rawValue, name.types) }
        }
        for property in options.added where hasClusters || property.isOfPoints {
            add(property.name, property.types ?? content.columnTypes[property.name] ?? [])
        }
        return types.filter { !$0.value.isEmpty }.mapValues(\.fieldName)
    }

    private func tileJSON(_ tiles: TileList, _ bundles: BundleList?) -> TileJSON {
        let (clustering, storage) = (options.clustering, options.storage)
        var tileJSON = TileJSON(
            tileTemplate: storage.template, format: storage.format, tileSize: clustering.tileSize,
            minZoom: clustering.minZoom, maxZoom: clustering.maxZoom, bounds: facts.bounds,
            layer: storage.layer, fields: fields,
            bundles: index(of: bundles, tiles).map { TileJSON.Bundles($0, template: storage.bundleTemplate) },
            options: options.build.tileJSON)
        if !written.idTypes.isEmpty { tileJSON.idProperty = options.idProperty }
        return tileJSON
    }

    private func index(of bundles: BundleList?, _ tiles: TileList) -> BundleIndex? {
        guard let limit = options.storage.bundleLimit, let bundles else { return nil }
        return BundleIndex(
            limit: limit, bundles: bundles.entries.map(\.address.tile), tiles: tiles.entries.map(\.address))
    }

    private var manifest: Manifest {
        Manifest(
            generator: ProgramVersion.generator, options: options.written.clustering,
            content: .init(
                idColumn: options.build.input.idColumn, idProperty: options.idProperty,
                properties: points.propertyNames, clusters: options.written.clusters, storage: options.storage,
                compressionLevel: options.build.compressionLevel,
                compressor: options.storage.compressorName(level: options.build.compressionLevel)),
            input: .init(facts.report, digest: facts.report.digest.hexadecimal), totals: facts.totals,
            zooms: written.zooms)
    }
}

extension Cluster.PropertyName {
    fileprivate var types: PropertyTypes {
        switch self {
        case .cluster, .coincident: .boolean
        case .clusterID, .pointCount, .expansionZoom: .number
        case .pointCountAbbreviated: .text
        }
    }
}
