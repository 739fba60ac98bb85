/// A property that an option adds to markers, beside the columns of their rows and what every cluster has
/// (``Cluster/PropertyName``).
///
/// ``all(_:_:_:)`` is the one list of them: it says which names columns can't have, what TileJSON lists for vector tiles,
/// and what verification looks for.
public struct AddedProperty: Sendable {
    /// The option, with its place in a list of columns.
    public enum Source: Hashable, Sendable {
        case scale, leafPages, members, parent, facets, weight, group, unclustered
        case copied(Int), accumulated(Int), counted(Int)
        /// The number of points for which one of the mode `filter` stands.
        case keptCount
        case mvt(MVTProperty)
    }

    public let source: Source
    public let name: String
    /// What values can be; `nil` for those of the column that has the name.
    public let types: PropertyTypes?

    init(_ source: Source, _ name: String, _ types: PropertyTypes? = nil) {
        self.source = source
        self.name = name
        self.types = types
    }

    /// Whether the name is the program's rather than a column's or the user's.
    public var hasFixedName: Bool {
        switch source {
        case .group, .copied, .accumulated, .counted: false
        case .scale, .leafPages, .members, .parent, .facets, .weight, .unclustered, .keptCount, .mvt: true
        }
    }

    /// Whether points have it; else only clusters do.
    public var isOfPoints: Bool { [.unclustered, .parent, .keptCount].contains(source) }

    /// All that the options add to markers.
    public static func all(
        _ clusters: ClusterContentOptions, _ clustering: ClusteringOptions, _ mvtProperties: [MVTProperty] = []
    ) -> [AddedProperty] {
        var all: [AddedProperty] = []
        if clustering.weightColumn != nil {
            all.append(AddedProperty(.weight, ClusterContentOptions.weightName, .number))
        }
        if clustering.unclustered != nil {
            all.append(AddedProperty(.unclustered, ClusterContentOptions.unclusteredName, .boolean))
        }
        if let name = clustering.groupColumn { all.append(AddedProperty(.group, name)) }
        if clustering.keepsCount {
            all.append(AddedProperty(.keptCount, Cluster.PropertyName.pointCount.rawValue, .number))
        }
        return all + clusters.added
            + mvtProperties.map { AddedProperty(.mvt($0), $0.rawValue, $0 == .clusterID ? .number : .text) }
    }
}

extension ClusterContentOptions {
    /// What these options add.
    package var added: [AddedProperty] {
        var added: [AddedProperty] = []
        if hasScale { added.append(AddedProperty(.scale, ClusterContentOptions.scaleName, .number)) }
        if hasLeaves { added.append(AddedProperty(.leafPages, ClusterContentOptions.leafPagesName, .number)) }
        added += properties.enumerated().map { AddedProperty(.copied($0), $1) }
        added += accumulate.enumerated().map {
            AddedProperty(.accumulated($0), $1.property, $1.operation.isNumber ? .number : .text)
        }
        // Counts and lists are text where values can't be nested.
        added += countBy.enumerated().map { AddedProperty(.counted($0), $1.name, .text) }
        if memberLimit != nil { added.append(AddedProperty(.members, ClusterContentOptions.membersName, .text)) }
        if !filterBy.isEmpty { added.append(AddedProperty(.facets, ClusterContentOptions.facetsName, .text)) }
        if hasParents { added.append(AddedProperty(.parent, ClusterContentOptions.parentName, .number)) }
        return added
    }
}
