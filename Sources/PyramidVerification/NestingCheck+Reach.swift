import PyramidTiles

/// The `anchors` method when tiles don't reveal every anchor. With computed places, a cluster's anchor is known only to
/// 64 units, from its id. If the min points are more than two, smaller clusters aren't known at all. So a marker may
/// belong to any cluster whose anchor is within reach and whose box contains the marker's.
///
/// These conditions are necessary, but not sufficient: there must be such a cluster, and a cluster has at least the
/// points of the markers that can only be in it, and at most those of all markers that can be in it.
extension NestingCheck {
    mutating func checkReachNesting(jobs: Int) {
        let clusters = anchors(of: coarse).filter { !coarse.records[$0.marker].isPoint }
        let reach = Reach(options, precision).joinUnits(atZoom: coarse.zoom)
        let index = CellIndex(ascending: clusters.map(\.code.rawValue), cellsAtLeast: reach)
        var search = NearSearch(index: index)
        var counts = PossibleCounts(clusterCount: clusters.count)
        for anchor in anchors(of: fine) where !isShownAlready[anchor.marker] {
            guard search.move(to: anchor.code) else {
                add(
                    .tooClose, fine: anchor.marker,
                    "has more than \(CellIndex.placesLimit) clusters of zoom \(coarse.zoom) around it")
                continue
            }
            let parents = search.near.filter { isPossible(clusters[$0], for: anchor, within: reach) }
            counts.add(fine.pointCount(anchor.marker), toOneOf: parents)
            if parents.isEmpty {
                add(
                    .wrongNesting, fine: anchor.marker,
                    "is in the box of no cluster near it at zoom \(coarse.zoom)")
            }
        }
        for (place, cluster) in clusters.enumerated() { check(cluster, counts[place]) }
    }

    /// Checks how many points a cluster has.
    private mutating func check(_ cluster: Anchor, _ counts: (least: Int, most: Int)) {
        let pointCount = coarse.pointCount(cluster.marker)
        guard pointCount < counts.least || pointCount > max(counts.least, counts.most) else { return }
        add(
            .wrongNesting, cluster.marker,
            "has \(pointCount) points, expected \(counts.least) to \(counts.most) by zoom \(fine.zoom)")
    }

    private func isPossible(_ cluster: Anchor, for anchor: Anchor, within reach: UInt64) -> Bool {
        // With the same id, it is the same cluster.
        let record = fine.records[anchor.marker]
        if !record.isPoint, cluster.code == anchor.code { return true }
        let isNear =
            reach > 1 << 32 || center(of: cluster, in: coarse).isCloser(than: reach, to: center(of: anchor, in: fine))
        return isNear && coarse.boundingBox(cluster.marker).containsBorders(of: fine.boundingBox(anchor.marker))
    }

    /// The centre of the node that a cluster's id names; for a point, its own place.
    private func center(of anchor: Anchor, in markers: ZoomMarkers) -> WorldPoint {
        guard !markers.records[anchor.marker].isPoint else { return anchor.code.point }
        let corner = anchor.code.point
        return WorldPoint(x: corner.x | 32, y: corner.y | 32)
    }
}

/// How many points each cluster must have at least, and can have at most.
private struct PossibleCounts {
    private var all: [(least: Int, most: Int)]

    init(clusterCount: Int) { all = Array(repeating: (0, 0), count: clusterCount) }

    subscript(cluster: Int) -> (least: Int, most: Int) { all[cluster] }

    /// Adds a marker's points.
    mutating func add(_ pointCount: Int, toOneOf clusters: [Int]) {
        for cluster in clusters { all[cluster].most = all[cluster].most.saturatingAdd(pointCount) }
        guard clusters.count == 1 else { return }
        all[clusters[0]].least = all[clusters[0]].least.saturatingAdd(pointCount)
    }
}
