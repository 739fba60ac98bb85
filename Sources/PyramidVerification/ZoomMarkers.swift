import PyramidTiles

/// The markers of one zoom level as a verifier keeps them: 32 bytes per marker and 32 more per cluster. Two zoom levels
/// are in memory at a time.
struct ZoomMarkers: Sendable {
    struct Record: Sendable {
        /// The Morton code of the place.
        var code: UInt64
        /// A cluster's id; a hash of a point's id, 0 without one.
        var identity: UInt64
        var coordinate: Coordinate
        /// The index of the file that it was read from, in its list.
        var file: UInt32
        /// The index in ``clusters``; ``point`` for a point.
        var cluster: UInt32

        static let point = UInt32.max

        var isPoint: Bool { cluster == Record.point }

        /// Orders points with the same code: by identity, and beyond the map's edge, where many places share a code, by
        /// place.
        var pointOrder: (UInt64, Int32, Int32) {
            (identity, coordinate.latitudeMicrodegrees, coordinate.longitudeMicrodegrees)
        }

        /// The Morton code of the anchor: a point's own; for a cluster, the upper 52 bits, known from its id.
        var anchor: MortonCode { MortonCode(rawValue: isPoint ? code : identity << 12) }
    }

    struct ClusterRecord: Sendable {
        var pointCount: Int
        var boundingBox: BoundingBox
        /// `nil` if no zoom takes it apart.
        var expansionZoom: Int?
    }

    let zoom: Int
    /// What distinguishes the clusters' ids from ``Record/identity`` (``ClusterGroup``).
    let idMask: UInt64
    /// After ``sort()``, in the order of codes, with points before clusters, then by ``Record/pointOrder``.
    private(set) var records: [Record] = []
    private(set) var clusters: [ClusterRecord] = []

    init(zoom: Int, idMask: UInt64 = 0) {
        self.zoom = zoom
        self.idMask = idMask
    }

    /// What a marker is and where, for a finding.
    func description(of record: Record) -> String {
        let place = "\(record.coordinate.longitude),\(record.coordinate.latitude)"
        return record.isPoint ? "point at \(place)" : "cluster \(record.identity ^ idMask) at \(place)"
    }

    mutating func append(_ record: Record, cluster: ClusterRecord?) {
        var record = record
        record.cluster = cluster == nil ? Record.point : UInt32(truncatingIfNeeded: clusters.count)
        records.append(record)
        if let cluster { clusters.append(cluster) }
    }

    mutating func append(_ other: consuming ZoomMarkers) {
        // All markers of a zoom can come at once.
        if records.isEmpty, records.capacity < other.records.count {
            records = other.records
            clusters = other.clusters
            return
        }
        let firstCluster = UInt32(truncatingIfNeeded: clusters.count)
        for record in other.records {
            var record = record
            if !record.isPoint { record.cluster += firstCluster }
            records.append(record)
        }
        clusters.append(contentsOf: other.clusters)
    }

    mutating func reserve(records recordCount: Int, clusters clusterCount: Int) {
        records.reserveCapacity(recordCount)
        clusters.reserveCapacity(clusterCount)
    }

    /// How many points the marker stands for.
    func pointCount(_ index: Int) -> Int {
        let record = records[index]
        return record.isPoint ? 1 : clusters[Int(record.cluster)].pointCount
    }

    /// The box around the marker's points.
    func boundingBox(_ index: Int) -> BoundingBox {
        let record = records[index]
        return record.isPoint ? BoundingBox(record.coordinate) : clusters[Int(record.cluster)].boundingBox
    }

    /// The number of points that all markers stand for.
    var pointCount: Int {
        clusters.reduce(records.count - clusters.count) { $0.saturatingAdd($1.pointCount) }
    }

    /// The order of ``sort()``.
    static func isBefore(_ left: Record, _ right: Record) -> Bool {
        if left.code != right.code { return left.code < right.code }
        if left.isPoint != right.isPoint { return left.isPoint }
        return left.pointOrder < right.pointOrder
    }

    /// Sound tiles in the order of the Z curve are sorted already, except for markers at one place.
    mutating func sort() {
        let isSorted = !zip(records, records.dropFirst()).contains { ZoomMarkers.isBefore($1, $0) }
        if !isSorted { records.sort(by: ZoomMarkers.isBefore) }
    }
}

extension Int {
    /// The sum, capped at the greatest integer: counts in tiles can be anything.
    func saturatingAdd(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
