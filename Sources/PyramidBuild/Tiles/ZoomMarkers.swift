import PyramidTiles

/// The markers of one zoom in the order of the Morton codes of their places, so that every tile is a contiguous range.
struct ZoomMarkers: Sendable {
    struct Entry: Sendable {
        /// The Morton code of the place where the marker is shown.
        let code: UInt64
        let coordinate: Coordinate
        /// A point's number, or a cluster's candidate.
        let number: UInt32
        let isCluster: Bool
    }

    let zoom: Int
    let entries: [Entry]

    var clusterCount: Int { entries.reduce(0) { $0 + ($1.isCluster ? 1 : 0) } }

    /// Every point by itself.
    init(allPointsOf quadtree: LinearQuadtree, atZoom zoom: Int, coordinate: (Int) -> Coordinate) {
        self.zoom = zoom
        entries = quadtree.codes.indices.map {
            Entry(code: quadtree.codes[$0], coordinate: coordinate($0), number: UInt32($0), isCluster: false)
        }
    }

    /// The markers of a clustered zoom.
    /// - Parameters:
    ///   - roots: of each candidate, the anchor that has taken it in at this zoom.
    ///   - placement: of the same zoom.
    init(placement: ClusterPlacement, roots: [UInt32]) {
        zoom = placement.zoom
        let (hierarchy, quadtree) = (placement.hierarchy, placement.quadtree)
        var entries: [Entry] = []
        var clusters: [UInt32] = []
        var clusterEntries: [Int] = []
        var anchors: [UInt32] = []

        for (candidate, root) in roots.enumerated() {
            let isAnchor = Int(root) == candidate
            if isAnchor { anchors.append(root) }
            if placement.options.output == .filter {
                guard isAnchor else { continue }
                let anchor = Int(hierarchy.anchorPoint[candidate])
                entries.append(
                    Entry(
                        code: quadtree.codes[anchor], coordinate: placement.coordinate(anchor), number: UInt32(anchor),
                        isCluster: false))
                continue
            }
            if placement.aggregation.pointCount[Int(root)] < placement.options.minPoints {
                for point in hierarchy.points(of: candidate) {
                    entries.append(
                        Entry(
                            code: quadtree.codes[point], coordinate: placement.coordinate(point),
                            number: UInt32(point), isCluster: false))
                }
            } else if isAnchor {
                clusterEntries.append(entries.count)
                clusters.append(root)
                let anchor = Int(hierarchy.anchorPoint[candidate])
                entries.append(
                    Entry(
                        code: quadtree.codes[anchor], coordinate: placement.coordinate(anchor), number: root,
                        isCluster: true))
            }
        }

        if placement.options.position != .anchor {
            let coordinates = placement.coordinates(of: clusters, among: anchors)
            for (index, coordinate) in zip(clusterEntries, coordinates) {
                entries[index] = Entry(
                    code: MortonCode(WebMercator.project(coordinate)).rawValue, coordinate: coordinate,
                    number: entries[index].number, isCluster: true)
            }
            // Two markers can share a place where none is promised; then the anchors' order decides.
            entries = entries.enumerated()
                .sorted { ($0.element.code, $0.offset) < ($1.element.code, $1.offset) }
                .map(\.element)
        }
        self.entries = entries
    }
}
