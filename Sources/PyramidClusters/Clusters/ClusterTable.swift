import PyramidInput
import PyramidTiles

/// All clusters of a pyramid with their counts, boxes and means, added up from the highest clustered zoom to the
/// lowest. A cluster that is the same at several zooms is one entry.
///
/// A candidate becomes a new cluster at each zoom at which others join it, so there are never more clusters than
/// points. All sums are integers relative to the anchors: exact, and the antimeridian needs no special case.
package struct ClusterTable: Sendable {
    /// A cluster, from the zoom at which its last member joins it down to the zoom at which it changes or joins
    /// another.
    package struct Entry: Sendable {
        package let candidate: UInt32
        /// The point whose place it keeps.
        package let anchorPoint: UInt32
        package fileprivate(set) var pointCount: UInt32
        /// The zoom at which it splits: one higher than the zoom at which its last member joined; ``neverSplits`` for
        /// more points at one place than the coincident limit.
        package fileprivate(set) var expansionZoom: Int8
        /// Whether it is shown only at unclustered zooms: at the highest clustered zoom it is part of another cluster.
        fileprivate(set) var isPlaceOnly = false
        package fileprivate(set) var extent: ClusterExtent

        package static let neverSplits: Int8 = -1

        /// Whether it consists of all the points of a group at one place, which stay together at every zoom.
        package var staysTogether: Bool { expansionZoom == Entry.neverSplits }

        /// The box around the members. As a method of the table it was measured to copy the table.
        /// - Parameter anchor: the anchor's coordinates.
        package func boundingBox(around anchor: Coordinate) -> BoundingBox { extent.boundingBox(around: anchor) }
    }

    /// World units from a cluster's anchor, summed over its points.
    private struct Offset {
        var east: Int64 = 0, south: Int64 = 0
    }

    /// First the inner places (coincident points that share a candidate with other places), then by zoom, the highest
    /// first.
    package private(set) var entries: [Entry] = []
    /// The coincident clusters (more points at one place than the coincident limit), in the order of their points.
    package private(set) var places: [Int] = []
    /// The end of the inner places.
    private var innerPlacesEnd = 0
    /// By entry; empty if no means are needed.
    private var sums: [Offset] = []
    private let hasMeans: Bool
    /// The end of the entries that begin at each zoom, by `lastZoom + 1 - zoom`; the first one is for candidates of
    /// several points.
    private var ends: [Int] = []
    private let lastZoom: Int

    private let quadtree: LinearQuadtree
    package let coordinates: PointCoordinates

    /// By entry: sums and counts of the members' columns.
    package private(set) var aggregates: Aggregates

    /// - Parameter values: the columns to aggregate.
    package init(
        of hierarchy: ClusterHierarchy, quadtree: LinearQuadtree, rules: ClusteringRules, coordinates: PointCoordinates,
        values: PointValues = PointValues(), precedence: PointPrecedence = PointPrecedence(), jobs: Int = 1
    ) {
        self.quadtree = quadtree
        self.coordinates = coordinates
        hasMeans = rules.needsMeans
        lastZoom = rules.firstUnclusteredZoom - 1
        aggregates = Aggregates(of: values)
        let joins = ClusterJoins(of: hierarchy, jobs: jobs)
        reserveCapacity(hierarchy.clusterCount(joins))
        var current = CurrentClusters(candidateCount: hierarchy.candidateCount)
        let limit = rules.placeLimit
        let isOfPoints = hierarchy.known.isEmpty
        if isOfPoints, rules.keepsPlacesTogether {
            appendInnerPlaces(of: hierarchy, values, precedence, limit: limit)
        }
        innerPlacesEnd = entries.count
        for (candidate, cluster) in hierarchy.known.clusters {
            current[Int(candidate)] = append(cluster, of: candidate, hierarchy)
        }
        for candidate in 0..<(isOfPoints ? hierarchy.candidateCount : 0) {
            let points = hierarchy.points(of: candidate)
            guard points.count > 1 else { continue }
            let cluster = append(candidate, after: nil, of: hierarchy, values, expansionZoom: lastZoom + 1)
            current[candidate] = cluster
            if points.count > limit, quadtree.isOnePlace(points) {
                entries[cluster].expansionZoom = Entry.neverSplits
                places.append(cluster)
            }
            // The anchor, one of these points, was added already.
            let anchor = Int(hierarchy.anchorPoint[candidate])
            for point in points where point != anchor { add(point: point, of: values, to: cluster) }
            aggregates.finish()
        }
        ends.append(entries.count)

        var next = 0
        for zoom in rules.zooms.map(\.zoom) {
            while next < joins.count, joins.zoom(next) == zoom {
                let (first, parent) = (next, joins.parent(next))
                let cluster = append(parent, after: current[parent], of: hierarchy, values, expansionZoom: zoom + 1)
                while next < joins.count, joins.areTogether(first, next) {
                    let member = Int(joins.candidates[next])
                    if let merged = current[member] {
                        merge(merged, into: cluster)
                    } else {
                        add(point: Int(hierarchy.anchorPoint[member]), of: values, to: cluster)
                    }
                    next += 1
                }
                aggregates.finish()
                current[parent] = cluster
            }
            ends.append(entries.count)
            guard zoom == lastZoom else { continue }
            for cluster in places where cluster >= innerPlacesEnd {
                let candidate = Int(entries[cluster].candidate)
                entries[cluster].isPlaceOnly =
                    current[candidate] != cluster || !hierarchy.isAnchor(candidate, atZoom: zoom)
            }
        }
        if rules.zooms.isEmpty { for cluster in places { entries[cluster].isPlaceOnly = true } }
        if innerPlacesEnd > 0 {
            places.sort { entries[$0].anchorPoint < entries[$1].anchorPoint }
        }
    }

    /// How many markers coincident clusters save at an unclustered zoom.
    package var hiddenPointCount: Int { places.reduce(0) { $0 + Int(entries[$1].pointCount) - 1 } }

    /// The points of a coincident cluster.
    package func points(ofPlace entry: Entry) -> Range<Int> {
        let anchor = Int(entry.anchorPoint)
        let code = quadtree.codes[anchor]
        let first = quadtree.group(of: anchor).points.partitioningIndex { quadtree.codes[$0] >= code }
        return first..<first + Int(entry.pointCount)
    }

    /// The clusters that begin at a zoom; at the lowest unclustered zoom, the candidates of several points.
    package func entries(from zoom: Int) -> Range<Int> {
        let index = lastZoom + 1 - zoom
        return (index == 0 ? innerPlacesEnd : ends[index - 1])..<ends[index]
    }

    /// Whether the cluster is a candidate that no other has joined.
    func isCandidate(_ entry: Entry) -> Bool { entry.staysTogether || Int(entry.expansionZoom) > lastZoom }

    /// The Morton code of a point's place.
    package func code(ofPoint point: Int) -> MortonCode { MortonCode(rawValue: quadtree.codes[point]) }

    /// XORed with the ids of a point's clusters, so that ids of different groups differ.
    package func idMask(ofPoint point: Int) -> UInt64 { quadtree.group(of: point).idMask }

    /// World units from the anchor to the mean of the members, rounded to the nearest; halves to the east and south.
    func meanOffset(of cluster: Int) -> (east: Int64, south: Int64) {
        let count = Int64(entries[cluster].pointCount)
        return (
            (2 * sums[cluster].east + count).dividedRoundingDown(by: 2 * count),
            (2 * sums[cluster].south + count).dividedRoundingDown(by: 2 * count)
        )
    }

    // MARK: Adding up

    /// Adds the coincident clusters that share a candidate with other places.
    private mutating func appendInnerPlaces(
        of hierarchy: ClusterHierarchy, _ values: PointValues, _ precedence: PointPrecedence, limit: Int
    ) {
        for candidate in 0..<hierarchy.candidateCount {
            let points = hierarchy.points(of: candidate)
            guard points.count > limit, !quadtree.isOnePlace(points) else { continue }
            var start = points.lowerBound
            while start < points.upperBound {
                let code = quadtree.codes[start]
                let end = (start..<points.upperBound).partitioningIndex { quadtree.codes[$0] > code }
                if end - start > limit {
                    let anchor = precedence.highest(of: start..<end).point
                    entries.append(
                        Entry(
                            candidate: UInt32(candidate), anchorPoint: UInt32(anchor), pointCount: 1,
                            expansionZoom: Entry.neverSplits, isPlaceOnly: true,
                            extent: ClusterExtent(coordinates[anchor])))
                    if hasMeans { sums.append(Offset()) }
                    aggregates.begin()
                    aggregates.add(point: anchor, of: values)
                    for point in start..<end where point != anchor {
                        add(point: point, of: values, to: entries.count - 1)
                    }
                    aggregates.finish()
                    places.append(entries.count - 1)
                }
                start = end
            }
        }
    }

    /// Begins with a cluster that another process has made.
    private mutating func append(
        _ cluster: KnownCluster, of candidate: UInt32, _ hierarchy: ClusterHierarchy
    ) -> Int {
        entries.append(
            Entry(
                candidate: candidate, anchorPoint: hierarchy.anchorPoint[Int(candidate)],
                pointCount: cluster.pointCount, expansionZoom: cluster.expansionZoom, extent: cluster.extent))
        if hasMeans { sums.append(Offset(east: cluster.eastSum, south: cluster.southSum)) }
        aggregates.append(cluster.aggregates)
        return entries.count - 1
    }

    /// A cluster that is not part of another one, as a candidate of lower zooms.
    package func knownCluster(of index: Int) -> KnownCluster {
        let entry = entries[index]
        return KnownCluster(
            pointCount: entry.pointCount, expansionZoom: entry.expansionZoom, extent: entry.extent,
            eastSum: hasMeans ? sums[index].east : 0, southSum: hasMeans ? sums[index].south : 0,
            aggregates: aggregates.values(of: index))
    }

    private mutating func reserveCapacity(_ clusterCount: Int) {
        entries.reserveCapacity(clusterCount)
        if hasMeans { sums.reserveCapacity(clusterCount) }
        aggregates.reserveCapacity(clusterCount)
    }

    /// Begins a cluster with all members of an earlier one of the same anchor, or with the anchor alone.
    private mutating func append(
        _ candidate: Int, after earlier: Int?, of hierarchy: ClusterHierarchy, _ values: PointValues,
        expansionZoom: Int
    ) -> Int {
        var entry = Entry(
            candidate: UInt32(candidate), anchorPoint: hierarchy.anchorPoint[candidate], pointCount: 1,
            expansionZoom: Int8(expansionZoom),
            extent: ClusterExtent(coordinates[Int(hierarchy.anchorPoint[candidate])]))
        aggregates.begin()
        if let earlier {
            (entry.pointCount, entry.extent) = (entries[earlier].pointCount, entries[earlier].extent)
            aggregates.merge(earlier)
        } else {
            aggregates.add(point: Int(entry.anchorPoint), of: values)
        }
        entries.append(entry)
        if hasMeans { sums.append(earlier.map { sums[$0] } ?? Offset()) }
        return entries.count - 1
    }

    /// Adds an earlier cluster to the last one.
    private mutating func merge(_ member: Int, into cluster: Int) {
        add(entries[member], hasMeans ? sums[member] : Offset(), to: cluster)
        aggregates.merge(member)
    }

    /// Adds a point to the last cluster.
    private mutating func add(point: Int, of values: PointValues, to cluster: Int) {
        add(
            Entry(
                candidate: 0, anchorPoint: UInt32(point), pointCount: 1, expansionZoom: 0,
                extent: ClusterExtent(coordinates[point])),
            Offset(), to: cluster)
        aggregates.add(point: point, of: values)
    }

    private mutating func add(_ member: Entry, _ sum: Offset, to cluster: Int) {
        let anchor = Int(entries[cluster].anchorPoint)
        entries[cluster].pointCount += member.pointCount
        entries[cluster].extent.add(
            member.extent,
            movedEastBy: coordinates[anchor].longitudeDifference(to: coordinates[Int(member.anchorPoint)]))
        guard hasMeans else { return }
        let (place, anchorPlace) = (quadtree.point(at: Int(member.anchorPoint)), quadtree.point(at: anchor))
        let count = Int64(member.pointCount)
        sums[cluster].east += sum.east + count * place.eastward(from: anchorPlace)
        sums[cluster].south += sum.south + count * place.southward(from: anchorPlace)
    }
}

extension ClusterHierarchy {
    /// The number of different clusters at all zooms.
    fileprivate func clusterCount(_ joins: ClusterJoins) -> Int {
        let first =
            known.isEmpty ? (0..<candidateCount).count { pointCount(of: $0) > 1 } : known.clusters.count
        return first + (0..<joins.count).count { $0 == 0 || !joins.areTogether($0 - 1, $0) }
    }
}

/// By candidate: its cluster in a ``ClusterTable`` at some zoom, if any.
struct CurrentClusters: Sendable {
    private var clusters: [UInt32]
    private static let none = UInt32.max

    init(candidateCount: Int) {
        clusters = [UInt32](repeating: CurrentClusters.none, count: candidateCount)
    }

    /// `nil` if the candidate is a single point.
    subscript(candidate: Int) -> Int? {
        get { clusters[candidate] == CurrentClusters.none ? nil : Int(clusters[candidate]) }
        set { clusters[candidate] = newValue.map { UInt32($0) } ?? CurrentClusters.none }
    }
}

extension Int64 {
    fileprivate func dividedRoundingDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
