/// The points of every cluster at every zoom, ordered so that each cluster is a contiguous range. 8 bytes per point.
///
/// A candidate's own points come first, then the points of each candidate that joined it, in the order of joining. A
/// cluster of n points is the first n points of its candidate.
package struct ClusterMembers: Sendable {
    private let points: [UInt32]
    /// The index of each candidate's first point.
    private let starts: [UInt32]

    init(of hierarchy: ClusterHierarchy, jobs: Int) {
        var starts = [UInt32](repeating: 0, count: hierarchy.candidateCount)
        var sizes = [UInt32](repeating: 0, count: hierarchy.candidateCount)
        // A joining candidate brings the points that joined it before, so sizes add up in the order of joining.
        for candidate in sizes.indices { sizes[candidate] = UInt32(hierarchy.pointCount(of: candidate)) }
        let joining = ClusterJoins(of: hierarchy, jobs: jobs).candidates
        // By joining candidate: the number of points its parent already had.
        var offsets = [UInt32](repeating: 0, count: hierarchy.candidateCount)
        for candidate in joining {
            let parent = Int(hierarchy.parent[Int(candidate)])
            offsets[Int(candidate)] = sizes[parent]
            sizes[parent] += sizes[Int(candidate)]
        }
        var next: UInt32 = 0
        for candidate in starts.indices where hierarchy.joinZoom[candidate] == ClusterHierarchy.neverJoins {
            starts[candidate] = next
            next += sizes[candidate]
        }
        for candidate in joining.reversed() {
            starts[Int(candidate)] = starts[Int(hierarchy.parent[Int(candidate)])] + offsets[Int(candidate)]
        }
        var points = [UInt32](repeating: 0, count: hierarchy.pointCount)
        for candidate in starts.indices {
            var next = Int(starts[candidate])
            hierarchy.forEachPoint(of: candidate) { point in
                points[next] = UInt32(point)
                next += 1
            }
        }
        self.points = points
        self.starts = starts
    }

    /// Calls `body` with the number of every member of a cluster, in no particular order.
    package func forEachPoint(of cluster: ClusterTable.Entry, _ body: (Int) -> Void) {
        let start = Int(starts[Int(cluster.candidate)])
        for point in points[start..<start + Int(cluster.pointCount)] { body(Int(point)) }
    }
}
