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
    var clustering: any ClusteringMethod {
        switch method {
        case .anchors: AnchorClustering(options: self)
        case .grid: GridClustering(options: self)
        }
    }
}
