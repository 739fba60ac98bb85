import PyramidInput
import PyramidTiles

/// All clusters of a pyramid. A class, because workers pass it along for every marker.
package final class ClusterPyramid: Sendable {
    package let table: ClusterTable
    /// `nil` if no members are needed.
    package let members: ClusterMembers?
    /// Only if its candidates were clusters already; otherwise `nil`, to free it.
    private let hierarchy: ClusterHierarchy?

    /// - Parameters:
    ///   - hasMembers: whether the members of clusters are needed.
    ///   - values: the columns to aggregate.
    package init(
        of hierarchy: ClusterHierarchy, in quadtree: LinearQuadtree, rules: ClusteringRules, hasMembers: Bool,
        coordinates: PointCoordinates, values: PointValues = PointValues(),
        precedence: PointPrecedence = PointPrecedence(),
        jobs: Int = 1
    ) {
        self.hierarchy = hierarchy.known.isEmpty ? nil : hierarchy
        table = ClusterTable(
            of: hierarchy, quadtree: quadtree, rules: rules, coordinates: coordinates,
            values: values, precedence: precedence, jobs: jobs)
        members = hasMembers ? ClusterMembers(of: hierarchy, jobs: jobs) : nil
    }

    package func entry(_ marker: MarkerNumber) -> ClusterTable.Entry { table.entries[marker.index] }

    package func id(of entry: ClusterTable.Entry) -> UInt64 {
        let anchor = Int(entry.anchorPoint)
        guard entry.isPlaceOnly else { return id(ofAnchor: anchor) }
        return table.code(ofPoint: anchor).placeID ^ table.idMask(ofPoint: anchor)
    }

    /// The id of the cluster with this anchor.
    package func id(ofAnchor point: Int) -> UInt64 {
        table.code(ofPoint: point).clusterID ^ table.idMask(ofPoint: point)
    }

    /// Calls `body` with the number of every member of a cluster, in no particular order. Of a ``KnownCluster``, only the
    /// members that are needed may be known.
    package func forEachMember(of entry: ClusterTable.Entry, _ body: (Int) -> Void) {
        if let hierarchy, table.isCandidate(entry) {
            return hierarchy.forEachPoint(of: Int(entry.candidate), body)
        }
        guard entry.staysTogether else { return members?.forEachPoint(of: entry, body) ?? () }
        for point in table.points(ofPlace: entry) { body(point) }
    }
}

/// A marker in 32 bits: a point's number, or a cluster's entry in the ``ClusterTable``.
///
/// Equal numbers at two zooms are the same marker. Its content is the same too, unless its place differs.
package struct MarkerNumber: Hashable, Sendable, BitwiseCopyable {
    private let rawValue: UInt32
    private static let clusterBit: UInt32 = 1 << 31

    /// - Parameter point: less than 2³¹ (``InputLimits/points``).
    package static func point(_ point: Int) -> MarkerNumber { MarkerNumber(rawValue: UInt32(point)) }
    package static func cluster(_ entry: Int) -> MarkerNumber { MarkerNumber(rawValue: UInt32(entry) | clusterBit) }
    /// A marker of which only the feature is known.
    package static let encoded = MarkerNumber(rawValue: .max)

    package var isCluster: Bool { rawValue & MarkerNumber.clusterBit != 0 }
    /// The point's number, or the cluster's entry.
    package var index: Int { Int(rawValue & ~MarkerNumber.clusterBit) }
}
