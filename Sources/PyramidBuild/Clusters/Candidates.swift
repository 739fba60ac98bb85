import PyramidTiles

/// What clustering starts from: every quadtree node at one depth that holds points, as one candidate.
///
/// Points at one place are one from the start, and so are the places of one node (a micro-cell, whose diagonal is well
/// within the cluster distance). This bounds the number of candidates near each other on any data.
struct Candidates: Sendable {
    /// The points of candidate `c` are `firstPoint[c] ..< firstPoint[c + 1]`; one entry more than there are candidates.
    private(set) var firstPoint: [UInt32] = []
    /// The point that stands for the candidate.
    private(set) var anchorPoint: [UInt32] = []

    /// The weight of all its points.
    private(set) var weights: [UInt64] = []
    private let quadtree: LinearQuadtree
    private let standing: PointStanding

    var count: Int { anchorPoint.count }

    var hasPriorities: Bool { !standing.priorities.isEmpty }

    func priority(of candidate: Int) -> UInt32 { standing.priority(of: Int(anchorPoint[candidate])) }

    /// What a candidate counts when it is ranked, with the weight that it has come to.
    func rank(of candidate: Int, weight: UInt64) -> CandidateRank {
        let anchor = Int(anchorPoint[candidate])
        return CandidateRank(
            priority: standing.priority(of: anchor), weight: weight,
            mixed: MortonCode(rawValue: quadtree.codes[anchor]).mixed)
    }

    /// - Parameters:
    ///   - points: of one group.
    ///   - depth: the depth of the nodes, in 0 ... 32.
    ///   - standing: of each of the quadtree's points.
    init(
        of points: Range<Int>, in quadtree: LinearQuadtree, nodesAtDepth depth: Int, standing: PointStanding,
        _ work: SharedWork
    ) {
        self.quadtree = quadtree
        self.standing = standing
        let nodes = QuadtreeNodes(codes: quadtree.codes, points: points, depth: depth)
        let parts = work.parts(of: points)
        // The nodes that begin in a part.
        let counts = work.map(parts) { part in part.count { nodes.begin(at: $0) } }
        let starts = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        let count = starts[parts.count]
        firstPoint = [UInt32](repeating: UInt32(points.upperBound), count: count + 1)
        anchorPoint = [UInt32](repeating: 0, count: count)
        weights = [UInt64](repeating: 0, count: count)
        firstPoint.withSharedElements { firstPoint in
            anchorPoint.withSharedElements { anchorPoint in
                weights.withSharedElements { weights in
                    work.forEach(parts) { number, part in
                        var candidate = starts[number]
                        for point in part where nodes.begin(at: point) {
                            let highest = standing.highest(of: nodes.node(from: point), codes: quadtree.codes)
                            firstPoint[candidate] = UInt32(point)
                            anchorPoint[candidate] = UInt32(highest.point)
                            weights[candidate] = highest.weight
                            candidate += 1
                        }
                    }
                }
            }
        }
    }
}

/// The nodes of a quadtree at one depth that hold some of its points, one after the other.
private struct QuadtreeNodes {
    let codes: [UInt64]
    let points: Range<Int>
    let depth: Int

    /// Whether a point is the first of its node.
    @inline(__always)
    func begin(at point: Int) -> Bool {
        point == points.lowerBound || !areTogether(point - 1, point)
    }

    /// The points of the node that begins with this one.
    @inline(__always)
    func node(from point: Int) -> Range<Int> {
        var end = point + 1
        while end < points.upperBound, areTogether(point, end) { end += 1 }
        return point..<end
    }

    @inline(__always)
    private func areTogether(_ point: Int, _ other: Int) -> Bool {
        MortonCode(rawValue: codes[point]).node(atDepth: depth)
            == MortonCode(rawValue: codes[other]).node(atDepth: depth)
    }
}

extension PointStanding {
    /// Of points at several places, in the order of their codes, the one that stands for all, and the weight of all.
    fileprivate func highest(of points: Range<Int>, codes: [UInt64]) -> (point: Int, weight: UInt64) {
        var highest: (point: Int, rank: CandidateRank)?
        var weight: UInt64 = 0
        var start = points.lowerBound
        while start < points.upperBound {
            var end = start + 1
            while end < points.upperBound, codes[end] == codes[start] { end += 1 }
            let ofPlace = self.highest(of: start..<end)
            let rank = CandidateRank(
                priority: priority(of: ofPlace.point), weight: ofPlace.weight,
                mixed: MortonCode(rawValue: codes[start]).mixed)
            if highest.map({ $0.rank < rank }) ?? true { highest = (ofPlace.point, rank) }
            weight += ofPlace.weight
            start = end
        }
        guard let highest else { preconditionFailure("a node without points") }
        return (highest.point, weight)
    }
}

/// Which of two candidates keeps its place: the one of greater priority, of equals the one of greater weight, and of
/// these the one whose Morton code mixes to the greater number. No two candidates have the same code, so the order is
/// total and depends on content alone.
struct CandidateRank: Comparable, Sendable {
    let priority: UInt32
    let weight: UInt64
    let mixed: UInt64

    static func < (left: CandidateRank, right: CandidateRank) -> Bool {
        if left.priority != right.priority { return left.priority < right.priority }
        return left.weight != right.weight ? left.weight < right.weight : left.mixed < right.mixed
    }
}
