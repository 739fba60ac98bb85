import PyramidBuild
import PyramidClusters
import PyramidInput
import PyramidStore
import PyramidTiles

/// A bundle that a part hands over to the join as records, because a tile that contains it, at the cut zoom or a lower
/// one, may become the bundle instead.
struct PartBundle: OpenBundle, @unchecked Sendable {
    let tile: TileCoordinate
    /// The last zoom of the tileset.
    let maxZoom: Int
    /// By combination of values of the part: its number in the join.
    let combinations: [UInt32]
    /// The records as they were written; valid as long as the part is open.
    let bytes: UnsafeRawBufferPointer

    /// Whether the bytes are records of this bundle.
    var isSound: Bool { readRecords { _ in } }

    func forEachRecord(_ body: (OpenRecord) -> Void) { _ = readRecords(body) }

    /// - Returns: `false` if the bytes aren't records of this bundle; then `body` got only the records before the fault.
    private func readRecords(_ body: (OpenRecord) -> Void) -> Bool {
        let codes = tile.codes
        var reader = PartBytes(bytes)
        var code: UInt64 = 0
        while !reader.isAtEnd {
            guard let step = reader.varint(), step <= codes.upperBound - code, code + step >= codes.lowerBound,
                let first = reader.count(), let last = reader.count(), first <= last, last <= maxZoom - tile.z,
                let length = reader.count(), let feature = reader.bytes(length), GeoJSONTileEncoder.isFeature(feature)
            else { return false }
            code += step
            guard let summary = reader.recordSummary(combinations) else { return false }
            body(OpenRecord(code: code, zooms: tile.z + first...tile.z + last, feature: feature, summary: summary))
        }
        return true
    }

    /// Writes a bundle as its records.
    static func write(_ records: [OpenRecord], of tile: TileCoordinate, to file: PartFileWriter) throws {
        var bytes = ByteBuffer(capacity: 1 << 12)
        var code: UInt64 = 0
        for record in records {
            bytes.append(varint: record.code - code)
            bytes.append(varint: UInt64(record.zooms.lowerBound - tile.z))
            bytes.append(varint: UInt64(record.zooms.upperBound - tile.z))
            bytes.append(varint: UInt64(record.feature.count))
            bytes.append(record.feature)
            bytes.append(record.summary)
            code = record.code
        }
        try bytes.withUnsafeBytes { bytes in
            let stored = StoredFile(byteCount: bytes.count, crc32: Gzip.crc32(bytes), bodyByteCount: 0, bodyCRC32: 0)
            try file.write(bytes, to: .bundle(tile), stored)
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func append(_ summary: RecordSummary) {
        append(varint: summary.parentID)
        append(varint: summary.clusterID)
        guard summary.clusterID != 0 else { return }
        append(varint: UInt64(summary.pointCount))
        append(varint: summary.staysTogether ? 1 : 0)
        append(summary.facets)
    }

    mutating func append(_ counts: [CategoryColumn.Count]) {
        append(varint: UInt64(counts.count))
        for count in counts {
            append(varint: UInt64(count.category))
            append(varint: UInt64(count.count))
        }
    }
}

extension PartBytes {
    /// With the part's numbers of categories.
    mutating func counts() -> [CategoryColumn.Count]? {
        guard let countCount = count() else { return nil }
        var counts: [CategoryColumn.Count] = []
        for _ in 0..<countCount {
            guard let category = count(), category < Int(UInt32.max), let count = count(), count <= Int(UInt32.max)
            else { return nil }
            counts.append(.init(category: UInt32(category), count: UInt32(count)))
        }
        return counts
    }

    /// - Parameter combinations: by combination of the part: its number in the join.
    /// - Returns: `nil` if they can't be those of a record.
    fileprivate mutating func recordSummary(_ combinations: [UInt32]) -> RecordSummary? {
        let limit = UInt64(GeoJSONFeatureReader.integerLimit)
        guard let parentID = varint(), parentID < limit, let clusterID = varint(), clusterID < limit else { return nil }
        guard clusterID != 0 else { return RecordSummary(parentID: parentID) }
        guard let pointCount = count(), pointCount <= InputLimits.points, let staysTogether = count(),
            staysTogether <= 1,
            let facets = counts(), facets.allSatisfy({ Int($0.category) < combinations.count }),
            zip(facets, facets.dropFirst()).allSatisfy({ $0.category < $1.category }),
            facets.isEmpty || facets.reduce(0, { $0 + Int($1.count) }) == pointCount
        else { return nil }
        return RecordSummary(
            clusterID: clusterID, pointCount: pointCount, staysTogether: staysTogether == 1, parentID: parentID,
            facets: facets.map { .init(category: combinations[Int($0.category)], count: $0.count) })
    }
}
