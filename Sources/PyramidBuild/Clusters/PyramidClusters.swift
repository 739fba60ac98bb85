import PyramidTiles

/// All clusters of a pyramid. A class, because workers pass it along for every marker.
final class PyramidClusters: Sendable {
    let hierarchy: ClusterHierarchy
    let table: ClusterTable
    /// `nil` if they are not needed.
    let members: ClusterMembers?

    /// - Parameters:
    ///   - hasMembers: whether the members of clusters are needed.
    ///   - values: the columns to aggregate.
    init(
        of hierarchy: ClusterHierarchy, in quadtree: LinearQuadtree, rules: ClusteringRules, hasMembers: Bool,
        coordinates: PointCoordinates, values: PointValues = PointValues(), standing: PointStanding = PointStanding()
    ) {
        self.hierarchy = hierarchy
        table = ClusterTable(
            of: hierarchy, quadtree: quadtree, rules: rules, coordinates: coordinates,
            values: values, standing: standing)
        members = hasMembers ? ClusterMembers(of: hierarchy) : nil
    }

    /// The entry of a cluster.
    func entry(_ marker: MarkerNumber) -> ClusterTable.Entry { table.entries[marker.index] }

    func id(of entry: ClusterTable.Entry) -> UInt64 {
        guard entry.isPlaceOnly else { return id(ofCandidate: Int(entry.candidate)) }
        return table.code(ofPoint: Int(entry.anchorPoint)).placeID
            ^ hierarchy.group(of: Int(entry.candidate)).idMask
    }

    /// Calls `body` with the number of every point of a cluster, in no particular order. Of a cluster that another process
    /// has made, it may know only some, which are all that are needed.
    func forEachMember(of entry: ClusterTable.Entry, _ body: (Int) -> Void) {
        if let carried = hierarchy.carried, carried.pointCounts[Int(entry.candidate)] == entry.pointCount {
            return hierarchy.forEachPoint(of: Int(entry.candidate), body)
        }
        guard entry.staysTogether else { return members?.forEachPoint(of: entry, body) ?? () }
        for point in points(ofPlace: entry) { body(point) }
    }

    /// The points of a cluster that stays together.
    func points(ofPlace entry: ClusterTable.Entry) -> Range<Int> {
        table.points(ofPlace: entry, in: hierarchy.points(of: Int(entry.candidate)))
    }

    /// The id of a candidate as a cluster.
    func id(ofCandidate candidate: Int) -> UInt64 {
        let anchor = Int(hierarchy.anchorPoint[candidate])
        return table.code(ofPoint: anchor).clusterID ^ hierarchy.group(of: candidate).idMask
    }
}

/// A marker in 32 bits: a point by its number, or a cluster by its entry in the ``ClusterTable``.
///
/// Equal numbers at two zooms mean the same marker, with the same content.
struct MarkerNumber: Hashable, Sendable, BitwiseCopyable {
    private let rawValue: UInt32
    private static let clusterBit: UInt32 = 1 << 31

    /// - Parameter point: below 2³¹, as all points are (``InputLimits/points``).
    static func point(_ point: Int) -> MarkerNumber { MarkerNumber(rawValue: UInt32(point)) }
    static func cluster(_ entry: Int) -> MarkerNumber { MarkerNumber(rawValue: UInt32(entry) | clusterBit) }

    var isCluster: Bool { rawValue & MarkerNumber.clusterBit != 0 }
    /// The point's number, or the cluster's entry.
    var index: Int { Int(rawValue & ~MarkerNumber.clusterBit) }
}
