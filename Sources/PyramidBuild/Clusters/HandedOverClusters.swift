import PyramidTiles

/// A cluster as one process hands it over to another: all that lower zooms need to know of it, except rows.
struct HandedOverCluster: Sendable {
    var pointCount: UInt32
    /// Whether all its points are at one place, and no other candidate has joined it.
    var isAlone = false
    /// As in ``ClusterTable/Entry/expansionZoom``.
    var expansionZoom: Int8
    var extent: ClusterExtent
    /// World units from the anchor to the points, summed up; zero if no means are needed.
    var eastSum: Int64 = 0, southSum: Int64 = 0
    var aggregates: AggregateValues
}

/// The markers of one zoom made by other processes, to be clustered further. Only some points of a candidate may be
/// known here.
struct HandedOverClusters: Sendable {
    /// By candidate: its anchor, ascending.
    var anchorPoint: [UInt32] = []
    /// By candidate: the weight of all its points.
    var weights: [UInt64] = []
    /// By candidate: how many points it stands for.
    var pointCounts: [UInt32] = []
    /// The known points of candidate `c` are `points[firstPoint[c] ..< firstPoint[c + 1]]`, ascending: all its points,
    /// or at least the anchor.
    var firstPoint: [UInt32] = [0]
    var points: [UInt32] = []
    /// By index in ``points``: the point's candidate.
    var candidateOfPoint: [UInt32] = []
    /// By candidate: whether it has points of one place only and has not been joined by others.
    var areAlone: [Bool] = []
    /// One per candidate with `pointCounts > 1`, in candidate order.
    var clusters: [HandedOverCluster] = []

    func checkInvariants() {
        let count = anchorPoint.count
        precondition(weights.count == count && pointCounts.count == count && areAlone.count == count)
        precondition(firstPoint.count == count + 1)
        precondition(zip(anchorPoint, anchorPoint.dropFirst()).allSatisfy { $0 < $1 })
        precondition(clusters.map(\.pointCount) == pointCounts.filter { $0 > 1 })
        precondition(Int(firstPoint[count]) == points.count && points.count == candidateOfPoint.count)
        for candidate in 0..<count {
            let known = points[Int(firstPoint[candidate])..<Int(firstPoint[candidate + 1])]
            precondition(known.contains(anchorPoint[candidate]) && known.count <= Int(pointCounts[candidate]))
            precondition(known.allSatisfy { candidateOfPoint[Int($0)] == UInt32(candidate) })
        }
    }
}
