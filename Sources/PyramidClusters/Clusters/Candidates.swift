import PyramidTiles

/// The input of clustering: the candidates of one group in Morton order, with the priorities and weights that decide
/// which of them keep their places.
///
/// Plain arrays with one element per candidate. Candidates are made from points, or are markers that were made already.
/// Those are the candidates of all groups, group after group; ``candidates(of:)`` returns one group.
package struct Candidates: Sendable {
    /// The anchors' Morton codes, ascending in each group.
    package private(set) var codes: [UInt64] = []
    /// The anchors' priorities: the greater wins. Empty if all are equal.
    private(set) var priorities: [UInt32] = []
    /// The total weight of each candidate's points.
    package private(set) var weights: [UInt64] = []
    /// The anchor of each candidate: the point that represents it.
    package private(set) var anchorPoint: [UInt32] = []
    /// The points of candidate `c` are `firstPoint[c] ..< firstPoint[c + 1]`, so the array has one element more than
    /// there are candidates.
    private(set) var firstPoint: [UInt32] = [0]
    /// Empty if the candidates were made from points.
    package private(set) var known = Known()

    /// What is known about candidates that are markers already.
    package struct Known: Sendable {
        /// The known points of candidate `c` are `points[firstPoint[c] ..< firstPoint[c + 1]]`, ascending: all its points,
        /// or at least the anchor.
        package fileprivate(set) var points: [UInt32] = []
        /// By candidate: whether it has points of one place only and has not been joined by others.
        fileprivate(set) var areAlone: [Bool] = []
        /// Of candidates with several points, in their order.
        package fileprivate(set) var clusters: [(candidate: UInt32, cluster: KnownCluster)] = []

        package var isEmpty: Bool { areAlone.isEmpty }
    }

    package var count: Int { codes.count }

    /// Makes one candidate of each non-empty quadtree node at a certain depth: a micro-cell, much smaller than the
    /// cluster distance. This limits the number of candidates near each other on any data.
    /// - Parameters:
    ///   - points: of one group.
    ///   - depth: the depth of the nodes, in 0 ... 32.
    ///   - precedence: of the quadtree's points.
    package init(
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

    package init() {}

    /// Adds a marker that another process has made. Call it in the order of anchors.
    /// - Parameters:
    ///   - points: its known points, ascending; at least the anchor.
    ///   - cluster: `nil` for a single point.
    ///   - weight: of all its points.
    package mutating func append(
        _ anchor: UInt32, points: [UInt32], _ cluster: KnownCluster?, isAlone: Bool, weight: UInt64,
        in quadtree: LinearQuadtree, precedence: PointPrecedence
    ) {
        if let cluster { known.clusters.append((UInt32(count), cluster)) }
        known.points += points
        known.areAlone.append(isAlone)
        firstPoint.append(UInt32(known.points.count))
        anchorPoint.append(anchor)
        weights.append(weight)
        codes.append(quadtree.codes[Int(anchor)])
        if !precedence.priorities.isEmpty { priorities.append(precedence.priorities[Int(anchor)]) }
    }

    /// The candidates of one group.
    /// - Parameter group: the group's points.
    package func candidates(of group: Range<Int>) -> Candidates {
        let start = anchorPoint.partitioningIndex { Int($0) >= group.lowerBound }
        let end = anchorPoint.partitioningIndex { Int($0) >= group.upperBound }
        var candidates = Candidates()
        candidates.codes = Array(codes[start..<end])
        if !priorities.isEmpty { candidates.priorities = Array(priorities[start..<end]) }
        candidates.weights = Array(weights[start..<end])
        candidates.anchorPoint = Array(anchorPoint[start..<end])
        candidates.firstPoint = Array(firstPoint[start...end])
        return candidates
    }

    /// Checks candidates that are markers already.
    package func checkInvariants() {
        precondition(codes.count == count && weights.count == count && firstPoint.count == count + 1)
        precondition(known.areAlone.count == count && (priorities.isEmpty || priorities.count == count))
        precondition(zip(anchorPoint, anchorPoint.dropFirst()).allSatisfy { $0 < $1 })
        precondition(Int(firstPoint[count]) == known.points.count)
        precondition(Set(known.points).count == known.points.count)
        var pointCounts = [Int](repeating: 1, count: count)
        for (candidate, cluster) in known.clusters { pointCounts[Int(candidate)] = Int(cluster.pointCount) }
        for candidate in 0..<count {
            let points = known.points[Int(firstPoint[candidate])..<Int(firstPoint[candidate + 1])]
            precondition(points.contains(anchorPoint[candidate]) && points.count <= pointCounts[candidate])
        }
    }
}

/// A cluster that was made already: all that lower zooms need to know of it, except rows.
package struct KnownCluster: Sendable {
    package var pointCount: UInt32
    /// Whether all its points are at one place, and no other candidate has joined it.
    package var isAlone: Bool
    /// As in ``ClusterTable/Entry/expansionZoom``.
    package var expansionZoom: Int8
    package var extent: ClusterExtent
    /// World units from the anchor to the points, summed up; zero if no means are needed.
    package var eastSum, southSum: Int64
    package var aggregates: AggregateValues

    package init(
        pointCount: UInt32, isAlone: Bool = false, expansionZoom: Int8, extent: ClusterExtent, eastSum: Int64 = 0,
        southSum: Int64 = 0, aggregates: AggregateValues
    ) {
        (self.pointCount, self.isAlone, self.expansionZoom) = (pointCount, isAlone, expansionZoom)
        (self.extent, self.eastSum, self.southSum, self.aggregates) = (extent, eastSum, southSum, aggregates)
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
