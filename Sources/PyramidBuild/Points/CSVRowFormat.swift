import PyramidTiles

/// How the rows of a CSV input are written as features. Every value keeps its text; a column is written as numbers if
/// all of its values in all inputs are numbers.
///
/// A class, for the same reason as ``GeoJSONRowFormat``.
final class CSVRowFormat: Sendable {
    private struct Property: Sendable {
        let field: Int
        /// Its quoted name, as a range of `names`.
        let name: Range<Int>
        let isNumber: Bool
    }

    let delimiter: UInt8
    let fieldCount: Int
    private let idField: Int?
    private let idIsNumber: Bool
    /// In the order of the table's columns.
    private let properties: [Property]
    /// The quoted names of all properties, one after the other.
    private let names: [UInt8]
    /// By the table's columns; `nil` if this input lacks the column.
    private let fields: [Int?]

    /// - Parameters:
    ///   - input: the columns of the rows' input.
    ///   - table: the columns of all inputs.
    init(delimiter: UInt8, columns input: InputColumns, of table: TableColumns) {
        self.delimiter = delimiter
        idField = input.idColumn
        fieldCount = input.names.count
        let columns = table.indices(of: input)
        var fields = [Int?](repeating: nil, count: table.columns.count)
        for (field, column) in columns.enumerated() { fields[column] = field }
        self.fields = fields
        idIsNumber = idField.map { table.columns[columns[$0]].isNumber } ?? false
        var names: [UInt8] = []
        properties = fields.enumerated().compactMap { column, field in
            guard let field, table.isWritten(column, onlyIfNamed: input.isPropertyOnlyIfNamed(field)) else {
                return nil
            }
            let column = table.columns[column]
            names += column.quotedName
            return Property(
                field: field, name: names.count - column.quotedName.count..<names.count, isNumber: column.isNumber)
        }
        self.names = names
    }

    /// The text of a column of the row at `start`, with quotes undone; valid during the call.
    func withText(
        ofColumn column: Int, in bytes: UnsafeRawBufferPointer, from start: Int, scratch: inout CSVRowScratch,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        guard let field = fields[column] else {
            body(UnsafeRawBufferPointer(start: nil, count: 0))
            return
        }
        scratch.scanner.scan(bytes.assumingMemoryBound(to: UInt8.self).span, from: start)
        scratch.withText(ofField: field, in: bytes, body)
    }

    /// Calls `body` with the id of the row scanned last.
    func withID(
        in bytes: UnsafeRawBufferPointer, scratch: inout CSVRowScratch, _ body: (PropertyView?) -> Void
    ) {
        guard let idField else { return body(nil) }
        scratch.withText(ofField: idField, in: bytes) { body(idIsNumber ? .number($0) : .text($0)) }
    }

    /// Passes on the properties of the row scanned last, leaving out empty cells.
    func visitProperties<Visitor: PropertyVisitor & ~Copyable>(
        in bytes: UnsafeRawBufferPointer, scratch: inout CSVRowScratch, _ visitor: inout Visitor
    ) {
        names.withUnsafeBytes { names in
            for property in properties {
                scratch.withText(ofField: property.field, in: bytes) { text in
                    guard !text.isEmpty else { return }
                    visitor.visit(
                        UnsafeRawBufferPointer(rebasing: names[property.name]),
                        property.isNumber ? .number(text) : .text(text))
                }
            }
        }
    }
}

struct CSVRowScratch {
    var scanner: CSVRowScanner
    private var unquoted: [UInt8] = []

    init(delimiter: UInt8, fieldCount: Int) {
        scanner = CSVRowScanner(delimiter: delimiter, roomForFields: fieldCount)
    }

    /// The text of a field of the row scanned last, with quotes undone; valid during the call.
    mutating func withText(
        ofField index: Int, in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let field = scanner.fields[index]
        guard field.hasDoubledQuotes else {
            body(UnsafeRawBufferPointer(rebasing: bytes[field.range]))
            return
        }
        bytes.assumingMemoryBound(to: UInt8.self).span.unquote(field, into: &unquoted)
        unquoted.withUnsafeBytes(body)
    }
}
