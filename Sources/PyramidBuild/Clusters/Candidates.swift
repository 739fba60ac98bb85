import PyramidTiles

/// The input of clustering: the candidates of one group in Morton order, with the priorities and weights that decide
/// which of them keep their places.
///
/// Plain arrays with one element per candidate, made from points or from clusters of another process.
struct Candidates: Sendable {
    /// The anchors' Morton codes, ascending.
    private(set) var codes: [UInt64] = []
    /// The anchors' priorities: the greater wins. Empty if all are equal.
    private(set) var priorities: [UInt32] = []
    /// The total weight of each candidate's points.
    private(set) var weights: [UInt64] = []
    /// The anchor of each candidate: the point that represents it.
    private(set) var anchorPoint: [UInt32] = []
    /// The points of candidate `c` are `firstPoint[c] ..< firstPoint[c + 1]`, so the array has one element more than
    /// there are candidates.
    private(set) var firstPoint: [UInt32] = []

    var count: Int { codes.count }

    /// The quadtree node that holds a candidate's anchor.
    func node(of candidate: UInt32, atDepth depth: Int) -> UInt64 {
        MortonCode(rawValue: codes[Int(candidate)]).node(atDepth: depth)
    }

    /// Makes one candidate of each non-empty quadtree node at a certain depth: a micro-cell, much smaller than the
    /// cluster distance. This limits the number of candidates near each other on any data.
    /// - Parameters:
    ///   - points: of one group.
    ///   - depth: the depth of the nodes, in 0 ... 32.
    ///   - precedence: of the quadtree's points.
    init(
        of points: Range<Int>, in quadtree: LinearQuadtree, nodesAtDepth depth: Int, precedence: PointPrecedence,
        _ work: SharedWork
    ) {
        let nodes = QuadtreeNodes(codes: quadtree.codes, points: points, depth: depth)
        let chunks = work.chunks(of: points)
        // By chunk: the number of nodes that begin in it.
        let counts = work.map(chunks) { chunk in chunk.count { nodes.begin(at: $0) } }
        let starts = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        let count = starts[chunks.count]
        firstPoint = [UInt32](repeating: UInt32(points.upperBound), count: count + 1)
        anchorPoint = [UInt32](repeating: 0, count: count)
        weights = [UInt64](repeating: 0, count: count)
        firstPoint.withSharedElements { firstPoint in
            anchorPoint.withSharedElements { anchorPoint in
                weights.withSharedElements { weights in
                    work.forEach(chunks) { number, chunk in
                        var candidate = starts[number]
                        for point in chunk where nodes.begin(at: point) {
                            let highest = precedence.highest(of: nodes.node(from: point), codes: quadtree.codes)
                            firstPoint[candidate] = UInt32(point)
                            anchorPoint[candidate] = UInt32(highest.point)
                            weights[candidate] = highest.weight
                            candidate += 1
                        }
                    }
                }
            }
        }
        let anchors = anchorPoint
        codes = work.elements(count: count) { chunk, codes in
            for candidate in chunk { codes[candidate] = quadtree.codes[Int(anchors[candidate])] }
        }
        if !precedence.priorities.isEmpty { priorities = anchors.map { precedence.priorities[Int($0)] } }
    }

    /// Adopts one group's candidates made by other processes.
    /// - Parameter precedence: of the quadtree's points.
    init(
        _ range: Range<Int>, of handedOver: HandedOverClusters, in quadtree: LinearQuadtree, precedence: PointPrecedence
    ) {
        anchorPoint = Array(handedOver.anchorPoint[range])
        weights = Array(handedOver.weights[range])
        firstPoint = Array(handedOver.firstPoint[range.lowerBound...range.upperBound])
        codes = anchorPoint.map { quadtree.codes[Int($0)] }
        if !precedence.priorities.isEmpty { priorities = anchorPoint.map { precedence.priorities[Int($0)] } }
    }
}

/// The non-empty nodes of a quadtree at one depth, one after the other.
private struct QuadtreeNodes {
    let codes: [UInt64]
    let points: Range<Int>
    let depth: Int

    /// Whether a point is the first of its node.
    @inline(__always)
    func begin(at point: Int) -> Bool {
        point == points.lowerBound || !areTogether(point - 1, point)
    }

    /// The points of the node that begins with `point`.
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

extension PointPrecedence {
    /// The point that represents several places, and their total weight. The points are in the order of their codes.
    fileprivate func highest(of points: Range<Int>, codes: [UInt64]) -> (point: Int, weight: UInt64) {
        var highest = points.lowerBound
        var highestRank: (priority: UInt32, weight: UInt64, mixed: UInt64)?
        var weight: UInt64 = 0
        var start = points.lowerBound
        while start < points.upperBound {
            var end = start + 1
            while end < points.upperBound, codes[end] == codes[start] { end += 1 }
            let ofPlace = self.highest(of: start..<end)
            weight += ofPlace.weight
            // The same order as in `CandidateRanks`.
            let rank = (priority(of: ofPlace.point), ofPlace.weight, MortonCode(rawValue: codes[start]).mixed)
            if highestRank.map({ $0 < rank }) ?? true { (highest, highestRank) = (ofPlace.point, rank) }
            start = end
        }
        return (highest, weight)
    }
}
