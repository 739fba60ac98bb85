/// A marker that stands for several points.
public struct Cluster: Hashable, Sendable {
    /// ``MortonCode/clusterID`` of the anchor: the same at every zoom, and after every rebuild, for as long as the anchor
    /// is the same point.
    public let id: UInt64
    public let coordinate: Coordinate
    /// The box around the members.
    public let boundingBox: BoundingBox
    /// How many points it stands for, at least 2.
    public let pointCount: Int
    /// The first zoom level at which the cluster comes apart.
    public let expansionZoom: Int
    /// What the cluster carries besides the names in ``PropertyName``.
    public let properties: [String: PropertyValue]

    /// Whether all members lie at one coordinate, so that no zoom takes them apart.
    public var isCoincident: Bool { boundingBox.isPoint }

    public init(
        id: UInt64, coordinate: Coordinate, boundingBox: BoundingBox, pointCount: Int, expansionZoom: Int,
        properties: [String: PropertyValue] = [:]
    ) {
        self.id = id
        self.coordinate = coordinate
        self.boundingBox = boundingBox
        self.pointCount = pointCount
        self.expansionZoom = expansionZoom
        self.properties = properties
    }

    /// The property names that mark a cluster, as clients know them from supercluster. No column of the input is ever
    /// written under one of them.
    public enum PropertyName: String, CaseIterable, Sendable {
        case cluster
        case clusterID = "cluster_id"
        case pointCount = "point_count"
        case pointCountAbbreviated = "point_count_abbreviated"
        case expansionZoom = "expansion_zoom"
        /// `true` where all members lie at one coordinate, so that no zoom takes them apart; else left out.
        case coincident
    }
}
