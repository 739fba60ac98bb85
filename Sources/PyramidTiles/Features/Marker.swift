/// What a tile shows at one place: a point by itself or a cluster.
public enum Marker: Hashable, Sendable {
    case point(Feature)
    case cluster(Cluster)

    public var coordinate: Coordinate {
        switch self {
        case .point(let feature): feature.coordinate
        case .cluster(let cluster): cluster.coordinate
        }
    }

    /// How many points the marker stands for.
    public var pointCount: Int {
        switch self {
        case .point: 1
        case .cluster(let cluster): cluster.pointCount
        }
    }
}
