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
        of points: Range<Int>, in quadtree: LinearQuadtree, nodesAtDepth depth: Int,
        standing: PointStanding = PointStanding()
    ) {
        self.quadtree = quadtree
        self.standing = standing
        let codes = quadtree.codes.span
        var start = points.lowerBound
        while start < points.upperBound {
            let node = MortonCode(rawValue: codes[start]).node(atDepth: depth)
            var highest: (anchor: Int, rank: CandidateRank)?
            var weight: UInt64 = 0
            var place = start
            while place < points.upperBound, MortonCode(rawValue: codes[place]).node(atDepth: depth) == node {
                var end = place + 1
                while end < points.upperBound, codes[end] == codes[place] { end += 1 }
                let ofPlace = standing.highest(of: place..<end)
                let rank = CandidateRank(
                    priority: standing.priority(of: ofPlace.point), weight: ofPlace.weight,
                    mixed: MortonCode(rawValue: codes[place]).mixed)
                if highest.map({ $0.rank < rank }) ?? true { highest = (ofPlace.point, rank) }
                weight += ofPlace.weight
                place = end
            }
            guard let highest else { preconditionFailure("a node without points") }
            firstPoint.append(UInt32(start))
            anchorPoint.append(UInt32(highest.anchor))
            weights.append(weight)
            start = place
        }
        firstPoint.append(UInt32(points.upperBound))
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
