import PyramidTiles

/// The records of a tile or a bundle under a filter.
///
/// The matching points of a cluster are counted from the points in the file if all of its points are there, and otherwise
/// from the cluster's own facets.
struct FilteredFile: Sendable {
    private let records: [BundleRecord]
    /// By record; `nil` where no point matches.
    private let markers: [FilteredMarker?]

    init(_ records: [BundleRecord], _ matcher: FacetMatcher) {
        var table = CombinationTable()
        var matching = records.map { MatchingPoints(boundingBox: $0.marker.boundingBox) }
        var markers = [FilteredMarker?](repeating: nil, count: records.count)
        // The members of a cluster are shown at higher zooms than the cluster, and so are counted before it.
        for index in records.indices.sorted(by: { records[$0].zooms.lowerBound > records[$1].zooms.lowerBound }) {
            let (zooms, marker) = (records[index].zooms, records[index].marker)
            switch marker {
            case .point(let point): matching[index].count(point, matcher, &table)
            case .cluster(let cluster): matching[index].finish(cluster, after: zooms.upperBound, matcher, &table)
            }
            let found = matching[index]
            if found.count > 0 || !found.isExact {
                markers[index] = FilteredMarker(
                    marker, found, facets: found.facets.map { table.facets($0) }, matcher)
            }
            if let parent = records[index].parentIndex { matching[parent].add(found, of: marker) }
        }
        self.records = records
        self.markers = markers
    }

    /// The markers that match, of those that the file shows in a tile.
    /// - Parameter bundle: whether the file holds other tiles too.
    func markers(in tile: TileCoordinate, ofBundle isBundle: Bool) -> [FilteredMarker] {
        zip(records, markers).compactMap { record, marker in
            marker.flatMap { isBundle && !record.isShown(in: tile) ? nil : $0 }
        }
    }
}
