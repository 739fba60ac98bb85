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
    let idColumn: Int?
    let idIsNumber: Bool
    let properties: [Property]

    /// Of all columns, in their order, as they stand in the input and as they are written.
    let columnNames, outputNames: [String]
    let types: ColumnTypes
    private let inputName: String

    init(header: CSVHeader, types: ColumnTypes, inputName: String) {
        delimiter = header.delimiter
        columnNames = header.columns.names
        outputNames = header.columns.outputNames
        self.types = types
        self.inputName = inputName
        idColumn = header.columns.id
        idIsNumber = header.columns.id.map { types.isNumber(column: $0) } ?? false
        properties = header.columns.properties.map { property in
            Property(
                column: property.column, name: property.name, quotedName: CSVRecordFormat.quoted(property.name),
                isNumber: types.isNumber(column: property.column))
        }
    }

    var columnCount: Int { columnNames.count }

    /// A property's name as JSON, with the colon after it.
    static func quoted(_ name: String) -> [UInt8] {
        var quoted = ByteBuffer(capacity: 64)
        quoted.append(quoted: name)
        quoted.append(UInt8(ascii: ":"))
        return quoted.withUnsafeBytes { Array($0) }
    }

    func column(named name: String, option: String) throws(InputError) -> Int {
        guard let index = CSVColumns.index(of: name, in: columnNames) else {
            throw InputError(
                .usage, in: inputName, line: 1,
                "no column \(InputError.list([name])) for \(option), expected one of \(InputError.list(columnNames))")
        }
        return index
    }

    /// The text of a column of the row at `start`, its quotes undone; valid during the call.
    func withText(
        ofColumn column: Int, in bytes: UnsafeRawBufferPointer, from start: Int, scratch: inout RecordScratch,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        scratch.scanner.scan(bytes.assumingMemoryBound(to: UInt8.self).span, from: start)
        scratch.withText(ofColumn: column, in: bytes, body)
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
        encoder.endFeature()
    }
}
