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

    /// - Parameters:
    ///   - zoom: the zoom of the markers; the one above it is clustered.
    ///   - roots: of each candidate, at `zoom`.
    ///   - pointCount: of each root, at `zoom`.
    init(of hierarchy: ClusterHierarchy, atZoom zoom: Int, roots: [UInt32], pointCount: [UInt32], minPoints: Int) {
        self.hierarchy = hierarchy
        self.roots = roots
        parents = roots.indices.map {
            Int(hierarchy.joinZoom[$0]) == zoom - 1 ? hierarchy.parent[$0] : UInt32($0)
        }
        var counts = [Int](repeating: 0, count: roots.count)
        for (candidate, root) in roots.enumerated() where Int(root) == candidate {
            counts[Int(parents[candidate])] += Int(pointCount[candidate])
        }
        isWritten = counts.map { $0 >= minPoints }
    }

    /// The candidate of the cluster above; `nil` where the marker stands there as it is, and for points that are
    /// never merged.
    func parent(of marker: ZoomMarkers.Entry) -> Int? {
        guard marker.isCluster || Int(marker.number) < hierarchy.pointCount else { return nil }
        let candidate = marker.isCluster ? Int(marker.number) : hierarchy.candidate(of: Int(marker.number))
        let parent = Int(parents[Int(roots[candidate])])
        return isWritten[parent] ? parent : nil
    }
}
