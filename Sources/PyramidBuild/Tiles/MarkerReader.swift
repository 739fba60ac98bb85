import PyramidClusters
import PyramidInput
import PyramidTiles

/// Presents markers to an encoder, one at a time. Each worker has its own, with reused buffers.
struct MarkerReader: ~Copyable, MarkerView {
    private let data: MarkerData
    private let points: PointTable
    private var scratch: RowScratch
    private var nested = JSONObjectWriter()

    private var marker = MarkerNumber.point(0)
    /// The band of the marker.
    private var band: TileBand?
    /// Whether points have properties besides those of their rows. Stored, because asking the band for each point takes
    /// longer.
    private var addsToPoints = false
    /// The point whose row is shown; `nil` for a cluster.
    private var point: Int?
    private(set) var coordinate: Coordinate
    /// Not set by `move`: the caller has the marker's code at hand.
    var place = WorldPoint(x: 0, y: 0)
    private(set) var cluster: ClusterFields?

    init(_ data: MarkerData) {
        self.data = data
        points = data.points
        scratch = data.points.makeScratch()
        coordinate = Coordinate(longitudeMicrodegrees: 0, latitudeMicrodegrees: 0)
    }

    /// Selects the band of the markers that follow. Separate from `move`, to avoid contention on the band's reference count
    /// for every marker.
    mutating func enter(_ band: TileBand) {
        self.band = band
        addsToPoints = data.mode == .filter || !data.unclustered.isEmpty
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
            if data.mode == .filter {
                let cluster = marker.isCluster ? band.clusters?.entry(marker) : nil
                visitor.visit(#""point_count":"#, .integer(cluster.map { Int($0.pointCount) } ?? 1))
            }
        } else if let clusters = band?.clusters {
            data.content.visitProperties(
                of: marker.index, in: clusters, points: points, scratch: &scratch, nested: &nested, &visitor)
        }
    }
}
