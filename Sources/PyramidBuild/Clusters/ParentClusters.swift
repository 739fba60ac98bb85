import PyramidTiles

/// Finds each marker's parent: its cluster at the next lower zoom. Made in O(candidates).
struct ParentClusters: Sendable {
    private let hierarchy: ClusterHierarchy
    /// By candidate: the anchor of its cluster at this zoom.
    private let roots: [UInt32]
    /// By root: the candidate whose cluster holds it at the next lower zoom.
    private let parents: [UInt32]
    /// By candidate: whether its cluster at the next lower zoom has enough points to be written as a cluster.
    private let isWritten: [Bool]

    /// - Parameter descent: at the zoom of the markers, with roots; the next lower zoom is clustered.
    init(of descent: ClusterDescent) {
        let hierarchy = descent.hierarchy
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

    /// The anchor of a single point's parent cluster; `nil` if the point is single there too or never merges.
    func parent(ofPoint point: Int) -> Int? {
        point < hierarchy.pointCount ? parent(ofCandidate: hierarchy.candidate(of: point)) : nil
    }

    /// The anchor of a cluster's parent cluster; `nil` if the parent is not written as a cluster.
    func parent(ofCandidate candidate: Int) -> Int? {
        let parent = Int(parents[Int(roots[candidate])])
        return isWritten[parent] ? Int(hierarchy.anchorPoint[parent]) : nil
    }
}
