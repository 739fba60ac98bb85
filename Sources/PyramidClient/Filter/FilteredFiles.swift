import PyramidTiles
import Synchronization

/// The files that were filtered last, decoded, so that another filter or another place on the map doesn't decode them
/// again.
final class FilteredFiles: Sendable {
    /// The bytes that are kept, not counting the file in use.
    private static let limitBytes = 8 << 20

    private struct Entry {
        let address: FileAddress
        let bytes: [UInt8]
        let records: [BundleRecord]
        let filter: MarkerFilter
        let facets: Facets?
        let file: FilteredFile
    }

    /// Used last: at the end.
    private let entries = Mutex<[Entry]>([])
    private let matcher = Mutex<FacetMatcher?>(nil)

    /// The filter, checked against a tileset's columns.
    /// - Throws: ``MarkerFilterError``, and ``MetadataError`` if the TileJSON is damaged.
    func matcher(_ filter: MarkerFilter, _ tileJSON: TileJSON) throws -> FacetMatcher {
        if let last = matcher.withLock({ $0 }), last.filter == filter, last.facets == tileJSON.facets { return last }
        let new = try FacetMatcher(filter, tileJSON)
        matcher.withLock { $0 = new }
        return new
    }

    /// The records of a file under a filter.
    func filtered(_ fetched: FetchedFile, _ matcher: FacetMatcher) throws(TileDecodingError) -> FilteredFile {
        let last = entries.withLock { entries in
            entries.last { $0.address == fetched.address && $0.bytes == fetched.bytes }
        }
        if let last, last.filter == matcher.filter, last.facets == matcher.facets { return last.file }
        let records = if let last { last.records } else { try fetched.records() }
        let entry = Entry(
            address: fetched.address, bytes: fetched.bytes, records: records, filter: matcher.filter,
            facets: matcher.facets, file: FilteredFile(records, matcher))
        entries.withLock { entries in
            entries.removeAll { $0.address == entry.address }
            entries.append(entry)
            var size = entries.reduce(0) { $0 + $1.bytes.count }
            while size > FilteredFiles.limitBytes, entries.count > 1 { size -= entries.removeFirst().bytes.count }
        }
        return entry.file
    }
}

/// The bytes of a tile or a bundle.
struct FetchedFile: Sendable {
    let address: FileAddress
    let bytes: [UInt8]
    /// Of the tileset when it was fetched.
    let tileJSON: TileJSON

    var isBundle: Bool { address.kind == .bundle }

    /// Its markers, with the zooms at which it shows them.
    func records() throws(TileDecodingError) -> [BundleRecord] {
        let tile = address.tile
        if isBundle {
            return try GeoJSONTileDecoder.decodeBundle(bytes, zooms: tile.z...max(tile.z, tileJSON.maxzoom))
        }
        let markers = try tileJSON.codec.decode(bytes, at: tile, idProperty: tileJSON.idProperty).markers
        return markers.map { BundleRecord(zooms: tile.z...tile.z, marker: $0) }
    }
}

/// The records of a file under a filter.
///
/// The matching points of a cluster are counted from the points in the file if all of its points are there, and otherwise
/// from the cluster's own facets.
struct FilteredFile: Sendable {
    let records: [BundleRecord]
    /// By record; `nil` where no point matches.
    let markers: [FilteredMarker?]

    init(_ records: [BundleRecord], _ matcher: FacetMatcher) {
        var table = CombinationTable()
        var matching = records.map { MatchingPoints(boundingBox: $0.marker.boundingBox) }
        var markers = [FilteredMarker?](repeating: nil, count: records.count)
        // The members of a cluster are shown at higher zooms than the cluster, and so are counted before it.
        for index in records.indices.sorted(by: { records[$0].zooms.lowerBound > records[$1].zooms.lowerBound }) {
            let (zooms, marker) = (records[index].zooms, records[index].marker)
            switch marker {
            case .point(let point): matching[index].count(point, matcher, &table)
            case .cluster(let cluster): matching[index].finish(cluster, after: zooms.upperBound, matcher, &table)
            }
            let found = matching[index]
            if found.count > 0 || !found.isExact {
                markers[index] = FilteredMarker(
                    marker, found, facets: found.facets.map { table.facets($0) }, matcher)
            }
            if let parent = records[index].parentIndex { matching[parent].add(found, of: marker) }
        }
        self.records = records
        self.markers = markers
    }

    /// The matching markers that the file shows in a tile.
    /// - Parameter isBundle: whether the file holds other tiles too.
    func markers(in tile: TileCoordinate, ofBundle isBundle: Bool) -> [FilteredMarker] {
        zip(records, markers).compactMap { record, marker in
            marker.flatMap { isBundle && !record.isShown(in: tile) ? nil : $0 }
        }
    }
}
