import PyramidTiles

/// Finds the cluster of any marker at any lower zoom. Keeps the hierarchy and a byte for each candidate.
package struct MarkerParents: Sendable {
    private let hierarchy: ClusterHierarchy
    private let clusters: ClusterPyramid
    /// By candidate: the highest zoom at which its cluster has enough points to be written; -1 if it never has.
    private var writtenFrom: [Int8]
    /// The clustered zooms.
    private let zooms: ClosedRange<Int>

    /// `nil` if no zoom is clustered.
    package init?(_ hierarchy: ClusterHierarchy, _ clusters: ClusterPyramid, _ rules: ClusteringRules) {
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

    /// Calls `body` with each marker of a zoom, by its index, that is part of another cluster at the next lower zoom, and
    /// with the id of that cluster. Other markers are part of none, or stand there themselves, perhaps with more points.
    /// - Parameter markers: if the points are in ascending order, or nearly, their candidates are found in constant time.
    package func forEachParent(
        of markers: ArraySlice<MarkerNumber>, atZoom zoom: Int, _ body: (_ index: Int, _ id: UInt64) -> Void
    ) {
        guard zooms.contains(zoom - 1) else { return }
        var lastCandidate = 0
        for (index, marker) in zip(markers.indices, markers) {
            guard marker.isCluster || marker.index < hierarchy.pointCount else { continue }
            let entry = marker.isCluster ? clusters.entry(marker) : nil
            let candidate =
                entry.map { Int($0.candidate) } ?? hierarchy.candidate(of: marker.index, near: lastCandidate)
            if entry == nil { lastCandidate = candidate }
            // What joins no other candidate stands for itself, but for a point to which others come.
            let stays = Int(hierarchy.joinZoom[candidate]) < zoom - 1
            if stays, entry.map({ !$0.isPlaceOnly }) ?? (Int(writtenFrom[candidate]) < zoom - 1) {
                continue
            }
            guard let id = clusterID(ofCandidate: candidate, atZoom: zoom - 1),
                id != entry.map({ clusters.id(of: $0) })
            else { continue }
            body(index, id)
        }
    }

    /// The id of the cluster that a marker is part of at a lower zoom; `nil` if it is part of none.
    package func clusterID(of marker: MarkerNumber, atZoom zoom: Int) -> UInt64? {
        // At an unclustered zoom, all markers are the same as at the higher ones.
        if zoom > zooms.upperBound { return marker.isCluster ? clusters.id(of: clusters.entry(marker)) : nil }
        guard zooms.contains(zoom), marker.isCluster || marker.index < hierarchy.pointCount else { return nil }
        let candidate =
            marker.isCluster ? Int(clusters.entry(marker).candidate) : hierarchy.candidate(of: marker.index, near: 0)
        return clusterID(ofCandidate: candidate, atZoom: zoom)
    }

    private func clusterID(ofCandidate candidate: Int, atZoom zoom: Int) -> UInt64? {
        var candidate = candidate
        while Int(hierarchy.joinZoom[candidate]) >= zoom { candidate = Int(hierarchy.parent[candidate]) }
        guard Int(writtenFrom[candidate]) >= zoom else { return nil }
        return clusters.id(ofAnchor: Int(hierarchy.anchorPoint[candidate]))
    }
}
