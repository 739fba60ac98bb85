import PyramidTiles

/// The markers of one zoom as the verifier keeps them, in 32 bytes per marker and ``MarkerDetails``: two zooms are in
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
        /// The index in ``details``.
        var details = MarkerDetails.none

        var isPoint: Bool { details >= MarkerDetails.firstPoint }

        /// The order of points with the same code: by identity, then by coordinate, as points past the map's edge share
        /// codes.
        var pointOrder: (UInt64, Int32, Int32) {
            (identity, coordinate.latitudeMicrodegrees, coordinate.longitudeMicrodegrees)
        }

        /// The Morton code of the anchor: a point's own, or the upper 52 bits, which a cluster's id holds.
        var anchor: MortonCode { MortonCode(rawValue: isPoint ? code : identity << 12) }
    }

    let zoom: Int
    /// The bits in which the group's cluster ids differ from ``Record/identity`` (``ClusterGroup``).
    let idMask: UInt64
    /// After ``sort()``: by code, points before clusters, then by ``Record/pointOrder``.
    private(set) var records: [Record] = []
    private(set) var details = MarkerDetails()
    var clusters: [MarkerDetails.Cluster] { details.clusters }

    init(zoom: Int, idMask: UInt64 = 0) {
        self.zoom = zoom
        self.idMask = idMask
    }

    /// A marker's kind and place, for a finding.
    func description(of record: Record) -> String { record.description(idMask: idMask) }

    /// Appends a point of which nothing more is known.
    mutating func append(_ point: Record) { records.append(point) }

    /// Appends a marker with details from elsewhere.
    /// - Parameter parent: another one than there; `nil` for the same.
    mutating func append(_ record: Record, of other: MarkerDetails, parent: UInt64? = nil) {
        var record = record
        record.details = details.add(record.details, of: other, parent: parent)
        records.append(record)
    }

    mutating func append(_ other: consuming ZoomMarkers) {
        // Take over the arrays instead of copying them if there is nothing to keep here.
        if records.isEmpty, records.capacity < other.records.count {
            records = other.records
            details = other.details
            return
        }
        for record in other.records {
            var record = record
            record.details = details.shift(record.details)
            records.append(record)
        }
        details.append(other.details)
    }

    mutating func reserve(records recordCount: Int, clusters clusterCount: Int) {
        records.reserveCapacity(recordCount)
        details.reserve(clusters: clusterCount)
    }

    /// How many points the marker stands for.
    func pointCount(_ index: Int) -> Int {
        let record = records[index]
        return record.isPoint ? 1 : clusters[Int(record.details)].pointCount
    }

    /// The box around the marker's points.
    func boundingBox(_ index: Int) -> BoundingBox {
        let record = records[index]
        return record.isPoint ? BoundingBox(record.coordinate) : clusters[Int(record.details)].boundingBox
    }

    /// Those markers of some whose records are included.
    func filter(_ isIncluded: (Record) -> Bool) -> ZoomMarkers {
        var some = ZoomMarkers(zoom: zoom, idMask: idMask)
        for record in records where isIncluded(record) { some.append(record, of: details) }
        return some
    }

    var byteCount: Int { records.count * MemoryLayout<Record>.stride + details.byteCount }

    func write(to writer: inout ChunkWriter) {
        writer.append(records)
        details.write(to: &writer)
    }

    init(zoom: Int, idMask: UInt64, from reader: inout ChunkReader) {
        self.init(zoom: zoom, idMask: idMask)
        records = reader.elements()
        details = MarkerDetails(from: &reader)
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

extension ZoomMarkers.Record {
    /// The kind and place, for a finding.
    func description(idMask: UInt64) -> String {
        let place = "\(coordinate.longitude),\(coordinate.latitude)"
        return isPoint ? "point at \(place)" : "cluster \(identity ^ idMask) at \(place)"
    }
}

extension Int {
    /// The sum, or the nearest integer if it overflows, as counts in tiles can be anything.
    func saturatingAdd(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
