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

    var count: Int { anchorPoint.count }

    /// - Parameter depth: the depth of the nodes, in 0 ... 32.
    init(of quadtree: LinearQuadtree, nodesAtDepth depth: Int) {
        let codes = quadtree.codes.span
        var start = 0
        while start < codes.count {
            let node = MortonCode(rawValue: codes[start]).node(atDepth: depth)
            var anchor = start
            var anchorRank = CandidateRank(weight: 0, mixed: 0)
            var place = start
            while place < codes.count, MortonCode(rawValue: codes[place]).node(atDepth: depth) == node {
                var end = place + 1
                while end < codes.count, codes[end] == codes[place] { end += 1 }
                let rank = CandidateRank(weight: UInt64(end - place), mixed: MortonCode(rawValue: codes[place]).mixed)
                if rank > anchorRank || place == start {
                    // Of the points at one place the last in the order of their content stands for all.
                    anchor = end - 1
                    anchorRank = rank
                }
                place = end
            }
            firstPoint.append(UInt32(start))
            anchorPoint.append(UInt32(anchor))
            start = place
        }
        firstPoint.append(UInt32(codes.count))
    }

    /// How many points the candidate holds.
    func weight(of candidate: Int) -> UInt64 { UInt64(firstPoint[candidate + 1] - firstPoint[candidate]) }
}

/// Which of two candidates keeps its place: the one of greater weight, and of equals the one whose Morton code mixes to
/// the greater number. No two candidates have the same code, so the order is total and depends on content alone.
struct CandidateRank: Comparable {
    let weight: UInt64
    let mixed: UInt64

    static func < (left: CandidateRank, right: CandidateRank) -> Bool {
        left.weight != right.weight ? left.weight < right.weight : left.mixed < right.mixed
    }
}
