import PyramidTiles

/// The extent of a cluster's points, added up from cluster to cluster.
package struct ClusterExtent: Sendable {
    /// From the least to the greatest longitude.
    package var box: BoundingBox
    /// Microdegrees from the anchor, the short way to each member's anchor and on from there. Where clusters are as large as
    /// the world, this can lead around it.
    package var west: Int32 = 0, east: Int32 = 0

    /// The extent of a point.
    package init(_ coordinate: Coordinate) { box = BoundingBox(coordinate) }

    /// Adds a member, whose anchor is so many microdegrees away, the short way.
    package mutating func add(_ member: ClusterExtent, movedEastBy distance: Int32) {
        box = box.union(member.box)
        west = min(west, distance + member.west)
        east = max(east, distance + member.east)
    }

    /// The narrower of two boxes: one may cross the antimeridian, the other doesn't.
    package func boundingBox(around anchor: Coordinate) -> BoundingBox {
        guard Int64(east) - Int64(west) <= box.width else { return box }
        return BoundingBox(
            west: anchor.longitude(movedBy: west), south: box.south, east: anchor.longitude(movedBy: east),
            north: box.north)
    }
}

/// As numbers, for files.
extension ClusterExtent {
    package static let numberCount = 6

    package var numbers: [Int32] { box.edges + [west, east] }

    /// `nil` if no extent has these numbers.
    package init?(numbers: [Int32]) {
        // Chains of markers at zoom 0 reach two widths of the world from an anchor.
        let reach: Int32 = 720_000_000
        guard numbers.count == ClusterExtent.numberCount, let box = BoundingBox(edges: Array(numbers.prefix(4))),
            (-reach...0).contains(numbers[4]), (0...reach).contains(numbers[5])
        else { return nil }
        (self.box, west, east) = (box, numbers[4], numbers[5])
    }
}

extension Coordinate {
    /// Microdegrees to the east, the short way round: in -180,000,000 ..< 180,000,000.
    func longitudeDifference(to other: Coordinate) -> Int32 {
        Coordinate.wrapped(Int64(other.longitudeMicrodegrees) - Int64(longitudeMicrodegrees))
    }

    fileprivate func longitude(movedBy microdegrees: Int32) -> Int32 {
        Coordinate.wrapped(Int64(longitudeMicrodegrees) + Int64(microdegrees))
    }

    private static func wrapped(_ microdegrees: Int64) -> Int32 {
        let turned = (microdegrees + 180_000_000) % 360_000_000
        return Int32((turned < 0 ? turned + 360_000_000 : turned) - 180_000_000)
    }
}
