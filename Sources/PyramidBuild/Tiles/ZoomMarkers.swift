import PyramidTiles

/// The markers of one zoom in the order of the Morton codes of their places, so that every tile is a contiguous range.
struct ZoomMarkers: Sendable {
    struct Entry: Sendable {
        /// The Morton code of the place where the marker is shown.
        let code: UInt64
        /// A point's number, or a cluster's candidate.
        let number: UInt32
        let isCluster: Bool
    }

    let zoom: Int
    private(set) var entries: [Entry] = []
    /// Where the clusters among the entries are shown, by entry; empty where each is at its anchor.
    private var places: [Coordinate] = []

    var clusterCount: Int { entries.reduce(0) { $0 + ($1.isCluster ? 1 : 0) } }

    /// Every point by itself.
    init(allPointsOf quadtree: LinearQuadtree, atZoom zoom: Int) {
        self.zoom = zoom
        entries.reserveCapacity(quadtree.count)
        append(points: 0..<quadtree.count, of: quadtree)
        if !quadtree.isWhole { sort() }
    }

    /// The markers of a clustered zoom.
    /// - Parameters:
    ///   - roots: of each candidate, the anchor that has taken it in at this zoom.
    ///   - placement: of the same zoom.
    init(placement: ClusterPlacement, roots: [UInt32]) {
        zoom = placement.zoom
        let quadtree = placement.quadtree
        for group in placement.hierarchy.groups { append(group.candidates, roots, placement) }
        append(points: quadtree.unclustered, of: quadtree)
        if !places.isEmpty { makePlaces() }
        if !quadtree.isWhole || placement.options.position != .anchor { sort() }
    }

    /// Appends the markers of one group.
    private mutating func append(_ candidates: Range<Int>, _ roots: [UInt32], _ placement: ClusterPlacement) {
        let (hierarchy, quadtree) = (placement.hierarchy, placement.quadtree)
        var clusters: [UInt32] = []
        var clusterEntries: [Int] = []
        var anchors: [UInt32] = []

        for candidate in candidates {
            let root = roots[candidate]
            let isAnchor = Int(root) == candidate
            if isAnchor { anchors.append(root) }
            let anchor = Int(hierarchy.anchorPoint[candidate])
            if placement.options.output == .filter {
                if isAnchor { append(points: anchor..<anchor + 1, of: quadtree) }
            } else if placement.aggregation.pointCount[Int(root)] < placement.options.minPoints {
                append(points: hierarchy.points(of: candidate), of: quadtree)
            } else if isAnchor {
                clusterEntries.append(entries.count)
                clusters.append(root)
                entries.append(Entry(code: quadtree.codes[anchor], number: root, isCluster: true))
            }
        }

        guard placement.options.position != .anchor else { return }
        let points = hierarchy.firstPoint[candidates.lowerBound]..<hierarchy.firstPoint[candidates.upperBound]
        let coordinates = placement.coordinates(
            of: clusters, among: anchors, in: Int(points.lowerBound)..<Int(points.upperBound))
        makePlaces()
        for (index, coordinate) in zip(clusterEntries, coordinates) {
            places[index] = coordinate
            entries[index] = Entry(
                code: MortonCode(WebMercator.project(coordinate)).rawValue, number: entries[index].number,
                isCluster: true)
        }
    }

    private mutating func append(points: Range<Int>, of quadtree: LinearQuadtree) {
        for point in points {
            entries.append(Entry(code: quadtree.codes[point], number: UInt32(point), isCluster: false))
        }
    }

    /// Makes a place for every entry; those of points mean nothing.
    private mutating func makePlaces() {
        let none = Coordinate(longitudeMicrodegrees: 0, latitudeMicrodegrees: 0)
        places += repeatElement(none, count: entries.count - places.count)
    }

    /// Where the cluster of an entry is shown; `nil` at its anchor.
    func place(of index: Int) -> Coordinate? { places.isEmpty ? nil : places[index] }

    /// Markers can share a place where no distance is promised, and those of different groups; they keep their order.
    private mutating func sort() {
        var codes = entries.map(\.code)
        var order = Array(0..<UInt32(entries.count))
        MortonRadixSort.sort(keys: &codes, indices: &order)
        entries = order.map { entries[Int($0)] }
        if !places.isEmpty { places = order.map { places[Int($0)] } }
    }
}
