import PyramidTiles

/// Finds the cluster of the zoom above that each marker of a zoom is part of. Made in O(candidates).
struct ParentClusters: Sendable {
    private let hierarchy: ClusterHierarchy
    /// The anchor whose cluster holds each candidate at this zoom.
    private let roots: [UInt32]
    /// The anchor whose cluster holds each root at the zoom above.
    private let parents: [UInt32]
    /// Whether each root of the zoom above is written as a cluster.
    private let isWritten: [Bool]

    /// - Parameter descent: at the zoom of the markers, with roots; the zoom above it is clustered.
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

    /// The anchor of the cluster above a single point; `nil` if the point is single there too or is never merged.
    func parent(ofPoint point: Int) -> Int? {
        point < hierarchy.pointCount ? parent(ofCandidate: hierarchy.candidate(of: point)) : nil
    }

    /// The anchor of the cluster above a cluster; `nil` if none is written.
    func parent(ofCandidate candidate: Int) -> Int? {
        let parent = Int(parents[Int(roots[candidate])])
        return isWritten[parent] ? Int(hierarchy.anchorPoint[parent]) : nil
    }
}
