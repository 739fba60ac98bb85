import PyramidTiles

/// One group's markers of the bundles that were read already, and of tiles that repeat at higher zooms, in 40 bytes per
/// record, and their ``MarkerDetails``. Each is kept until the highest zoom at which it is shown.
struct PendingMarkers: Sendable {
    struct Record: Sendable {
        var marker: ZoomMarkers.Record
        var firstZoom, lastZoom: UInt8
    }

    /// After ``sort()``: in the order of ``ZoomMarkers``.
    private var records: [Record] = []
    private var details = MarkerDetails()

    /// Appends a marker with details from elsewhere.
    mutating func append(_ marker: ZoomMarkers.Record, of other: MarkerDetails, at zooms: ClosedRange<Int>) {
        var marker = marker
        marker.details = details.add(marker.details, of: other)
        records.append(
            Record(
                marker: marker, firstZoom: UInt8(truncatingIfNeeded: zooms.lowerBound),
                lastZoom: UInt8(truncatingIfNeeded: zooms.upperBound)))
    }

    private mutating func append(_ record: Record, of other: PendingMarkers) {
        append(record.marker, of: other.details, at: Int(record.firstZoom)...Int(record.lastZoom))
    }

    mutating func append(_ other: PendingMarkers) {
        for record in other.records { append(record, of: other) }
    }

    var byteCount: Int { records.count * MemoryLayout<Record>.stride + details.byteCount }

    func write(to writer: inout ChunkWriter) {
        writer.append(records)
        details.write(to: &writer)
    }

    init() {}

    init(from reader: inout ChunkReader) {
        records = reader.elements()
        details = MarkerDetails(from: &reader)
    }

    var count: (records: Int, clusters: Int) { (records.count, details.clusters.count) }

    mutating func reserve(_ count: (records: Int, clusters: Int)) {
        records.reserveCapacity(count.records)
        details.reserve(clusters: count.clusters)
    }

    /// Sorts the records. Those of sound bundles, read along the Z curve, are sorted except for records at one place.
    mutating func sort() {
        func isBefore(_ left: Record, _ right: Record) -> Bool { ZoomMarkers.isBefore(left.marker, right.marker) }
        var start = 0
        while start < records.count {
            var end = start + 1
            while end < records.count, records[end].marker.code == records[start].marker.code { end += 1 }
            if end - start > 1 { records[start..<end].sort(by: isBefore) }
            start = end
        }
        if zip(records, records.dropFirst()).contains(where: { isBefore($1, $0) }) { records.sort(by: isBefore) }
    }

    /// Adds the records of further bundles, and drops those that end at a lower zoom than `zoom`.
    /// - Parameter other: sorted.
    mutating func take(_ other: PendingMarkers, atZoom zoom: Int) {
        guard !other.records.isEmpty || records.contains(where: { $0.lastZoom < zoom }) else { return }
        var merged = PendingMarkers()
        merged.records.reserveCapacity(records.count { $0.lastZoom >= zoom } + other.records.count)
        merged.details.reserve(
            clusters: records.count { $0.lastZoom >= zoom && !$0.marker.isPoint } + other.details.clusters.count)
        var next = 0
        for record in records where record.lastZoom >= zoom {
            while next < other.records.count, ZoomMarkers.isBefore(other.records[next].marker, record.marker) {
                merged.append(other.records[next], of: other)
                next += 1
            }
            merged.append(record, of: self)
        }
        for record in other.records[next...] { merged.append(record, of: other) }
        self = merged
    }

    /// The markers of a zoom: those of its tiles, and the records that are shown at it.
    /// - Parameter tiles: sorted.
    func markers(with tiles: ZoomMarkers) -> ZoomMarkers {
        func isShown(_ record: Record) -> Bool { record.firstZoom <= tiles.zoom && record.lastZoom >= tiles.zoom }
        var all = ZoomMarkers(zoom: tiles.zoom, idMask: tiles.idMask)
        all.reserve(
            records: tiles.records.count + records.count(where: isShown),
            clusters: tiles.clusters.count + records.count { isShown($0) && !$0.marker.isPoint })
        var next = 0
        func appendTiles(while isIncluded: (ZoomMarkers.Record) -> Bool) {
            while next < tiles.records.count, isIncluded(tiles.records[next]) {
                all.append(tiles.records[next], of: tiles.details)
                next += 1
            }
        }
        for record in records where isShown(record) {
            appendTiles { ZoomMarkers.isBefore($0, record.marker) }
            // What a record was at the zoom before, it is itself, where files state such things.
            let itself = record.marker.isPoint ? MarkerDetails.Parent.none : record.marker.identity
            let isOlder = record.firstZoom < tiles.zoom
            let isStated = isOlder && details.parent(record.marker.details) != MarkerDetails.Parent.unknown
            all.append(record.marker, of: details, parent: isStated ? itself : nil)
        }
        appendTiles { _ in true }
        return all
    }
}

/// The markers of bundles that were read already, by group.
struct PendingGroups: Sendable {
    var groups: [MarkerGroups.Key: PendingMarkers] = [:]

    mutating func append(
        _ marker: ZoomMarkers.Record, of details: MarkerDetails, at zooms: ClosedRange<Int>, to key: MarkerGroups.Key
    ) {
        groups[key, default: PendingMarkers()].append(marker, of: details, at: zooms)
    }

    /// Appends the markers of chunks, and empties each chunk at once, so that not all are in memory twice.
    mutating func append(emptying chunks: inout [PendingGroups]) {
        var counts: [MarkerGroups.Key: (records: Int, clusters: Int)] = [:]
        for chunk in chunks {
            for (key, markers) in chunk.groups {
                let sum = counts[key] ?? (0, 0)
                counts[key] = (sum.records + markers.count.records, sum.clusters + markers.count.clusters)
            }
        }
        for (key, count) in counts { groups[key, default: PendingMarkers()].reserve(count) }
        for number in chunks.indices {
            let chunk = chunks[number]
            chunks[number] = PendingGroups()
            for (key, markers) in chunk.groups { groups[key, default: PendingMarkers()].append(markers) }
        }
    }

    mutating func sort() {
        for key in groups.keys { groups[key]?.sort() }
    }

    /// Adds the records of the bundles of a zoom, and drops those that end at a lower zoom.
    /// - Parameter other: sorted.
    mutating func take(_ other: PendingGroups, atZoom zoom: Int) {
        for key in Set(groups.keys).union(other.groups.keys) {
            groups[key, default: PendingMarkers()].take(other.groups[key] ?? PendingMarkers(), atZoom: zoom)
        }
    }

    /// The markers of a zoom: those of its tiles, and the records that are shown at it.
    /// - Parameter tiles: sorted.
    func markers(with tiles: MarkerGroups) -> MarkerGroups {
        var all = MarkerGroups(zoom: tiles.zoom)
        for key in Set(groups.keys).union(tiles.keys) {
            all.append((groups[key] ?? PendingMarkers()).markers(with: tiles[key]), to: key)
        }
        all.sort()
        return all
    }
}
