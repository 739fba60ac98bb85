import PyramidStore
import PyramidTiles

/// The result of clustering for all zooms at once: which points are together at which zoom.
///
/// Its leaves are *candidates*: places, or micro-cells of several places, in Morton order. Two numbers per candidate
/// make the hierarchy: the zoom at which it joins another candidate, and the number of that candidate. Candidates join
/// only others of their group.
package struct ClusterHierarchy: Sendable {
    /// By group: its range of candidates. Together the ranges cover all candidates, in order.
    package private(set) var groups: [Range<Int>]
    /// The points of candidate `c` are `firstPoint[c] ..< firstPoint[c + 1]`, so the array has one element more than
    /// there are candidates.
    private(set) var firstPoint: [UInt32]
    /// By candidate: its anchor.
    package private(set) var anchorPoint: [UInt32]
    /// The zoom at which a candidate joins its parent and stops being a marker; ``neverJoins`` for a top candidate.
    private(set) var joinZoom: [Int8]
    /// The candidate that it joins; a top candidate is its own parent.
    package private(set) var parent: [UInt32]
    /// Empty if the candidates were made from points.
    package private(set) var known = Candidates.Known()
    /// By point: its candidate. Empty if the candidates were made from points.
    private var candidateOfPoint: [UInt32] = []

    static let neverJoins: Int8 = -1

    package var candidateCount: Int { anchorPoint.count }

    /// The candidates of one group, none joined yet.
    package init(candidates: Candidates) {
        groups = [0..<candidates.count]
        firstPoint = candidates.firstPoint
        anchorPoint = candidates.anchorPoint
        joinZoom = [Int8](repeating: ClusterHierarchy.neverJoins, count: candidates.count)
        parent = Array(0..<UInt32(candidates.count))
    }

    package init() {
        groups = []
        firstPoint = [0]
        (anchorPoint, joinZoom, parent) = ([], [], [])
    }

    /// Appends a group whose points come next.
    package mutating func append(_ group: consuming ClusterHierarchy) {
        let first = candidateCount
        guard first > 0 else {
            self = group
            return
        }
        groups.append(first..<first + group.candidateCount)
        firstPoint += group.firstPoint.dropFirst()
        anchorPoint += group.anchorPoint
        joinZoom += group.joinZoom
        parent += group.parent.lazy.map { $0 + UInt32(first) }
    }

    /// Adds what parts state about the candidates. Call it once all groups are appended.
    package mutating func add(_ known: Candidates.Known) {
        self.known = known
        var candidates = [UInt32](repeating: 0, count: known.points.count)
        for candidate in 0..<(known.isEmpty ? 0 : candidateCount) {
            forEachPoint(of: candidate) { candidates[$0] = UInt32(candidate) }
        }
        candidateOfPoint = candidates
    }

    /// Makes each candidate join its parent, except a candidate that is its own parent.
    package mutating func join(_ candidates: [UInt32], to parents: [UInt32], atZoom zoom: Int, _ work: SharedWork) {
        joinZoom.withSharedElements { joinZoom in
            parent.withSharedElements { parent in
                work.forEach(work.chunks(of: candidates.indices)) { _, chunk in
                    for index in chunk where candidates[index] != parents[index] {
                        joinZoom[Int(candidates[index])] = Int8(zoom)
                        parent[Int(candidates[index])] = parents[index]
                    }
                }
            }
        }
    }

    /// Whether the candidate is a marker at this zoom.
    func isAnchor(_ candidate: Int, atZoom zoom: Int) -> Bool { joinZoom[candidate] < zoom }

    /// The candidate of a point. O(log d), where d is its distance from another candidate.
    /// - Parameter near: where to begin the search.
    package func candidate(of point: Int, near candidate: Int) -> Int {
        if !known.isEmpty { return Int(candidateOfPoint[point]) }
        guard Int(firstPoint[candidate]) <= point else {
            return firstPoint[..<candidate].partitioningIndex { Int($0) > point } - 1
        }
        var (start, step) = (candidate, 1)
        while start + step < firstPoint.count, Int(firstPoint[start + step]) <= point {
            start += step
            step *= 2
        }
        let end = min(start + step, firstPoint.count)
        return firstPoint[start..<end].partitioningIndex { Int($0) > point } - 1
    }

    /// The number of known points in all candidates.
    package var pointCount: Int { Int(firstPoint.last ?? 0) }

    /// The number of known points of a candidate.
    package func pointCount(of candidate: Int) -> Int { Int(firstPoint[candidate + 1] - firstPoint[candidate]) }

    /// The numbers of a candidate's points, which are neighbours unless it was a marker already.
    package func points(of candidate: Int) -> Range<Int> {
        assert(known.isEmpty, "the known points of a marker aren't neighbours")
        return Int(firstPoint[candidate])..<Int(firstPoint[candidate + 1])
    }

    /// Calls `body` with the number of every known point of a candidate, ascending.
    @inline(__always)
    package func forEachPoint(of candidate: Int, _ body: (Int) -> Void) {
        let range = Int(firstPoint[candidate])..<Int(firstPoint[candidate + 1])
        if known.isEmpty {
            for point in range { body(point) }
        } else {
            for point in known.points[range] { body(Int(point)) }
        }
    }
}

/// The candidates that join others: the highest zoom first, and in each zoom candidates with the same parent together.
struct ClusterJoins: Sendable {
    private(set) var candidates: [UInt32]
    /// By joining candidate: the highest zoom minus its zoom, then the parent.
    private var keys: [UInt64]

    /// O(n)
    init(of hierarchy: ClusterHierarchy, jobs: Int) {
        let (joinZoom, parent) = (hierarchy.joinZoom, hierarchy.parent)
        candidates = (0..<UInt32(hierarchy.candidateCount)).filter { joinZoom[Int($0)] != ClusterHierarchy.neverJoins }
        keys = candidates.map {
            UInt64(ClusteringOptions.zooms.upperBound - Int(joinZoom[Int($0)])) << 32 | UInt64(parent[Int($0)])
        }
        MortonRadixSort.sort(keys: &keys, indices: &candidates, jobs: jobs)
    }

    var count: Int { candidates.count }

    func zoom(_ index: Int) -> Int { ClusteringOptions.zooms.upperBound - Int(keys[index] >> 32) }
    func parent(_ index: Int) -> Int { Int(UInt32(truncatingIfNeeded: keys[index])) }

    /// Whether two candidates join the same parent at the same zoom.
    func areTogether(_ index: Int, _ other: Int) -> Bool { keys[index] == keys[other] }
}

/// By candidate: the anchor of its cluster, from the highest clustered zoom to the lowest.
struct ClusterRoots: Sendable {
    private(set) var roots: [UInt32]

    /// At the start, every candidate is its own root.
    init(of hierarchy: ClusterHierarchy) {
        roots = Array(0..<UInt32(hierarchy.candidateCount))
    }

    /// Applies the joins of a zoom. Call it for one zoom after the other, from the highest to the lowest.
    mutating func descend(toZoom zoom: Int, in hierarchy: ClusterHierarchy) {
        for candidate in roots.indices {
            let root = Int(roots[candidate])
            if Int(hierarchy.joinZoom[root]) >= zoom { roots[candidate] = hierarchy.parent[root] }
        }
    }
}
