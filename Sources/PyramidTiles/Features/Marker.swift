/// A marker in a tile: a point or a cluster.
public enum Marker: Hashable, Sendable {
    case point(Feature)
    case cluster(Cluster)

    public var coordinate: Coordinate {
        switch self {
        case .point(let feature): feature.coordinate
        case .cluster(let cluster): cluster.coordinate
        }
    }

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

    public init(id: PropertyValue? = nil, coordinate: Coordinate, properties: [String: PropertyValue] = [:]) {
        self.id = id
        self.coordinate = coordinate
        self.properties = properties
    }
}
