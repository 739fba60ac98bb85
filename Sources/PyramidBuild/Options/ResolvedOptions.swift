import PyramidInput
import PyramidTiles

/// The options once the columns are known. Every stage after reading takes them.
package struct ResolvedOptions {
    /// They name the columns of clustering and clusters as the tiles do. Has the max zoom, as soon as it is chosen.
    package var build: BuildOptions
    /// In MVT tiles, the property for point ids that can't be feature ids: the id column's name or `id`, with
    /// underscores appended until the name is free. `nil` in GeoJSON tiles.
    let idProperty: String?

    package var clustering: ClusteringOptions { build.clustering }
    package var clusters: ClusterContentOptions { build.clusters }
    package var storage: TileStorage { build.storage }
    /// The properties that the options add to markers.
    package var added: [AddedProperty] { AddedProperty.all(clusters, clustering) }

    /// - Throws: a usage error if an option names a column that isn't there.
    package init(_ options: BuildOptions, of points: PointTable) throws(InputError) {
        build = options
        idProperty = options.storage.codec.holdsAnyValue ? nil : try options.idProperty(of: points)
        try build.clustering.name(columnsOf: points)
        try build.clusters.name(columnsOf: points)
        // Columns spelled differently can turn out to be one.
        if let problem = clusters.problem(adding: added) { throw InputError(.usage, in: points.inputs.name, problem) }
    }

    var encoding: EncodingOptions {
        EncodingOptions(
            countLabel: clusters.countLabel, idProperty: idProperty ?? "id", layer: storage.layer)
    }
}

extension ClusteringOptions {
    /// Calls the columns by their names in the tiles.
    fileprivate mutating func name(columnsOf points: PointTable) throws(InputError) {
        if let name = groupColumn { groupColumn = try points.outputName(of: name, .groupBy) }
        if let name = unclustered?.column { unclustered?.column = try points.outputName(of: name, .unclustered) }
        if let name = priorityColumn { priorityColumn = try points.outputName(of: name, .priority) }
        if let name = weightColumn { weightColumn = try points.outputName(of: name, .weight) }
    }
}

extension ClusterContentOptions {
    /// Calls the columns by their names in the tiles.
    fileprivate mutating func name(columnsOf points: PointTable) throws(InputError) {
        func name(_ column: inout String, _ option: OptionName) throws(InputError) {
            column = try points.outputName(of: column, option)
        }
        for index in properties.indices { try name(&properties[index], .clusterProperties) }
        for index in accumulate.indices { try name(&accumulate[index].name, .accumulateAttribute) }
        for index in countBy.indices { try name(&countBy[index].name, .countBy) }
        for index in filterBy.indices { try filterBy[index].resolve(points) }
        for index in memberProperties.indices { try name(&memberProperties[index], .memberProperties) }
    }
}

extension PointTable {
    fileprivate func outputName(of column: String, _ option: OptionName) throws(InputError) -> String {
        try self.column(named: column, option: option).outputName
    }
}

extension BuildOptions {
    /// How the inputs are read, with what follows from other options.
    package var readingOptions: InputOptions {
        var reading = input
        reading.comparedColumns =
            [clustering.groupColumn, clustering.unclustered?.column].compactMap(\.self)
            + clusters.countBy.map(\.name) + clusters.filterBy.flatMap { [$0.name, $0.wholeName].compactMap(\.self) }
        reading.reservedNames = Array(reservedNames)
        return reading
    }

    /// Names that columns can't have, because the program adds properties with these names.
    private var reservedNames: Set<String> {
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
