import PyramidTiles

/// Steps through the zooms and their markers, from the lowest unclustered zoom down to the lowest zoom.
package struct ClusterDescent: Sendable {
    package let rules: ClusteringRules
    package let quadtree: LinearQuadtree
    package let clusters: ClusterPyramid
    package let hierarchy: ClusterHierarchy
    package private(set) var zoom: Int
    /// By candidate: its cluster at this zoom.
    private var current: CurrentClusters
    /// The candidates that are markers at this zoom, ascending.
    package private(set) var anchors: [UInt32]
    /// `nil` if no roots are needed.
    private var roots: ClusterRoots?

    /// Begins at the lowest unclustered zoom.
    package init(
        of clusters: ClusterPyramid, _ hierarchy: ClusterHierarchy, in quadtree: LinearQuadtree,
        rules: ClusteringRules, hasRoots: Bool
    ) {
        self.rules = rules
        self.quadtree = quadtree
        self.clusters = clusters
        self.hierarchy = hierarchy
        zoom = rules.firstUnclusteredZoom
        let count = hierarchy.candidateCount
        current = CurrentClusters(candidateCount: count)
        anchors = Array(0..<UInt32(count))
        roots = hasRoots ? ClusterRoots(of: hierarchy) : nil
        takeOverClusters()
    }

    /// Moves to the next lower zoom.
    package mutating func descend() {
        zoom -= 1
        let zoom = Int8(zoom)
        anchors.removeAll { [hierarchy] in hierarchy.joinZoom[Int($0)] >= zoom }
        roots?.descend(toZoom: self.zoom, in: hierarchy)
        takeOverClusters()
    }

    /// A candidate's cluster at this zoom; `nil` for a single point.
    package func cluster(of candidate: Int) -> Int? { current[candidate] }

    package func pointCount(of candidate: Int) -> Int {
        current[candidate].map { Int(clusters.table.entries[$0].pointCount) } ?? 1
    }

    /// The anchor whose cluster holds a candidate at this zoom.
    package func root(of candidate: Int) -> Int {
        guard let roots else { preconditionFailure("nobody asked for roots") }
        return Int(roots.roots[candidate])
    }

    private mutating func takeOverClusters() {
        for entry in clusters.table.entries(from: zoom) {
            current[Int(clusters.table.entries[entry].candidate)] = entry
        }
    }
}
