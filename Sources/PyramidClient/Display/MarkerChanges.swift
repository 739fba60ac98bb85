import PyramidTiles

/// What becomes of the markers of a map when others take their places, after a zoom or a pan: which annotations to add,
/// to remove and to move, and from where to where to animate them.
///
/// ```swift
/// let changes = MarkerChanges(from: shown, to: visible)
/// for change in changes.removed { mapView.fadeOut(change.marker, towards: change.destination?.coordinate) }
/// for change in changes.added { mapView.fadeIn(change.marker, from: change.origin?.coordinate) }
/// ```
public struct MarkerChanges: Equatable, Sendable {
    /// A marker that was not shown.
    public struct Addition: Equatable, Sendable {
        public let marker: Marker
        /// The cluster that was shown and that the marker was part of; `nil` where it was not on the map before.
        public let origin: Marker?
    }

    /// A marker that is not shown any more.
    public struct Removal: Equatable, Sendable {
        public let marker: Marker
        /// The cluster that is shown now and that the marker is part of; `nil` where it has left the map.
        public let destination: Marker?
    }

    /// The same marker before and after.
    public struct Change: Equatable, Sendable {
        public let before: Marker
        public let after: Marker
    }

    /// In the order of the new markers.
    public private(set) var added: [Addition] = []
    /// In the order of the old markers.
    public private(set) var removed: [Removal] = []
    /// Same id, another place; in the order of the new markers.
    public private(set) var moved: [Change] = []
    /// Same id and place, but another count or other properties; in the order of the new markers.
    public private(set) var updated: [Change] = []
    /// Shown before and after just as they are.
    public private(set) var unchanged: [Marker] = []

    /// Compares two sets of markers, each of one zoom level.
    ///
    /// Which cluster a marker belongs to is exact between neighbouring zooms of a pyramid that was built with
    /// `--parents`, where that cluster is among the markers. Otherwise it is the nearest cluster of more points whose box
    /// holds the marker, which is a good guess for an animation and no more.
    ///
    /// O(n) to compare, and as many steps as there are added and removed markers times clusters to find where they come
    /// from and where they go.
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
        return candidates.min { squaredDistance($0.place, place) < squaredDistance($1.place, place) }
            .map { .cluster($0.cluster) }
    }

    private func squaredDistance(_ one: WorldPoint, _ other: WorldPoint) -> Double {
        let (east, south) = (Double(one.eastward(from: other)), Double(one.southward(from: other)))
        return east * east + south * south
    }
}

extension Marker {
    /// The id of the cluster that takes the marker in at the zoom above, where the pyramid was built with `--parents` and
    /// there is one.
    public var parentID: UInt64? {
        let properties =
            switch self {
            case .point(let feature): feature.properties
            case .cluster(let cluster): cluster.properties
            }
        guard case .number(let number) = properties[ClusterContentOptions.parentName] else { return nil }
        return UInt64(exactly: number)
    }

    /// The box around the points that the marker stands for.
    public var boundingBox: BoundingBox {
        switch self {
        case .point(let feature): BoundingBox(feature.coordinate)
        case .cluster(let cluster): cluster.boundingBox
        }
    }
}
