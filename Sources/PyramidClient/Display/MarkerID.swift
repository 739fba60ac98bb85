import PyramidTiles

/// What makes two markers of different tiles, zooms or builds the same.
public enum MarkerID: Hashable, Sendable {
    /// A cluster, by `Cluster.id`.
    case cluster(UInt64)
    /// A point that has an id.
    case point(PropertyValue)
    /// A point without one, by all that is known of it; equal ones are counted.
    case unnamed(Feature, repetition: Int)
}

extension Sequence<Marker> {
    /// The markers with their ids, in the same order; no id comes twice where the markers are of one zoom.
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
