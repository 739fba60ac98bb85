import PyramidInput
import PyramidStore
import PyramidTiles

/// The files beside the tiles.
extension BuiltTiles {
    package func metadata() throws -> TilesetMetadata {
        let list = try written.files.finish()
        return TilesetMetadata(
            list: list, tileJSON: tileJSON(list), manifest: manifest, previewPage: options.build.previewPage)
    }

    /// The properties of markers, with their TileJSON types. GeoJSON tilesets list the properties of points only.
    private var fields: [String: String] {
        guard options.storage.codec.listsClusterFields else { return points.fields }
        var types = points.columns.propertyTypes
        func add(_ name: String, _ new: ValueKinds) { types[name, default: []].formUnion(new) }
        if let name = options.idProperty { add(name, written.idTypes) }
        let hasClusters = options.clustering.mode == .markers
        if hasClusters {
            for name in Cluster.PropertyName.allCases { add(name.rawValue, name.types) }
        }
        for property in options.added where hasClusters || property.isOfPoints {
            add(property.name, property.types ?? content.columnTypes[property.name] ?? [])
        }
        for name in flatCounts { add(name, .number) }
        return types.filter { !$0.value.isEmpty }.mapValues(\.fieldName)
    }

    /// The names of properties that count single values.
    private var flatCounts: [String] {
        let counted = zip(options.clusters.countBy, facts.totals.categories)
        let ofCounted = counted.flatMap { column, counts in
            // Clusters can list any value; a column of names would make the file as large as the input.
            counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(CategoryCount.limits.upperBound)
                .filter { !$0.key.isEmpty }.map { FlatCounts.name(column.name, $0.key) }
        }
        return ofCounted + (content.facets?.flat.names ?? [])
    }

    private var countedValues: [TileJSON.CountedValues] {
        zip(options.clusters.countBy, facts.totals.categories).map(TileJSON.CountedValues.init)
    }

    private func tileJSON(_ list: FileList) -> TileJSON {
        let storage = options.storage
        let index = storage.layout.bundleLimit.map { BundleIndex(limit: $0, files: list.entries.lazy.map(\.address)) }
        var tileJSON = TileJSON(
            options.clustering, storage, bounds: facts.bounds, fields: fields,
            bundles: index.map { TileJSON.Bundles($0, template: storage.template(of: .bundle)) },
            options: options.build.tileJSON)
        tileJSON.pointCount = facts.report.rowsAccepted
        tileJSON.clusterDistances = options.clustering.clusterDistances
        tileJSON.groupBy = options.clustering.groupColumn
        tileJSON.countBy = countedValues.isEmpty ? nil : countedValues
        tileJSON.facets = facts.facets
        if !written.idTypes.isEmpty { tileJSON.idProperty = options.idProperty }
        return tileJSON
    }

    private var manifest: Manifest {
        Manifest(
            generator: ProgramVersion.generator, options: options.clustering,
            content: .init(
                columns: options.build.input,
                renamed: Dictionary(facts.report.renamedColumns.map { ($0.to, $0.from) }) { first, _ in first },
                idProperty: options.idProperty, properties: points.propertyNames, clusters: options.clusters,
                storage: options.storage,
                compressionLevel: options.build.compressionLevel,
                compressor: options.storage.compressorName(level: options.build.compressionLevel)),
            input: .init(facts.report, digest: facts.report.digest.hexadecimal), totals: facts.totals,
            zooms: written.zooms)
    }
}

extension Cluster.PropertyName {
    fileprivate var types: ValueKinds {
        switch self {
        case .cluster, .coincident: .boolean
        case .clusterID, .pointCount, .expansionZoom: .number
        case .pointCountAbbreviated: .text
        }
    }
}
