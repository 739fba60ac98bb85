import PyramidTiles

/// What the clusters of one zoom are: the candidates' counts, boxes and means, added up along the hierarchy from the
/// last clustered zoom to the first.
///
/// All sums are of integers, relative to each candidate's own anchor, so they are exact and know no antimeridian.
struct ClusterAggregation: Sendable {
    private let hierarchy: ClusterHierarchy
    private let quadtree: LinearQuadtree
    /// Of a point.
    private let coordinate: @Sendable (Int) -> Coordinate
    /// The candidates that join others, in the order of their zooms, the last zoom first.
    private let joining: [UInt32]
    private var joined = 0

    /// How many points a candidate stands for at this zoom.
    private(set) var pointCount: [UInt32]
    /// The zoom at which it comes apart: one more than the last zoom at which something joined it.
    private(set) var expansionZoom: [Int8]
    private var extents: [Extent]
    /// Empty where nobody asks for means.
    private var sums: [Offset]

    /// The box around a candidate's members, in microdegrees from its anchor.
    private struct Extent {
        var west: Int32 = 0, south: Int32 = 0, east: Int32 = 0, north: Int32 = 0
    }

    /// World units from a candidate's anchor, summed over its points.
    private struct Offset {
        var east: Int64 = 0, south: Int64 = 0
    }

    private struct Member {
        let coordinate: Coordinate
        let place: WorldPoint
    }

    /// The candidates before anything has joined them.
    /// - Parameters:
    ///   - lastZoom: with clusters.
    ///   - hasMeans: whether anybody asks for ``meanOffset(of:)``.
    ///   - coordinate: of a point.
    init(
        of hierarchy: ClusterHierarchy, quadtree: LinearQuadtree, lastZoom: Int, hasMeans: Bool,
        coordinate: @escaping @Sendable (Int) -> Coordinate
    ) {
        self.hierarchy = hierarchy
        self.quadtree = quadtree
        self.coordinate = coordinate
        let count = hierarchy.candidateCount
        joining = hierarchy.candidatesByJoinZoom()
        pointCount = (0..<count).map { UInt32(hierarchy.points(of: $0).count) }
        expansionZoom = [Int8](repeating: Int8(lastZoom + 1), count: count)
        extents = [Extent](repeating: Extent(), count: count)
        sums = [Offset](repeating: Offset(), count: hasMeans ? count : 0)
        for candidate in 0..<count where pointCount[candidate] > 1 {
            for point in hierarchy.points(of: candidate) {
                add(member(point), Extent(), Offset(), count: 1, to: candidate)
            }
        }
    }

    private func member(_ point: Int) -> Member {
        Member(coordinate: coordinate(point), place: quadtree.point(at: point))
    }

    private func anchor(of candidate: Int) -> Member { member(Int(hierarchy.anchorPoint[candidate])) }

    /// Adds what joins at this zoom; zooms come one after the other, from the last to the first.
    mutating func descend(toZoom zoom: Int) {
        while joined < joining.count, hierarchy.joinZoom[Int(joining[joined])] >= zoom {
            let member = Int(joining[joined])
            let parent = Int(hierarchy.parent[member])
            let sum = sums.isEmpty ? Offset() : sums[member]
            add(anchor(of: member), extents[member], sum, count: pointCount[member], to: parent)
            pointCount[parent] += pointCount[member]
            expansionZoom[parent] = hierarchy.joinZoom[member] + 1
            joined += 1
        }
    }

    /// The id of a candidate as a cluster.
    func clusterID(of candidate: Int) -> UInt64 {
        MortonCode(anchor(of: candidate).place).clusterID ^ hierarchy.group(of: candidate).idMask
    }

    /// The box around the members.
    func boundingBox(of candidate: Int) -> BoundingBox {
        let extent = extents[candidate]
        let anchor = coordinate(Int(hierarchy.anchorPoint[candidate]))
        let isWholeWorld = Int64(extent.east) - Int64(extent.west) >= 360_000_000
        return BoundingBox(
            west: isWholeWorld ? -180_000_000 : anchor.longitude(movedBy: extent.west),
            south: anchor.latitudeMicrodegrees + extent.south,
            east: isWholeWorld ? 180_000_000 : anchor.longitude(movedBy: extent.east),
            north: anchor.latitudeMicrodegrees + extent.north)
    }

    /// From the anchor to the mean of the members, in world units, rounded to the nearest; halves to the east and south.
    func meanOffset(of candidate: Int) -> (east: Int64, south: Int64) {
        let count = Int64(pointCount[candidate])
        return (
            (2 * sums[candidate].east + count).dividedRoundingDown(by: 2 * count),
            (2 * sums[candidate].south + count).dividedRoundingDown(by: 2 * count)
        )
    }

    private mutating func add(_ member: Member, _ extent: Extent, _ sum: Offset, count: UInt32, to parent: Int) {
        let anchor = anchor(of: parent)
        let east = anchor.coordinate.longitudeDifference(to: member.coordinate)
        let north = member.coordinate.latitudeMicrodegrees - anchor.coordinate.latitudeMicrodegrees
        extents[parent].west = min(extents[parent].west, east + extent.west)
        extents[parent].east = max(extents[parent].east, east + extent.east)
        extents[parent].south = min(extents[parent].south, north + extent.south)
        extents[parent].north = max(extents[parent].north, north + extent.north)
        guard !sums.isEmpty else { return }
        sums[parent].east += sum.east + Int64(count) * member.place.eastward(from: anchor.place)
        sums[parent].south += sum.south + Int64(count) * member.place.southward(from: anchor.place)
    }
}

extension ClusterHierarchy {
    /// The candidates that join others, the last zoom first, and of one zoom in Morton order.
    fileprivate func candidatesByJoinZoom() -> [UInt32] {
        var starts = [Int](repeating: 0, count: ClusteringOptions.zooms.count + 1)
        for zoom in joinZoom where zoom != ClusterHierarchy.neverJoins {
            starts[ClusteringOptions.zooms.upperBound - Int(zoom) + 1] += 1
        }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        var candidates = [UInt32](repeating: 0, count: starts[starts.count - 1])
        for candidate in 0..<candidateCount where joinZoom[candidate] != ClusterHierarchy.neverJoins {
            let place = ClusteringOptions.zooms.upperBound - Int(joinZoom[candidate])
            candidates[starts[place]] = UInt32(candidate)
            starts[place] += 1
        }
        return candidates
    }
}

extension Coordinate {
    /// Microdegrees to the east, the short way round: in -180,000,000 ..< 180,000,000.
    fileprivate func longitudeDifference(to other: Coordinate) -> Int32 {
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

extension Int64 {
    fileprivate func dividedRoundingDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
