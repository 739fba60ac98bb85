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
        let reach = Reach(options, precision).shownJoinUnits(atZoom: coarse.zoom)
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
            var parents = search.near.filter { isPossible(clusters[$0], for: anchor, within: reach) }
            if joinsNearest { removeFarther(from: &parents, of: clusters, for: anchor) }
            let isShown = mayBeShownAlready[anchor.marker]
            counts.add(fine.pointCount(anchor.marker), toOneOf: parents, isCertain: !isShown)
            if parents.isEmpty, !isShown {
                let box = precision.isExact ? "is in the box of" : "has"
                add(.wrongNesting, fine: anchor.marker, "\(box) no cluster near it at zoom \(coarse.zoom)")
            }
        }
        for (place, cluster) in clusters.enumerated() { check(cluster, counts[place]) }
    }

    /// Checks how many points a cluster has.
    mutating func check(_ cluster: Anchor, _ counts: (least: Int, most: Int)) {
        let pointCount = coarse.pointCount(cluster.marker)
        guard pointCount < counts.least || pointCount > max(counts.least, counts.most) else { return }
        add(
            .wrongNesting, cluster.marker,
            "has \(pointCount) points, expected \(counts.least) to \(counts.most) by zoom \(fine.zoom)")
    }

    /// Whether markers join the nearest cluster, but places aren't exact enough to tell which one that is.
    private var joinsNearest: Bool {
        !precision.isExact && options.placesAreAnchors && options.minPoints == 2 && options.ranksByCountAlone
    }

    /// Keeps only the clusters that can be the nearest to a marker.
    private func removeFarther(from parents: inout [Int], of clusters: [Anchor], for anchor: Anchor) {
        let place = center(of: anchor, in: fine)
        func distance(_ parent: Int) -> Double {
            let other = center(of: clusters[parent], in: coarse)
            let (east, south) = (Double(place.eastward(from: other)), Double(place.southward(from: other)))
            return (east * east + south * south).squareRoot()
        }
        // As in ``Reach``: half the diagonals of two nodes, and a micro-cell's diagonal.
        var error = 92 + Double(precision.distanceUnits(atZoom: fine.zoom))
        if coarse.zoom == options.clusterMaxZoom {
            error += 1.5 * Double(UInt64(1) << UInt64(32 - min(32, options.candidateDepth)))
        }
        guard let nearest = parents.lazy.map(distance).min() else { return }
        parents.removeAll { distance($0) > nearest + 2 * error }
    }

    private func isPossible(_ cluster: Anchor, for anchor: Anchor, within reach: UInt64) -> Bool {
        // With the same id, it is the same cluster.
        let record = fine.records[anchor.marker]
        if !record.isPoint, cluster.code == anchor.code { return true }
        let isNear =
            reach > 1 << 32 || center(of: cluster, in: coarse).isCloser(than: reach, to: center(of: anchor, in: fine))
        // A place that isn't exact may be on either side of a box's border.
        guard precision.isExact || precision.hasBoxes && !record.isPoint else { return isNear }
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
struct PossibleCounts {
    private var all: [(least: Int, most: Int)]

    init(clusterCount: Int) { all = Array(repeating: (0, 0), count: clusterCount) }

    subscript(cluster: Int) -> (least: Int, most: Int) { all[cluster] }

    /// Adds a marker's points.
    /// - Parameter isCertain: whether they must be in one of the clusters.
    mutating func add(_ pointCount: Int, toOneOf clusters: [Int], isCertain: Bool) {
        for cluster in clusters { all[cluster].most = all[cluster].most.saturatingAdd(pointCount) }
        guard isCertain, clusters.count == 1 else { return }
        all[clusters[0]].least = all[clusters[0]].least.saturatingAdd(pointCount)
    }
}
