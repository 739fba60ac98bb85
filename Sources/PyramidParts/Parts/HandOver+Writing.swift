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
            try writeIDs(to: file, options)
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
        totals.append(content.aggregates(count: ownPoints.count) { ownPoints[$0] }.values(of: 0))
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

    private func writeIDs(to file: PartFileWriter, _ options: InputOptions) throws {
        var readers = points.inputs.inputs.map { GeoJSONPointReader($0, options: options) }
        try file.writeSection(PartSection.ids) { append in
            var bytes = ByteBuffer()
            for point in ownPoints where points.report.hasIDs {
                let (input, start) = points.inputs.position(of: points.rowStarts[point])
                let id = readers[input].id(ofRowAt: start)
                guard !id.isEmpty else { continue }
                bytes.removeAll()
                bytes.append(text: id)
                try bytes.withUnsafeBytes(append)
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
