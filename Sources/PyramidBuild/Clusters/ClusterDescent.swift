import PyramidTiles

/// The clusters of one zoom after the other, from the zoom below the last clustered one up to the first.
struct ClusterDescent: Sendable {
    private let options: ClusteringOptions
    private let hierarchy: ClusterHierarchy
    private var roots: ClusterRoots
    private var aggregation: ClusterAggregation
    private var zoom: Int

    /// Begins where nothing is clustered yet.
    init(
        of hierarchy: ClusterHierarchy, in quadtree: LinearQuadtree, options: ClusteringOptions,
        coordinate: @escaping @Sendable (Int) -> Coordinate
    ) {
        self.options = options
        self.hierarchy = hierarchy
        roots = ClusterRoots(of: hierarchy)
        aggregation = ClusterAggregation(
            of: hierarchy, quadtree: quadtree, lastZoom: options.clusterMaxZoom,
            hasMeans: options.position == .centroid || options.position == .inset, coordinate: coordinate)
        zoom = options.clusterMaxZoom + 1
    }

    /// Goes on to a zoom above.
    mutating func descend(toZoom zoom: Int) {
        self.zoom = zoom
        roots.descend(toZoom: zoom, in: hierarchy)
        aggregation.descend(toZoom: zoom)
    }

    /// What the markers of this zoom are.
    func markers(in quadtree: LinearQuadtree, coordinate: @escaping (Int) -> Coordinate) -> ZoomMarkers {
        let placement = ClusterPlacement(
            options: options, zoom: zoom, quadtree: quadtree, hierarchy: hierarchy, aggregation: aggregation,
            coordinate: coordinate)
        return ZoomMarkers(placement: placement, roots: roots.roots)
    }

    /// What there is to say of the clusters of this zoom.
    /// - Parameters:
    ///   - withMembers: whether anybody asks for the clusters' members.
    ///   - withParents: whether anybody asks for the clusters of the zoom above.
    ///   - withLeaves: whether anybody asks for pages of points, which the last clustered zoom has.
    func clusters(withMembers: Bool, withParents: Bool, withLeaves: Bool) -> ZoomClusters {
        let hasLeaves = withLeaves && zoom == options.clusterMaxZoom
        return ZoomClusters(
            hierarchy: hierarchy, aggregation: aggregation,
            members: withMembers || hasLeaves ? ClusterMembers(of: hierarchy, roots: roots.roots) : nil,
            parents: withParents && zoom > options.minZoom
                ? ParentClusters(
                    of: hierarchy, atZoom: zoom, roots: roots.roots, pointCount: aggregation.pointCount,
                    minPoints: options.minPoints) : nil, hasLeaves: hasLeaves)
    }
}
