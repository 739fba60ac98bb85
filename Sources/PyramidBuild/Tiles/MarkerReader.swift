import PyramidTiles

/// Presents markers to an encoder, one at a time. Each worker has its own, with reused buffers.
struct MarkerReader: ~Copyable, MarkerView {
    private let data: MarkerData
    private let points: PointTable
    private var scratch: RowScratch
    private var nested = JSONObjectWriter()

    private var marker = MarkerNumber.point(0)
    /// The band of the marker; `nil` for a point on a page.
    private var band: TileBand?
    /// Whether points have properties besides those of their rows. Stored, because asking the band for each point takes
    /// longer.
    private var addsToPoints = false
    private var zoom = 0
    /// Whether clusters state their number of pages.
    private var hasLeaves = false
    /// The point whose row is shown; `nil` for a cluster.
    private var point: Int?
    private(set) var coordinate: Coordinate
    /// Not set by `move`: the caller has the marker's code at hand. Pages don't use it.
    var place = WorldPoint(x: 0, y: 0)
    private(set) var cluster: ClusterFields?

    init(_ data: MarkerData) {
        self.data = data
        points = data.points
        scratch = data.points.makeScratch()
        coordinate = Coordinate(longitudeMicrodegrees: 0, latitudeMicrodegrees: 0)
    }

    /// Selects the zoom of the markers that follow. Separate from `move`, to avoid contention on the band's reference count
    /// for every marker.
    mutating func enter(_ band: TileBand, atZoom zoom: Int) {
        (self.band, self.zoom) = (band, zoom)
        hasLeaves = band.hasLeaves(atZoom: zoom)
        addsToPoints = data.keepsCount || !data.unclustered.isEmpty || band.statesParents
    }

    /// Moves to a marker of the band.
    /// - Parameter coordinate: where a cluster is shown; `nil` for the place of its anchor.
    mutating func move(to marker: MarkerNumber, shownAt coordinate: Coordinate?) {
        self.marker = marker
        guard marker.isCluster, let clusters = band?.clusters else { return move(toRowOf: marker.index) }
        let entry = clusters.entry(marker)
        let anchor = Int(entry.anchorPoint)
        guard data.mode == .markers else { return move(toRowOf: anchor) }
        point = nil
        let anchorCoordinate = points.coordinate(anchor)
        self.coordinate = coordinate ?? anchorCoordinate
        cluster = ClusterFields(
            id: clusters.id(of: entry), boundingBox: entry.boundingBox(around: anchorCoordinate),
            pointCount: Int(entry.pointCount), expansionZoom: entry.staysTogether ? nil : Int(entry.expansionZoom))
    }

    /// Moves to a point with only the properties of its row.
    mutating func move(to point: Int) {
        marker = .point(point)
        band = nil
        addsToPoints = false
        move(toRowOf: point)
    }

    private mutating func move(toRowOf point: Int) {
        self.point = point
        coordinate = points.coordinate(point)
        cluster = nil
        points.scan(point, scratch: &scratch)
    }

    mutating func withID(_ body: (PropertyView?) -> Void) {
        guard let point else { return body(nil) }
        points.withID(of: point, scratch: &scratch, body)
    }

    mutating func visitProperties<Visitor: PropertyVisitor & ~Copyable>(_ visitor: inout Visitor) {
        if let point {
            points.visitProperties(of: point, scratch: &scratch, &visitor)
            guard addsToPoints, let band else { return }
            if data.unclustered.contains(point) { visitor.visit(#""unclustered":"#, .bool(true)) }
            if data.keepsCount {
                let cluster = marker.isCluster ? band.clusters?.entry(marker) : nil
                visitor.visit(#""point_count":"#, .integer(cluster.map { Int($0.pointCount) } ?? 1))
            }
            visitParent(in: band, &visitor)
        } else if let band, let clusters = band.clusters {
            let entry = clusters.entry(marker)
            data.content.visitProperties(
                of: marker.index, in: clusters,
                leafPageCount: hasLeaves ? data.content.leafPageCount(ofPoints: Int(entry.pointCount)) : nil,
                points: points, scratch: &scratch, nested: &nested, &visitor)
            visitParent(in: band, &visitor)
        }
    }

    private func visitParent<Visitor: PropertyVisitor & ~Copyable>(in band: TileBand, _ visitor: inout Visitor) {
        guard band.statesParents, let id = band.parents?.clusterID(of: marker, atZoom: zoom - 1) else { return }
        visitor.visit(#""parent":"#, .integer(Int(id)))
    }
}
