import PyramidBuild
import PyramidClusters
import PyramidInput
import PyramidTiles

/// What a part hands over to the join: the markers of the cut zoom whose anchors are in the part, and the rows that the
/// join needs.
struct HandOver {
    let points: PointTable
    let content: ClusterContent
    let candidates: [(anchor: Int, members: [Int], cluster: KnownCluster?)]
    /// The points whose rows are handed over; ascending.
    let rows: [Int]
    /// The part's own points.
    let ownPoints: [Int]
    let quadtree: LinearQuadtree

    /// - Parameter descent: at the cut zoom.
    init(
        of descent: ClusterDescent, inside codes: ClosedRange<UInt64>, points: PointTable, content: ClusterContent
    ) {
        self.points = points
        self.content = content
        quadtree = descent.quadtree
        let clusters = descent.clusters
        var candidates: [(anchor: Int, members: [Int], cluster: KnownCluster?)] = []
        var isNeeded = [Bool](repeating: false, count: quadtree.count)
        for candidate in descent.anchors.map(Int.init) {
            let anchor = Int(descent.hierarchy.anchorPoint[candidate])
            guard codes.contains(quadtree.codes[anchor]) else { continue }
            if let entry = descent.cluster(of: candidate) {
                let members = content.neededMembers(
                    of: entry, in: clusters, points: points, minPoints: descent.rules.minPoints)
                var cluster = clusters.table.knownCluster(of: entry)
                let points = descent.hierarchy.points(of: candidate)
                cluster.isAlone = points.count == cluster.pointCount && quadtree.isOnePlace(points)
                candidates.append((anchor, members, cluster))
                for member in members { isNeeded[member] = true }
            } else {
                candidates.append((anchor, [anchor], nil))
            }
            isNeeded[anchor] = true
        }
        for point in quadtree.unclustered where codes.contains(quadtree.codes[point]) { isNeeded[point] = true }
        self.candidates = candidates
        rows = isNeeded.indices.filter { isNeeded[$0] }
        ownPoints = quadtree.codes.indices.filter { [quadtree] in codes.contains(quadtree.codes[$0]) }
    }

    var rowCount: Int { rows.count }
    var candidateCount: Int { candidates.count }
    /// How many of the part's own points never merge.
    var unclusteredPoints: Int { ownPoints.count { quadtree.unclustered.contains($0) } }
    var ownCodes: [UInt64] { ownPoints.map { quadtree.codes[$0] } }

    /// West, south, east and north of the part's own points in microdegrees; `nil` if it has none.
    var bounds: [Int32]? {
        guard let first = ownPoints.first else { return nil }
        return ownPoints.reduce(BoundingBox(points.coordinate(first))) {
            $0.union(BoundingBox(points.coordinate($1)))
        }.edges
    }
}
