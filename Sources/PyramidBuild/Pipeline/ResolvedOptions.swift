import PyramidTiles

/// The options of a tileset once its columns are known: nothing is left to be decided. Every stage after reading takes them.
struct ResolvedOptions {
    let build: BuildOptions
    /// With the max zoom.
    let clustering: ClusteringOptions
    let clusters: ClusterContentOptions
    let storage: TileStorage
    /// The property of points in MVT tiles for ids that are no ids of features: the id column's name, or `id`, with
    /// underscores until it is free; `nil` in GeoJSON tiles.
    let idProperty: String?
    /// The clustering and what clusters carry, with columns named as they are written.
    let written: (clustering: ClusteringOptions, clusters: ClusterContentOptions)
    /// What the options add to markers, named as it is written.
    let added: [AddedProperty]

    /// - Parameter maxZoom: as the data decide; `nil` if the options do.
    init(
        _ options: BuildOptions, maxZoom: Int?, _ content: ClusterContent, of points: PointTable
    ) throws(InputError) {
        build = options
        clustering = maxZoom.map { options.choosing(maxZoom: $0) }?.clustering ?? options.clustering
        clusters = options.clusters
        storage = options.storage
        written = (content.written(clustering), content.writtenOptions)
        added = AddedProperty.all(written.clusters, written.clustering, storage.mvtProperties)
        idProperty = storage.codec.holdsAnyValue ? nil : try options.idProperty(of: points)
    }

    var encoding: EncodingOptions {
        EncodingOptions(
            countLabel: clusters.countLabel, idProperty: idProperty ?? "id", mvtProperties: storage.mvtProperties,
            layer: storage.layer)
    }
}

extension BuildOptions {
    /// Names that columns can't have, because options add properties of these names.
    var reservedNames: Set<String> {
        let added = AddedProperty.all(clusters, clustering, storage.mvtProperties)
        return Set(Cluster.PropertyName.allCases.map(\.rawValue) + added.filter(\.hasFixedName).map(\.name))
    }

    fileprivate func idProperty(of points: PointTable) throws(InputError) -> String {
        var name = "id"
        if let column = input.idColumn { name = try points.column(named: column, option: .idColumn).outputName }
        let taken = reservedNames.union(points.propertyNames)
        while taken.contains(name) { name += "_" }
        return name
    }
}
