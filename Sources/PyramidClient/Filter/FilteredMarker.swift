import PyramidTiles

/// A marker as a filter shows it, with the number of matching points.
public struct FilteredMarker: Hashable, Sendable {
    /// The marker to show: the marker itself if all its points match. Otherwise, at the same place, a cluster with the
    /// number of matching points or, if only one matches, a point, with its own id and properties if they are known.
    ///
    /// Such a cluster has no properties except the value of its group (`--group-by`), because the others describe all
    /// points.
    public let marker: Marker
    /// The marker without the filter.
    public let whole: Marker
    /// The number of matching points, at least 1. If it is unknown, the number of all points.
    public let count: Int
    /// Whether the number of matching points is known. If not, show it as "~12".
    public let isExact: Bool
    /// The matching points by combination of values; `nil` if they are unknown.
    private let facets: [FacetCount]?
    private let columns: [FacetColumn]

    /// The number of points, matching or not.
    public var total: Int { whole.pointCount }

    /// The number of matching points with each value of a column. A point with a set of values counts for each of them.
    /// - Returns: `nil` if it is unknown, or if the tileset can't be filtered by the column.
    public func counts(of column: String) -> [FacetValue: Int]? {
        guard let facets, let index = columns.firstIndex(where: { $0.name == column }) else { return nil }
        return facets.counts(ofColumn: index, in: columns)
    }

    /// - Parameter facets: the matching points by combination of values.
    init(_ whole: Marker, _ matching: MatchingPoints, facets: [FacetCount]?, _ matcher: FacetMatcher) {
        self.whole = whole
        isExact = matching.isExact
        count = matching.isExact ? matching.count : whole.pointCount
        self.facets = facets
        columns = matcher.columns
        guard case .cluster(let cluster) = whole, !isExact || count < whole.pointCount else {
            marker = whole
            return
        }
        let properties = cluster.properties.filter { $0.key == matcher.groupBy }
        let part: Marker
        if count > 1 {
            part = .cluster(
                Cluster(
                    id: cluster.id, coordinate: cluster.coordinate, boundingBox: matching.boundingBox,
                    pointCount: count,
                    expansionZoom: matching.expansionZoom, properties: properties))
        } else {
            part = .point(
                Feature(
                    id: matching.point?.id, coordinate: cluster.coordinate,
                    properties: matching.point?.properties ?? properties))
        }
        marker = part.with(parentID: whole.parentID)
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

extension [FilteredMarker] {
    /// Pairs each marker with its id, in the same order. Ids are unique among the markers of one zoom.
    func identified() -> [(id: MarkerID, marker: FilteredMarker)] {
        var repetitions: [Feature: Int] = [:]
        return map { marker in
            switch marker.marker {
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

extension Sequence<FacetCount> {
    /// The number of points with each value of a column.
    func counts(ofColumn index: Int, in columns: [FacetColumn]) -> [FacetValue: Int] {
        var counts: [FacetValue: Int] = [:]
        for facet in self {
            let combined = facet.values[index]
            if let set = columns[index].set(ofCombined: combined) {
                for value in set { counts[.value(value), default: 0] += facet.count }
            } else {
                counts[columns[index].value(ofCombined: combined), default: 0] += facet.count
            }
        }
        return counts
    }
}
