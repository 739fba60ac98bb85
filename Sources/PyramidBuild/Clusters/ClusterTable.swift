import PyramidTiles

/// Every cluster of a pyramid, once, however many zooms it is at: counts, boxes and means, added up along the hierarchy
/// from the last clustered zoom to the first.
///
/// A candidate is another cluster after every zoom at which something joins it, so there are at most as many clusters as
/// points. All sums are of integers, relative to each candidate's own anchor, so they are exact and know no antimeridian.
struct ClusterTable: Sendable {
    /// A cluster, from the zoom at which the last of its members joins it up to the one at which it changes or ends.
    struct Entry: Sendable {
        let candidate: UInt32
        /// The point that it stands for.
        let anchorPoint: UInt32
        fileprivate(set) var pointCount: UInt32
        /// The zoom at which it comes apart: one more than the zoom at which the last of its members joined it.
        let expansionZoom: Int8
        /// The box around the members, in microdegrees from the anchor.
        fileprivate var west: Int32 = 0, south: Int32 = 0, east: Int32 = 0, north: Int32 = 0

        /// The box around the members. Asking the table instead was measured to copy it, with all its references.
        /// - Parameter anchor: the anchor's coordinates.
        func boundingBox(around anchor: Coordinate) -> BoundingBox {
            let isWholeWorld = Int64(east) - Int64(west) >= 360_000_000
            return BoundingBox(
                west: isWholeWorld ? -180_000_000 : anchor.longitude(movedBy: west),
                south: anchor.latitudeMicrodegrees + south,
                east: isWholeWorld ? 180_000_000 : anchor.longitude(movedBy: east),
                north: anchor.latitudeMicrodegrees + north)
        }
    }

    /// World units from a cluster's anchor, summed over its points.
    private struct Offset {
        var east: Int64 = 0, south: Int64 = 0
    }

    /// Those that come to be at the last zoom first.
    private(set) var entries: [Entry] = []
    /// By entry; empty where nobody asks for means.
    private var sums: [Offset] = []
    private let hasMeans: Bool
    /// Of each zoom below the last, and the last itself, how many entries there are down to it; by `lastZoom + 1 - zoom`.
    private var ends: [Int] = []
    private let lastZoom: Int

    private let quadtree: LinearQuadtree
    let coordinates: PointCoordinates

    /// What the clusters say of their members' columns, by entry.
    private(set) var aggregates: Aggregates

    /// - Parameters:
    ///   - values: the columns to aggregate.
    ///   - joined: is called for every candidate that joins another, with how many points that one had before.
    init(
        of hierarchy: ClusterHierarchy, quadtree: LinearQuadtree, rules: ClusteringRules, coordinates: PointCoordinates,
        values: PointValues = PointValues(),
        joined: (_ candidate: Int, _ pointCountBefore: Int) -> Void = { _, _ in }
    ) {
        self.quadtree = quadtree
        self.coordinates = coordinates
        hasMeans = rules.needsMeans
        lastZoom = rules.firstUnclusteredZoom - 1
        aggregates = Aggregates(of: values)
        var current = CurrentClusters(candidateCount: hierarchy.candidateCount)
        for candidate in 0..<hierarchy.candidateCount {
            let points = hierarchy.points(of: candidate)
            guard points.count > 1 else { continue }
            let cluster = append(candidate, after: nil, of: hierarchy, expansionZoom: lastZoom + 1)
            current[candidate] = cluster
            // The anchor is one of them, and is there already.
            let anchor = Int(hierarchy.anchorPoint[candidate])
            for point in points where point != anchor { add(point: point, to: cluster) }
            aggregates.finish()
        }
        ends.append(entries.count)

        let joining = hierarchy.candidatesByJoinZoom()
        var next = 0
        for zoom in rules.zooms.map(\.zoom) {
            while next < joining.count, hierarchy.joinZoom[Int(joining[next])] == zoom {
                let parent = hierarchy.parent[Int(joining[next])]
                let cluster = append(
                    Int(parent), after: current[Int(parent)], of: hierarchy, expansionZoom: zoom + 1)
                while next < joining.count, case let member = Int(joining[next]), hierarchy.joinZoom[member] == zoom,
                    hierarchy.parent[member] == parent
                {
                    joined(member, Int(entries[cluster].pointCount))
                    add(current[member], anchoredAt: Int(hierarchy.anchorPoint[member]), to: cluster)
                    next += 1
                }
                aggregates.finish()
                current[Int(parent)] = cluster
            }
            ends.append(entries.count)
        }
    }

