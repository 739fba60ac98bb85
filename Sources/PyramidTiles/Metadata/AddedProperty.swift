/// A property that an option adds to markers. Points also have the columns of their rows, and clusters the properties
/// in ``Cluster/PropertyName``.
///
/// ``all(_:_:)`` is the only list of added properties: names that columns can't have, fields in the TileJSON of
/// vector tiles, and properties that are verified all follow from it.
public struct AddedProperty: Sendable {
    /// The option that adds the property, with its index if the option lists columns.
    public enum Option: Hashable, Sendable {
        case members, parent, facets, weight, group, unclustered
        case copied(Int), accumulated(Int), counted(Int)
        /// In the mode `filter`, the number of points that a point stands for.
        case keptCount
    }

    public let option: Option
    public let name: String
    /// The types of its values; `nil` for those of the column with the same name.
    public let types: ValueKinds?

    init(_ option: Option, _ name: String, _ types: ValueKinds? = nil) {
        self.option = option
        self.name = name
        self.types = types
    }

    /// Whether the program chose the name, rather than taking it from a column or the user.
    public var hasFixedName: Bool {
        switch option {
        case .group, .copied, .accumulated, .counted: false
        case .members, .parent, .facets, .weight, .unclustered, .keptCount: true
        }
    }

    /// Whether points can have the property; the others are only for clusters.
    public var isOfPoints: Bool { [.unclustered, .parent, .keptCount].contains(option) }

    /// All properties that the options add.
    public static func all(
        _ clusters: ClusterContentOptions, _ clustering: ClusteringOptions
    ) -> [AddedProperty] {
        var all: [AddedProperty] = []
        if clustering.weightColumn != nil {
            all.append(AddedProperty(.weight, ClusterContentOptions.weightName, .number))
        }
        if clustering.unclustered != nil {
            all.append(AddedProperty(.unclustered, ClusterContentOptions.unclusteredName, .boolean))
        }
        if clustering.mode == .markers {
            all.append(AddedProperty(.parent, Marker.parentName, .number))
        }
        if let name = clustering.groupColumn { all.append(AddedProperty(.group, name)) }
        if clustering.mode == .filter {
            all.append(AddedProperty(.keptCount, Cluster.PropertyName.pointCount.rawValue, .number))
        }
        return all + clusters.added
    }
}

extension ClusterContentOptions {
    /// The properties that these options add.
    package var added: [AddedProperty] {
        var added: [AddedProperty] = []
        added += properties.enumerated().map { AddedProperty(.copied($0), $1) }
        added += accumulate.enumerated().map {
            AddedProperty(.accumulated($0), $1.property, $1.operation.isNumber ? .number : .text)
        }
        // Counts and lists are JSON text in codecs without nested values.
        added += countBy.enumerated().map { AddedProperty(.counted($0), $1.name, .text) }
        if memberLimit != nil { added.append(AddedProperty(.members, ClusterContentOptions.membersName, .text)) }
        if !filterBy.isEmpty { added.append(AddedProperty(.facets, ClusterContentOptions.facetsName, .text)) }
        return added
    }
}
