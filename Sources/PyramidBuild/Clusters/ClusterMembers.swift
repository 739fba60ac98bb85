/// The points of every cluster of a zoom. Made in O(candidates).
struct ClusterMembers: Sendable {
    private let hierarchy: ClusterHierarchy
    /// The candidates, those of one root after the other, of each in Morton order.
    private var candidates: [UInt32]
    /// Where the candidates of root `r` begin; one entry more than there are candidates.
    private var starts: [UInt32]

    init(of hierarchy: ClusterHierarchy, roots: [UInt32]) {
        self.hierarchy = hierarchy
        starts = [UInt32](repeating: 0, count: roots.count + 1)
        for root in roots { starts[Int(root) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        candidates = [UInt32](repeating: 0, count: roots.count)
        var next = starts
        for (candidate, root) in roots.enumerated() {
            candidates[Int(next[Int(root)])] = UInt32(candidate)
            next[Int(root)] += 1
        }
    }

    /// Calls `body` with the number of every point of a cluster.
    func forEachPoint(of root: Int, _ body: (Int) -> Void) {
        for index in Int(starts[root])..<Int(starts[root + 1]) {
            for point in hierarchy.points(of: Int(candidates[index])) { body(point) }
        }
    }
}

/// The clusters of one zoom: a class, because the workers hand it around for every marker.
final class ZoomClusters: Sendable {
    let hierarchy: ClusterHierarchy
    let aggregation: ClusterAggregation
    /// `nil` where nobody asks for them.
    let members: ClusterMembers?
    /// `nil` where nobody asks for them, and where the zoom above has no clusters.
    let parents: ParentClusters?
    /// Whether pages of the clusters' points are written at this zoom.
    let hasLeaves: Bool

    init(
        hierarchy: ClusterHierarchy, aggregation: ClusterAggregation, members: ClusterMembers?,
        parents: ParentClusters?, hasLeaves: Bool
    ) {
        self.hierarchy = hierarchy
        self.aggregation = aggregation
        self.members = members
        self.parents = parents
        self.hasLeaves = hasLeaves
    }

    /// For how many points an anchor stands, or a point that is never merged.
    func pointCount(ofAnchor point: Int) -> Int {
        point < hierarchy.pointCount ? Int(aggregation.pointCount[hierarchy.candidate(of: point)]) : 1
    }

    func anchorPoint(of candidate: Int) -> Int { Int(hierarchy.anchorPoint[candidate]) }
}
