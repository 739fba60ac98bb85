/// A marker in a tile: a point or a cluster. Two are equal if they show the same, whatever their ``parentID``.
public enum Marker: Hashable, Sendable {
    case point(Feature)
    case cluster(Cluster)

    public var coordinate: Coordinate {
        switch self {
        case .point(let feature): feature.coordinate
        case .cluster(let cluster): cluster.coordinate
        }
    }

    /// The id of the cluster that holds the marker at the next lower zoom, if that is another one; in a bundle, at the
    /// zoom before the first at which the bundle shows the marker. `nil` if the marker itself stands there, if there is
    /// no such zoom, and in vector tiles and the mode `filter`, which state none.
    public var parentID: UInt64? {
        switch self {
        case .point(let feature): feature.parent.id
        case .cluster(let cluster): cluster.parent.id
        }
    }

    /// The property that states a marker's parent in a tile.
    public static let parentName = "parent"

    /// The number of points that the marker stands for.
    public var pointCount: Int {
        switch self {
        case .point: 1
        case .cluster(let cluster): cluster.pointCount
        }
    }
}

/// A marker that stands for several points.
public struct Cluster: Hashable, Sendable {
    /// ``MortonCode/clusterID`` of the anchor, or ``MortonCode/placeID`` for coincident points that are a cluster only
    /// at unclustered zooms. The same at every zoom, and after every rebuild with the same anchor.
    public let id: UInt64
    public let coordinate: Coordinate
    /// The box around the members.
    public let boundingBox: BoundingBox
    /// The number of points that it stands for, at least 2.
    public let pointCount: Int
    /// The lowest zoom at which the cluster splits; `nil` if it never does, because more points are at its place than
    /// the coincident limit.
    public let expansionZoom: Int?
    /// The cluster's properties, except those in ``PropertyName`` and ``facets``.
    public let properties: [String: PropertyValue]
    /// How many members have each combination of values in the columns by which clients filter; `nil` in a bundle that has
    /// all members, and in a tileset without such columns.
    public let facets: [FacetCount]?
    /// See ``Marker/parentID``.
    fileprivate var parent = StatedParent()

    /// Whether all members are drawn at one place, so no zoom separates them.
    public var isCoincident: Bool { boundingBox.isOnePlace }

    public init(
        id: UInt64, coordinate: Coordinate, boundingBox: BoundingBox, pointCount: Int, expansionZoom: Int?,
        properties: [String: PropertyValue] = [:], facets: [FacetCount]? = nil
    ) {
        self.id = id
        self.coordinate = coordinate
        self.boundingBox = boundingBox
        self.pointCount = pointCount
        self.expansionZoom = expansionZoom
        self.properties = properties
        self.facets = facets
    }

    /// The property names that mark a cluster, as in supercluster. Columns of the input never get these names.
    public enum PropertyName: String, CaseIterable, Sendable {
        case cluster
        case clusterID = "cluster_id"
        case pointCount = "point_count"
        case pointCountAbbreviated = "point_count_abbreviated"
        case expansionZoom = "expansion_zoom"
        /// `true` if all members are at one coordinate, so no zoom separates them; otherwise absent.
        case coincident
    }
}

/// A point of the input, as shown in a tile.
public struct Feature: Hashable, Sendable {
    /// The value of the id column, a string or a number; `nil` if the tileset has no ids.
    public let id: PropertyValue?
    public let coordinate: Coordinate
    /// The values of the input's columns. A CSV column has numbers or booleans if all its values are, otherwise
    /// strings. Empty cells are left out.
    public let properties: [String: PropertyValue]
    /// See ``Marker/parentID``.
    fileprivate var parent = StatedParent()

    public init(id: PropertyValue? = nil, coordinate: Coordinate, properties: [String: PropertyValue] = [:]) {
        self.id = id
        self.coordinate = coordinate
        self.properties = properties
    }
}

/// The parent of a marker. It differs between zooms, so it makes no marker another one: all are equal.
private struct StatedParent: Hashable {
    var id: UInt64?

    static func == (_: StatedParent, _: StatedParent) -> Bool { true }

    func hash(into _: inout Hasher) {}
}

extension Marker {
    /// The same marker with another ``parentID``.
    package func with(parentID: UInt64?) -> Marker {
        switch self {
        case .point(var feature):
            feature.parent.id = parentID
            return .point(feature)
        case .cluster(var cluster):
            cluster.parent.id = parentID
            return .cluster(cluster)
        }
    }

    package var properties: [String: PropertyValue] {
        switch self {
        case .point(let feature): feature.properties
        case .cluster(let cluster): cluster.properties
        }
    }

    /// The same marker with the parent that its properties state, as in tiles.
    package func withParentOfProperties() -> Marker {
        guard case .number(let number) = properties[Marker.parentName] else { return self }
        var properties = properties
        properties[Marker.parentName] = nil
        let marker: Marker =
            switch self {
            case .point(let point):
                .point(Feature(id: point.id, coordinate: point.coordinate, properties: properties))
            case .cluster(let cluster):
                .cluster(
                    Cluster(
                        id: cluster.id, coordinate: cluster.coordinate, boundingBox: cluster.boundingBox,
                        pointCount: cluster.pointCount, expansionZoom: cluster.expansionZoom, properties: properties,
                        facets: cluster.facets))
            }
        return marker.with(parentID: UInt64(exactly: number))
    }
}

/// How many points of a cluster have a combination of values in the columns by which clients filter.
public struct FacetCount: Hashable, Sendable {
    /// One value per column: `null` for no value, an array of two limits for a range, and an array of values for a set.
    public let values: [PropertyValue]
    public let count: Int

    public init(values: [PropertyValue], count: Int) {
        self.values = values
        self.count = count
    }
}
