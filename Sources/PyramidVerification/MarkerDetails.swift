import PyramidTiles

/// What is known of markers besides their places: 40 bytes per cluster. Where clients filter, also 16 bytes per point, and
/// eight for each combination of values in a cluster.
struct MarkerDetails: Sendable {
    struct Cluster: Sendable {
        var pointCount: Int
        var boundingBox: BoundingBox
        fileprivate(set) var parent = Parent.unknown
        fileprivate(set) var firstFacet: UInt32 = 0
        fileprivate(set) var facetCount: UInt16 = 0
        private var storedExpansionZoom: UInt8

        /// `nil` if it never comes apart.
        var expansionZoom: Int? { storedExpansionZoom == .max ? nil : Int(storedExpansionZoom) }

        init(pointCount: Int, boundingBox: BoundingBox, expansionZoom: Int?) {
            self.pointCount = pointCount
            self.boundingBox = boundingBox
            storedExpansionZoom = expansionZoom.map { UInt8(truncatingIfNeeded: $0) } ?? .max
        }
    }

    struct Point: Sendable {
        var combination: UInt32
        fileprivate(set) var parent = Parent.unknown
    }

    /// How many members have a combination of values, by its number (``FacetNumbers``).
    struct Facet: Sendable, Equatable {
        var combination, count: UInt32
    }

    /// The cluster of the zoom before that a marker is part of.
    enum Parent {
        /// Where files don't state it.
        static let unknown: UInt64 = 0
        static let none: UInt64 = 1
    }

    private(set) var clusters: [Cluster] = []
    private var points: [Point] = []
    private var facets: [Facet] = []

    /// Where the details of points begin among indices.
    static let firstPoint: UInt32 = 1 << 31
    /// The index of a point without any.
    static let none = UInt32.max

    /// - Returns: the cluster's index.
    /// - Parameter facets: ascending by combination.
    mutating func add(_ cluster: Cluster, parent: UInt64, _ facets: some Collection<Facet>) -> UInt32 {
        var cluster = cluster
        cluster.parent = parent
        cluster.firstFacet = UInt32(truncatingIfNeeded: self.facets.count)
        cluster.facetCount = UInt16(truncatingIfNeeded: facets.count)
        self.facets.append(contentsOf: facets)
        clusters.append(cluster)
        return UInt32(truncatingIfNeeded: clusters.count - 1)
    }

    /// - Returns: the point's index.
    mutating func add(_ point: Point, parent: UInt64) -> UInt32 {
        points.append(Point(combination: point.combination, parent: parent))
        return MarkerDetails.firstPoint + UInt32(truncatingIfNeeded: points.count - 1)
    }

    /// Adds the details of a marker from elsewhere.
    /// - Parameter parent: another one; `nil` for its own.
    /// - Returns: its index here.
    mutating func add(_ index: UInt32, of other: MarkerDetails, parent: UInt64? = nil) -> UInt32 {
        if index == MarkerDetails.none { return index }
        let parent = parent ?? other.parent(index)
        guard index < MarkerDetails.firstPoint else {
            return add(other.points[Int(index - MarkerDetails.firstPoint)], parent: parent)
        }
        let cluster = other.clusters[Int(index)]
        return add(cluster, parent: parent, other.facets(of: cluster))
    }

    /// Appends all of another part, whose indices must be moved by ``shift(_:)`` of this one before.
    mutating func append(_ other: MarkerDetails) {
        let firstFacet = UInt32(truncatingIfNeeded: facets.count)
        clusters += other.clusters.lazy.map { cluster in
            var cluster = cluster
            cluster.firstFacet += firstFacet
            return cluster
        }
        points += other.points
        facets += other.facets
    }

    /// The index that a marker has once its part is appended.
    func shift(_ index: UInt32) -> UInt32 {
        if index == MarkerDetails.none { return index }
        return index + UInt32(truncatingIfNeeded: index < MarkerDetails.firstPoint ? clusters.count : points.count)
    }

    var byteCount: Int {
        clusters.count * MemoryLayout<Cluster>.stride + points.count * MemoryLayout<Point>.stride
            + facets.count * MemoryLayout<Facet>.stride
    }

    func write(to writer: inout ChunkWriter) {
        writer.append(clusters)
        writer.append(points)
        writer.append(facets)
    }

    init(from reader: inout ChunkReader) {
        (clusters, points, facets) = (reader.elements(), reader.elements(), reader.elements())
    }

    init() {}

    mutating func reserve(clusters count: Int) { clusters.reserveCapacity(count) }

    /// An id, or a ``Parent``.
    func parent(_ index: UInt32) -> UInt64 {
        if index == MarkerDetails.none { return Parent.unknown }
        return index < MarkerDetails.firstPoint
            ? clusters[Int(index)].parent : points[Int(index - MarkerDetails.firstPoint)].parent
    }

    func facets(of cluster: Cluster) -> ArraySlice<Facet> {
        let first = Int(cluster.firstFacet)
        return facets[first..<first + Int(cluster.facetCount)]
    }

    /// How many members have each combination of values; of a point, its own.
    func forEachFacet(_ index: UInt32, _ body: (Facet) -> Void) {
        if index == MarkerDetails.none { return }
        if index < MarkerDetails.firstPoint {
            for facet in facets(of: clusters[Int(index)]) { body(facet) }
        } else {
            body(Facet(combination: points[Int(index - MarkerDetails.firstPoint)].combination, count: 1))
        }
    }
}
