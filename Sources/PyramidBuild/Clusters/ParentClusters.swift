import PyramidTiles

/// Which cluster of the zoom above takes each marker of a zoom in. Made in O(candidates).
struct ParentClusters: Sendable {
    private let hierarchy: ClusterHierarchy
    /// Of each candidate the anchor that has taken it in at this zoom.
    private let roots: [UInt32]
    /// Of each root the one that has taken it in at the zoom above.
    private let parents: [UInt32]
    /// By root of the zoom above: whether it is a cluster that is written.
    private let isWritten: [Bool]

    /// - Parameter descent: at the zoom of the markers, with roots; the zoom above it is clustered.
    init(of descent: ClusterDescent) {
        let hierarchy = descent.clusters.hierarchy
        self.hierarchy = hierarchy
        let candidates = 0..<hierarchy.candidateCount
        roots = candidates.map { UInt32(descent.root(of: $0)) }
        parents = candidates.map {
            Int(hierarchy.joinZoom[$0]) == descent.zoom - 1 ? hierarchy.parent[$0] : UInt32($0)
        }
        var counts = [Int](repeating: 0, count: candidates.count)
        for anchor in descent.anchors { counts[Int(parents[Int(anchor)])] += descent.pointCount(of: Int(anchor)) }
        isWritten = counts.map { $0 >= descent.rules.minPoints }
    }

    /// The candidate of the cluster above a point that stands by itself; `nil` where it does there too, and for points
    /// that are never merged.
    func parent(ofPoint point: Int) -> Int? {
        point < hierarchy.pointCount ? parent(ofCandidate: hierarchy.candidate(of: point)) : nil
    }

    /// The candidate of the cluster above a cluster; `nil` where none is written.
    func parent(ofCandidate candidate: Int) -> Int? {
        let parent = Int(parents[Int(roots[candidate])])
        return isWritten[parent] ? parent : nil
    }
}
