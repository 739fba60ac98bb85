import PyramidTiles

/// A rule by which points become clusters.
protocol ClusteringMethod: Sendable {
    init(options: ClusteringOptions)

    /// The clusters of all the zooms in ``ClusteringOptions/clusteredZooms``.
    /// - Parameters:
    ///   - candidates: the quadtree's nodes at ``ClusteringOptions/candidateDepth``.
    ///   - progress: is called with each zoom before it is clustered.
    func hierarchy(
        of candidates: Candidates, in quadtree: LinearQuadtree, progress: (Int) -> Void
    ) -> ClusterHierarchy
}

extension ClusteringOptions {
    /// The clusters of points; `nil` where no zoom has any.
    /// - Parameter progress: is called with each zoom before it is clustered.
    func hierarchy(
        of quadtree: LinearQuadtree, standing: PointStanding = PointStanding(), progress: (Int) -> Void = { _ in }
    ) -> ClusterHierarchy? {
        guard !clusteredZooms.isEmpty else { return nil }
        let candidates = Candidates(of: quadtree, nodesAtDepth: candidateDepth, standing: standing)
        let clustering: any ClusteringMethod =
            switch method {
            case .anchors: AnchorClustering(options: self)
            case .grid: GridClustering(options: self)
            }
        return clustering.hierarchy(of: candidates, in: quadtree, progress: progress)
    }
}
