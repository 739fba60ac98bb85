/// The points of every cluster at every zoom, in an order in which each cluster is a contiguous range: 8 bytes per
/// point in all.
///
/// The points of a candidate come first, followed by those of the candidates that joined it, in the order in which they
/// joined. So a cluster of n points is the first n of them.
struct ClusterMembers: Sendable {
    private let points: [UInt32]
    /// The index of each candidate's first point.
    private let starts: [UInt32]

    init(of hierarchy: ClusterHierarchy, jobs: Int) {
        var starts = [UInt32](repeating: 0, count: hierarchy.candidateCount)
        var sizes = [UInt32](repeating: 0, count: hierarchy.candidateCount)
        // A candidate brings all the points that have joined it before, so the sizes add up in the order of joining.
        for candidate in sizes.indices { sizes[candidate] = UInt32(hierarchy.points(of: candidate).count) }
        let joining = ClusterJoins(of: hierarchy, jobs: jobs).candidates
        // By candidate that joins another: how many points the other one had before.
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

    /// Calls `body` with the number of every point of a cluster, in no particular order.
    func forEachPoint(of cluster: ClusterTable.Entry, _ body: (Int) -> Void) {
        let start = Int(starts[Int(cluster.candidate)])
        for point in points[start..<start + Int(cluster.pointCount)] { body(Int(point)) }
    }
}
