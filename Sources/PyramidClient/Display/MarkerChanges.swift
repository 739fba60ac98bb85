import PyramidTiles

/// The changes between the markers of a map before and after a zoom, a pan or another filter: which annotations to add, remove
/// and update, and the places to animate them from and to.
///
/// ```swift
/// for change in changes.removed { mapView.fadeOut(change.id, towards: change.destination?.marker.coordinate) }
/// for change in changes.added { mapView.fadeIn(change.id, from: change.origin?.marker.coordinate) }
/// ```
public struct MarkerChanges: Equatable, Sendable {
    /// A marker that wasn't shown before.
    public struct Addition: Equatable, Sendable {
        public let id: MarkerID
        public let marker: FilteredMarker
        /// The previously shown cluster that the marker was part of; `nil` if the marker wasn't on the map before.
        public let origin: FilteredMarker?
    }

    /// A marker that is no longer shown.
    public struct Removal: Equatable, Sendable {
        public let id: MarkerID
        /// The newly shown cluster that the marker is now part of; `nil` if the marker has left the map.
        public let destination: FilteredMarker?
    }

    /// A marker with another place, count or other properties than before.
    public struct Update: Equatable, Sendable {
        public let id: MarkerID
        public let marker: FilteredMarker
    }

    /// The markers to add, in the order of the new markers.
    public private(set) var added: [Addition] = []
    /// The markers to remove, in the order of the old markers.
    public private(set) var removed: [Removal] = []
    /// The markers to move or to redraw, in the order of the new markers.
    public private(set) var updated: [Update] = []

    /// Compares two sets of markers, each of one zoom level.
    ///
    /// Between neighbouring zooms, a marker's cluster is exact if the marker states it and it is among the markers. Otherwise, as
    /// in vector tiles, it is a guess, good enough for an animation: the nearest cluster with more points whose box contains the
    /// marker.
    /// - Parameter isOneZoom: whether both are of the same zoom, where no cluster contains another marker.
    /// - Complexity: O(n + m × c) for n markers, of which m are added or removed, and c clusters.
    init(from old: [FilteredMarker], to new: [FilteredMarker], isOneZoom: Bool) {
        let (before, after) = (old.identified(), new.identified())
        let oldByID = Dictionary(before) { first, _ in first }
        let newIDs = Set(after.map(\.id))
        let (oldClusters, newClusters) = (ClusterSearch(isOneZoom ? [] : old), ClusterSearch(isOneZoom ? [] : new))
        for (id, marker) in after {
            if let earlier = oldByID[id] {
                if earlier != marker { updated.append(Update(id: id, marker: marker)) }
            } else {
                added.append(Addition(id: id, marker: marker, origin: oldClusters.cluster(around: marker)))
            }
        }
        for (id, marker) in before where !newIDs.contains(id) {
            removed.append(Removal(id: id, destination: newClusters.cluster(around: marker)))
        }
    }
}

/// Finds the cluster that a marker of another zoom is part of. A filter may leave the same points of both, or one point of
/// the cluster, so clusters are compared as they are without it.
private struct ClusterSearch {
    private var byID: [UInt64: FilteredMarker] = [:]
    private var clusters: [(marker: FilteredMarker, place: WorldPoint)] = []

    init(_ markers: [FilteredMarker]) {
        for marker in markers {
            guard case .cluster(let cluster) = marker.whole else { continue }
            byID[cluster.id] = marker
            clusters.append((marker, WebMercator.project(cluster.coordinate)))
        }
    }

    func cluster(around marker: FilteredMarker) -> FilteredMarker? {
        if let parent = marker.whole.parentID, let cluster = byID[parent], cluster.total > marker.total {
            return cluster
        }
        let (place, box) = (WebMercator.project(marker.whole.coordinate), marker.whole.boundingBox)
        let candidates = clusters.lazy.filter {
            $0.marker.total > marker.total && $0.marker.whole.boundingBox.contains(box)
        }
        return candidates.min { $0.place.squaredDistance(to: place) < $1.place.squaredDistance(to: place) }?.marker
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
