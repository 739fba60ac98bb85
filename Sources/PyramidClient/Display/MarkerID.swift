import PyramidTiles

/// Identifies a marker across tiles, zooms and builds.
public enum MarkerID: Hashable, Sendable {
    /// A cluster, by `Cluster.id`.
    case cluster(UInt64)
    /// A point that has an id.
    case point(PropertyValue)
    /// A point without an id, identified by everything known about it; equal points are numbered.
    case unnamed(Feature, repetition: Int)
}

extension Sequence<Marker> {
    /// The markers with their ids, in the same order. The ids are unique if the markers are of one zoom.
    public func identified() -> [(id: MarkerID, marker: Marker)] {
        var repetitions: [Feature: Int] = [:]
        return map { marker in
            switch marker {
            case .cluster(let cluster): return (.cluster(cluster.id), marker)
            case .point(let feature):
                if let id = feature.id { return (.point(id), marker) }
                let repetition = repetitions[feature, default: 0]
                repetitions[feature] = repetition + 1
                return (.unnamed(feature, repetition: repetition), marker)
            }
        }
    }
}
