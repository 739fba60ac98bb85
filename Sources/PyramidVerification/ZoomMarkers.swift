import PyramidTiles

/// The markers of one zoom as the verifier keeps them, in 32 bytes per marker and 40 more per cluster: two zooms are in
/// memory at a time.
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

        /// The order of points with the same code: by identity, then by coordinate, as points past the map's edge share
        /// codes.
        var pointOrder: (UInt64, Int32, Int32) {
            (identity, coordinate.latitudeMicrodegrees, coordinate.longitudeMicrodegrees)
        }

        /// The Morton code of the anchor: a point's own, or the upper 52 bits, which a cluster's id holds.
        var anchor: MortonCode { MortonCode(rawValue: isPoint ? code : identity << 12) }
    }

    struct ClusterRecord: Sendable {
        var pointCount: Int
        var boundingBox: BoundingBox
        /// `nil` if it never comes apart.
        var expansionZoom: Int?
    }

    let zoom: Int
    /// The bits in which the group's cluster ids differ from ``Record/identity`` (``ClusterGroup``).
    let idMask: UInt64
    /// After ``sort()``: by code, points before clusters, then by ``Record/pointOrder``.
    private(set) var records: [Record] = []
    private(set) var clusters: [ClusterRecord] = []

    init(zoom: Int, idMask: UInt64 = 0) {
        self.zoom = zoom
        self.idMask = idMask
    }

    /// A marker's kind and place, for a finding.
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
        // Take over the arrays instead of copying them if there is nothing to keep here.
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

    /// Sorts unless that is needless: sound tiles, read along the Z curve, are sorted except for markers at one place.
    mutating func sort() {
        let isSorted = !zip(records, records.dropFirst()).contains { ZoomMarkers.isBefore($1, $0) }
        if !isSorted { records.sort(by: ZoomMarkers.isBefore) }
    }
}

extension Int {
    /// The sum, or the nearest integer if it overflows, as counts in tiles can be anything.
    func saturatingAdd(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
