import PyramidInput
import PyramidTiles

/// The options once the columns are known and everything is decided. Every stage after reading takes them.
package struct ResolvedOptions {
    package let build: BuildOptions
    /// With the max zoom, given or chosen.
    package let clustering: ClusteringOptions
    package let clusters: ClusterContentOptions
    package let storage: TileStorage
    /// In MVT tiles, the property for point ids that can't be feature ids: the id column's name or `id`, with
    /// underscores appended until the name is free. `nil` in GeoJSON tiles.
    let idProperty: String?
    /// The same options with the columns' output names.
    package let stated: (clustering: ClusteringOptions, clusters: ClusterContentOptions)
    /// The properties that the options add to markers, with their output names.
    package let added: [AddedProperty]

    /// - Parameter maxZoom: the one chosen for the data; `nil` if the options state it.
    package init(
        _ options: BuildOptions, maxZoom: Int?, _ content: ClusterContent, of points: PointTable
    ) throws(InputError) {
        build = options
        clustering = maxZoom.map { options.choosing(maxZoom: $0) }?.clustering ?? options.clustering
        clusters = options.clusters
        storage = options.storage
        stated = (content.stated(clustering), content.statedOptions)
        added = AddedProperty.all(stated.clusters, stated.clustering)
        idProperty = storage.codec.holdsAnyValue ? nil : try options.idProperty(of: points)
    }

    var encoding: EncodingOptions {
        EncodingOptions(
            countLabel: clusters.countLabel, idProperty: idProperty ?? "id", layer: storage.layer)
    }
}

extension BuildOptions {
    /// How the inputs are read, with what other options compare.
    package var readingOptions: InputOptions {
        var reading = input
        reading.comparedColumns =
            [clustering.groupColumn, clustering.unclustered?.column].compactMap(\.self)
            + clusters.countBy.map(\.name) + clusters.filterBy.flatMap { [$0.name, $0.wholeName].compactMap(\.self) }
        return reading
    }

    /// Names that columns can't have, because the program adds properties with these names.
    package var reservedNames: Set<String> {
        let added = AddedProperty.all(clusters, clustering).filter(\.hasFixedName).map(\.name)
        // Readers take it for that of a marker, whatever the mode.
        return Set(Cluster.PropertyName.allCases.map(\.rawValue) + added + [Marker.parentName])
    }

    fileprivate func idProperty(of points: PointTable) throws(InputError) -> String {
        var name = "id"
        if let column = input.idColumn { name = try points.column(named: column, option: .idColumn).outputName }
        let taken = reservedNames.union(points.propertyNames)
        while taken.contains(name) { name += "_" }
        return name
    }
}
