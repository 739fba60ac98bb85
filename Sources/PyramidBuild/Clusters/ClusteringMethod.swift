import PyramidTiles

/// A rule by which points become clusters.
protocol ClusteringMethod: Sendable {
    init(options: ClusteringOptions)

    /// The clusters of all the zooms in ``ClusteringOptions/clusteredZooms``.
    /// - Parameters:
    ///   - candidates: the nodes of a group at ``ClusteringOptions/candidateDepth``.
    ///   - progress: is called with each zoom before it is clustered.
    func hierarchy(
        of candidates: Candidates, in quadtree: LinearQuadtree, _ work: SharedWork, progress: (Int) -> Void
    ) -> ClusterHierarchy
}

extension ClusteringOptions {
    /// The clusters of points, each group's by itself; `nil` where no zoom has any.
    /// - Parameter progress: is called with each zoom before it is clustered.
    func hierarchy(
        of quadtree: LinearQuadtree, standing: PointStanding = PointStanding(), work: SharedWork = SharedWork(jobs: 1),
        progress: (Int) -> Void = { _ in }
    ) -> ClusterHierarchy? {
        guard !clusteredZooms.isEmpty else { return nil }
        let clustering: any ClusteringMethod =
            switch method {
            case .anchors: AnchorClustering(options: self)
            case .grid: GridClustering(options: self)
            }
        var hierarchy = ClusterHierarchy()
        for group in quadtree.groups {
            let candidates = Candidates(
                of: group.points, in: quadtree, nodesAtDepth: candidateDepth, standing: standing, work)
            hierarchy.append(
                clustering.hierarchy(of: candidates, in: quadtree, work, progress: progress), idMask: group.idMask)
        }
        return hierarchy
    }
}
