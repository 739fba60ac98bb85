import PyramidStore
import PyramidTiles

extension HandOver {
    /// Writes all sections but the manifest.
    func write(to file: PartFileWriter, idRule options: InputOptions) throws {
        if file.isOfJoin {
            try writePlaces(to: file)
        } else {
            try writeRows(to: file)
            var ids = ByteBuffer()
            if points.report.hasIDs {
                for id in PartIDs.hashes(of: ownPoints, points, options) { ids.append(id) }
            }
            try file.writeSection(PartSection.ids, ids)
        }
        try writeCandidates(to: file)
        try file.writeSection(PartSection.texts) { append in
            for column in content.countedTexts {
                var bytes = ByteBuffer()
                bytes.append(texts: column.texts)
                try bytes.withUnsafeBytes(append)
            }
        }
        var totals = ByteBuffer()
        totals.append(content.aggregates(of: ownPoints).values(of: 0))
        try file.writeSection(PartSection.totals, totals)
        guard !file.isOfJoin else { return }
        var cells = ByteBuffer()
        cells.append(points.report.cellDigests)
        try file.writeSection(PartSection.cells, cells)
    }

    private func writeRows(to file: PartFileWriter) throws {
        try file.writeSection(PartSection.rows) { append in
            let lineEnd: [UInt8] = [UInt8(ascii: "\n")]
            for point in rows {
                try append(points.rowBytes(of: point))
                try lineEnd.withUnsafeBytes(append)
            }
        }
    }

    private func writePlaces(to file: PartFileWriter) throws {
        try file.writeSection(PartSection.places) { append in
            let places = rows.map {
                RowSpool.Row(
                    longitude: points.longitudes[$0], latitude: points.latitudes[$0], start: points.rowStarts[$0])
            }
            try places.withUnsafeBytes(append)
        }
    }

    private func writeCandidates(to file: PartFileWriter) throws {
        try file.writeSection(PartSection.candidates) { append in
            var numbers = [UInt32](repeating: 0, count: points.count)
            for (number, point) in rows.enumerated() { numbers[point] = UInt32(number) }
            var bytes = ByteBuffer()
            for (anchor, members, cluster) in candidates {
                bytes.removeAll()
                bytes.append(
                    PartCandidate(
                        anchorRow: Int(numbers[anchor]), rows: members.map { Int(numbers[$0]) }, cluster: cluster))
                try bytes.withUnsafeBytes(append)
            }
        }
    }
}

/// Two hashes of an id, with enough bits that different ids never share them by chance.
struct IDHash: Comparable, Hashable {
    let first, second: UInt64

    static func < (left: IDHash, right: IDHash) -> Bool {
        (left.first, left.second) < (right.first, right.second)
    }
}

struct PartIDs {
    /// About how many ids a join sorts at a time.
    static let countPerSlice = 1 << 18
    private let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: must stay valid while this value is used.
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count / 16 }

    subscript(index: Int) -> IDHash {
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16 * index + offset, as: UInt64.self))
        }
        return IDHash(first: word(0), second: word(8))
    }

    /// The hashes of the points' ids, ascending. Points without an id are skipped.
    static func hashes(of points: [Int], _ table: PointTable, _ options: InputOptions) -> [IDHash] {
        var readers = table.inputs.inputs.map { GeoJSONPointReader($0, options: options) }
        var hashes: [IDHash] = []
        for point in points {
            let (input, start) = table.inputs.position(of: table.rowStarts[point])
            let id = readers[input].id(ofRowAt: start)
            guard !id.isEmpty else { continue }
            hashes.append(
                IDHash(first: RowDigest(id.span.bytes).hash, second: id.withUnsafeBytes { StableHash.hash($0) }))
        }
        return hashes.sorted()
    }
}

extension ByteBuffer {
    fileprivate mutating func append(_ id: IDHash) {
        append(littleEndian: id.first, byteCount: 8)
        append(littleEndian: id.second, byteCount: 8)
    }
}
