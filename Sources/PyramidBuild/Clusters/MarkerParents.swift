import PyramidTiles

/// Finds the cluster of any marker at any lower zoom. Keeps the hierarchy and a byte for each candidate.
struct MarkerParents: Sendable {
    private let hierarchy: ClusterHierarchy
    private let clusters: PyramidClusters
    /// By candidate: the highest zoom at which its cluster has enough points to be written; -1 if it never has.
    private var writtenFrom: [Int8]
    /// The clustered zooms.
    private let zooms: ClosedRange<Int>

    /// `nil` if no zoom is clustered.
    init?(_ hierarchy: ClusterHierarchy, _ clusters: PyramidClusters, _ rules: ClusteringRules) {
        guard rules.firstZoom < rules.firstUnclusteredZoom else { return nil }
        self.hierarchy = hierarchy
        self.clusters = clusters
        zooms = rules.firstZoom...rules.firstUnclusteredZoom - 1
        writtenFrom = [Int8](repeating: -1, count: hierarchy.candidateCount)
        for zoom in (rules.firstZoom...rules.firstUnclusteredZoom).reversed() {
            for index in clusters.table.entries(from: zoom) {
                let entry = clusters.table.entries[index]
                let candidate = Int(entry.candidate)
                guard writtenFrom[candidate] < 0, Int(entry.pointCount) >= rules.minPoints else { continue }
                writtenFrom[candidate] = Int8(min(zoom, zooms.upperBound))
            }
        }
    }

    /// The id of the cluster that a marker is part of at a lower zoom; `nil` if it is part of none.
    func clusterID(of marker: MarkerNumber, atZoom zoom: Int) -> UInt64? {
        // At an unclustered zoom, all markers are the same as at the higher ones.
        if zoom > zooms.upperBound { return marker.isCluster ? clusters.id(of: clusters.entry(marker)) : nil }
        guard zooms.contains(zoom) else { return nil }
        var candidate: Int
        if marker.isCluster {
            candidate = Int(clusters.entry(marker).candidate)
        } else {
            guard marker.index < hierarchy.pointCount else { return nil }
            candidate = hierarchy.candidate(of: marker.index)
        }
        while Int(hierarchy.joinZoom[candidate]) >= zoom { candidate = Int(hierarchy.parent[candidate]) }
        guard Int(writtenFrom[candidate]) >= zoom else { return nil }
        return clusters.id(ofAnchor: Int(hierarchy.anchorPoint[candidate]))
    }
}