    /// The clusters that come to be at a zoom, or, below the last clustered zoom, those of points that are never apart.
    func entries(from zoom: Int) -> Range<Int> {
        let index = lastZoom + 1 - zoom
        return (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    /// The place of a point.
    func code(ofPoint point: Int) -> MortonCode { MortonCode(rawValue: quadtree.codes[point]) }

    /// The box around the members.
    func boundingBox(of entry: Entry) -> BoundingBox {
        entry.boundingBox(around: coordinates[Int(entry.anchorPoint)])
    }

    /// From the anchor to the mean of the members, in world units, rounded to the nearest; halves to the east and south.
    func meanOffset(of cluster: Int) -> (east: Int64, south: Int64) {
        let count = Int64(entries[cluster].pointCount)
        return (
            (2 * sums[cluster].east + count).dividedRoundingDown(by: 2 * count),
            (2 * sums[cluster].south + count).dividedRoundingDown(by: 2 * count)
        )
    }

    // MARK: Adding up

    /// Begins a cluster with all that an earlier one of the same anchor has, or with the anchor alone.
    private mutating func append(
        _ candidate: Int, after earlier: Int?, of hierarchy: ClusterHierarchy, expansionZoom: Int
    ) -> Int {
        var entry = Entry(
            candidate: UInt32(candidate), anchorPoint: hierarchy.anchorPoint[candidate], pointCount: 1,
            expansionZoom: Int8(expansionZoom))
        if let earlier {
            entry.takeOver(entries[earlier])
            aggregates.append(takingOver: earlier)
        } else {
            aggregates.append(point: Int(entry.anchorPoint))
        }
        entries.append(entry)
        if hasMeans { sums.append(earlier.map { sums[$0] } ?? Offset()) }
        return entries.count - 1
    }

    /// Adds a cluster, or the single point of a candidate.
    private mutating func add(_ member: Int?, anchoredAt anchorPoint: Int, to cluster: Int) {
        guard let member else { return add(point: anchorPoint, to: cluster) }
        add(entries[member], hasMeans ? sums[member] : Offset(), to: cluster)
        aggregates.merge(member, into: cluster)
    }

    private mutating func add(point: Int, to cluster: Int) {
        add(Entry(candidate: 0, anchorPoint: UInt32(point), pointCount: 1, expansionZoom: 0), Offset(), to: cluster)
        aggregates.add(point: point, to: cluster)
    }

    private mutating func add(_ member: Entry, _ sum: Offset, to cluster: Int) {
        let anchor = Int(entries[cluster].anchorPoint)
        let (from, to) = (coordinates[anchor], coordinates[Int(member.anchorPoint)])
        entries[cluster].add(
            member, east: from.longitudeDifference(to: to),
            north: to.latitudeMicrodegrees - from.latitudeMicrodegrees)
        guard hasMeans else { return }
        let (place, anchorPlace) = (quadtree.point(at: Int(member.anchorPoint)), quadtree.point(at: anchor))
        let count = Int64(member.pointCount)
        sums[cluster].east += sum.east + count * place.eastward(from: anchorPlace)
        sums[cluster].south += sum.south + count * place.southward(from: anchorPlace)
    }
}

extension ClusterTable.Entry {
    /// Adds the points of another one, whose anchor is so many microdegrees away.
    fileprivate mutating func add(_ member: ClusterTable.Entry, east: Int32, north: Int32) {
        pointCount += member.pointCount
        west = min(west, east + member.west)
        self.east = max(self.east, east + member.east)
        south = min(south, north + member.south)
        self.north = max(self.north, north + member.north)
    }

    /// Has all that an earlier one of the same anchor has.
    fileprivate mutating func takeOver(_ earlier: ClusterTable.Entry) {
        (pointCount, west, south) = (earlier.pointCount, earlier.west, earlier.south)
        (east, north) = (earlier.east, earlier.north)
    }
}

/// Which cluster of a ``ClusterTable`` each candidate is, where it is one.
struct CurrentClusters: Sendable {
    private var clusters: [UInt32]
    private static let none = UInt32.max

    init(candidateCount: Int) {
        clusters = [UInt32](repeating: CurrentClusters.none, count: candidateCount)
    }

    /// `nil` for a candidate that is a single point.
    subscript(candidate: Int) -> Int? {
        get { clusters[candidate] == CurrentClusters.none ? nil : Int(clusters[candidate]) }
        set { clusters[candidate] = newValue.map { UInt32($0) } ?? CurrentClusters.none }
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
