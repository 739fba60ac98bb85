import PyramidTiles

/// How the rows of a CSV input are written as features. Every value keeps its text; a column is written as numbers
/// where all of its values are canonical (``CanonicalNumber``).
struct CSVRecordFormat: Sendable {
    struct Property: Sendable {
        let column: Int
        let name: String
        /// The name as JSON, quotes and colon included.
        let quotedName: [UInt8]
        let isNumber: Bool
    }

    let delimiter: UInt8
    let columnCount: Int
    let idColumn: Int?
    let idIsNumber: Bool
    let properties: [Property]

    init(header: CSVHeader, types: ColumnTypes) {
        delimiter = header.delimiter
        columnCount = header.columns.count
        idColumn = header.columns.id
        idIsNumber = header.columns.id.map { types.isNumber(column: $0) } ?? false
        properties = header.columns.properties.map { property in
            var quoted = ByteBuffer(capacity: 64)
            quoted.append(quoted: property.name)
            quoted.append(UInt8(ascii: ":"))
            return Property(
                column: property.column, name: property.name, quotedName: quoted.withUnsafeBytes { Array($0) },
                isNumber: types.isNumber(column: property.column))
        }
    }

    /// Writes the row at `start` as a point feature; a property is left out where its cell is empty.
    func append(
        _ bytes: UnsafeRawBufferPointer, from start: Int, at coordinate: Coordinate,
        to encoder: inout GeoJSONTileEncoder, scratch: inout RecordScratch
    ) {
        scratch.scanner.scan(bytes.assumingMemoryBound(to: UInt8.self).span, from: start)
        if let idColumn {
            scratch.withText(ofColumn: idColumn, in: bytes) { text in
                encoder.beginPoint(at: coordinate, id: (text, idIsNumber))
            }
        } else {
            encoder.beginPoint(at: coordinate)
        }
        for index in properties.indices {
            scratch.withText(ofColumn: properties[index].column, in: bytes) { text in
                guard !text.isEmpty else { return }
                encoder.append(
                    quotedName: properties[index].quotedName, text: text, isNumber: properties[index].isNumber)
            }
        }
        encoder.endPoint()
    }
}
