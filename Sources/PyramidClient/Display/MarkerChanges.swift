import PyramidTiles

/// The changes between the markers of a map before and after a zoom or a pan: which annotations to add, remove and
/// move, and the places to animate them from and to.
///
/// ```swift
/// let changes = MarkerChanges(from: shown, to: visible)
/// for change in changes.removed { mapView.fadeOut(change.marker, towards: change.destination?.coordinate) }
/// for change in changes.added { mapView.fadeIn(change.marker, from: change.origin?.coordinate) }
/// ```
public struct MarkerChanges: Equatable, Sendable {
    /// A marker that wasn't shown before.
    public struct Addition: Equatable, Sendable {
        public let marker: Marker
        /// The previously shown cluster that the marker was part of; `nil` if the marker wasn't on the map before.
        public let origin: Marker?
    }

    /// A marker that is no longer shown.
    public struct Removal: Equatable, Sendable {
        public let marker: Marker
        /// The newly shown cluster that the marker is now part of; `nil` if the marker has left the map.
        public let destination: Marker?
    }

    /// A marker before and after a change.
    public struct Change: Equatable, Sendable {
        public let before: Marker
        public let after: Marker
    }

    /// The markers to add, in the order of the new markers.
    public private(set) var added: [Addition] = []
    /// The markers to remove, in the order of the old markers.
    public private(set) var removed: [Removal] = []
    /// The markers to move: same id, different place. In the order of the new markers.
    public private(set) var moved: [Change] = []
    /// The markers to redraw in place: same id, but a different count or other properties. In the order of the new
    /// markers.
    public private(set) var updated: [Change] = []
    /// The markers that stay as they are.
    public private(set) var unchanged: [Marker] = []

    /// Compares two sets of markers, each of one zoom level.
    ///
    /// Between neighbouring zooms of a tileset with bundles, or built with `--parents`, a marker's cluster is exact if it is
    /// among the markers. Otherwise it is a guess, good enough for an animation: the nearest cluster with more points whose box
    /// contains the marker.
    /// - Complexity: O(n + m × c) for n markers, of which m are added or removed, and c clusters.
    public init(from old: some Sequence<Marker>, to new: some Sequence<Marker>) {
        let (before, after) = (old.identified(), new.identified())
        let oldByID = Dictionary(before) { first, _ in first }
        let newByID = Dictionary(after) { first, _ in first }
        let (oldClusters, newClusters) = (ClusterSearch(oldByID, before), ClusterSearch(newByID, after))
        for (id, marker) in after {
            guard let earlier = oldByID[id] else {
                added.append(Addition(marker: marker, origin: oldClusters.cluster(around: marker)))
                continue
            }
            if earlier == marker {
                unchanged.append(marker)
            } else if earlier.coordinate == marker.coordinate {
                updated.append(Change(before: earlier, after: marker))
            } else {
                moved.append(Change(before: earlier, after: marker))
            }
        }
        for (id, marker) in before where newByID[id] == nil {
            removed.append(Removal(marker: marker, destination: newClusters.cluster(around: marker)))
        }
    }
}

/// Finds the cluster that a marker of another zoom is part of.
private struct ClusterSearch {
    private let byID: [MarkerID: Marker]
    private let clusters: [(cluster: Cluster, place: WorldPoint)]

    init(_ byID: [MarkerID: Marker], _ markers: [(id: MarkerID, marker: Marker)]) {
        self.byID = byID
        clusters = markers.compactMap {
            if case .cluster(let cluster) = $0.marker {
                (cluster, WebMercator.project(cluster.coordinate))
            } else {
                nil
            }
        }
    }

    func cluster(around marker: Marker) -> Marker? {
        if let parent = marker.parentID, let cluster = byID[.cluster(parent)], cluster.pointCount > marker.pointCount {
            return cluster
        }
        let place = WebMercator.project(marker.coordinate)
        let candidates = clusters.lazy.filter {
            $0.cluster.pointCount > marker.pointCount && $0.cluster.boundingBox.contains(marker.boundingBox)
        }
        return candidates.min { $0.place.squaredDistance(to: place) < $1.place.squaredDistance(to: place) }
            .map { .cluster($0.cluster) }
    }
}

extension WorldPoint {
    func squaredDistance(to other: WorldPoint) -> Double {
        let (east, south) = (Double(eastward(from: other)), Double(southward(from: other)))
        return east * east + south * south
    }
}

extension Marker {
    /// The box around the points that the marker stands for.
    public var boundingBox: BoundingBox {
        switch self {
        case .point(let feature): BoundingBox(feature.coordinate)
        case .cluster(let cluster): cluster.boundingBox
        }
    }
}

/// Identifies a marker across tiles, zooms and builds.
public enum MarkerID: Hashable, Sendable {
    /// A cluster, by `Cluster.id`.
    case cluster(UInt64)
    /// A point that has an id.
    case point(PropertyValue)
    /// A point without an id, identified by its coordinate and properties; equal points are numbered.
    case unnamed(Feature, repetition: Int)
}

extension Sequence<Marker> {
    /// Pairs each marker with its id, in the same order. Ids are unique among the markers of one zoom.
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
