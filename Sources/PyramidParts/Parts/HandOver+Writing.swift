import PyramidInput
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
                for id in PartID.all(of: ownPoints, points, options) {
                    ids.append(littleEndian: id.first, byteCount: 8)
                    ids.append(littleEndian: id.second, byteCount: 8)
                }
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

/// Two hashes of the id of a part's row, with enough bits that different ids never share them by chance.
struct PartID: SortableElement, Equatable {
    let first, second: UInt64

    var sortKey: UInt128 { UInt128(first) << 64 | UInt128(second) }

    /// Of all rows of a part.
    static func all(in file: PartFile) throws(StoreError) -> some Sequence<PartID> {
        sequence(state: PartBytes(try file.section(PartSection.ids))) { bytes in
            guard let first = bytes.word(), let second = bytes.word() else { return nil }
            return PartID(first: first, second: second)
        }
    }

    /// Of points with an id, ascending.
    static func all(of points: [Int], _ table: PointTable, _ options: InputOptions) -> [PartID] {
        var readers = table.inputs.inputs.map { GeoJSONPointReader($0, options: options) }
        var ids: [PartID] = []
        for point in points {
            let (input, start) = table.inputs.position(of: table.rowStarts[point])
            let id = readers[input].id(ofRowAt: start)
            guard !id.isEmpty else { continue }
            ids.append(PartID(first: RowDigest(id.span.bytes).hash, second: id.withUnsafeBytes { StableHash.hash($0) }))
        }
        return ids.sorted { $0.sortKey < $1.sortKey }
    }
}
