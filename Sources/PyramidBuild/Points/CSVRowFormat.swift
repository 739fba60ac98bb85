import PyramidTiles

/// How the rows of a CSV input are written as features: every cell as its column's ``CellType`` says.
///
/// A class, for the same reason as ``GeoJSONRowFormat``.
final class CSVRowFormat: Sendable {
    private struct Property: Sendable {
        let field: Int
        /// The quoted name, as a range of `names`.
        let name: Range<Int>
        let type: CellType
    }

    let delimiter: UInt8
    let fieldCount: Int
    private let idField: Int?
    private let idType: CellType
    /// In the order of the table's columns.
    private let properties: [Property]
    /// The quoted names of all properties, one after the other.
    private let names: [UInt8]
    /// By the table's columns: the field in this input; `nil` if the input lacks the column.
    private let fields: [Int?]
    /// By the table's columns.
    private let types: [CellType]

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
        types = table.columns.map(\.cellType)
        idType = idField.map { table.columns[columns[$0]].cellType } ?? .text
        var names: [UInt8] = []
        properties = fields.enumerated().compactMap { column, field in
            guard let field, table.isWritten(column, onlyIfNamed: input.isPropertyOnlyIfNamed(field)) else {
                return nil
            }
            let column = table.columns[column]
            names += column.quotedName
            return Property(
                field: field, name: names.count - column.quotedName.count..<names.count, type: column.cellType)
        }
        self.names = names
    }

    init(copying other: CSVRowFormat) {
        (delimiter, fieldCount, idField, idType) = (other.delimiter, other.fieldCount, other.idField, other.idType)
        (properties, names, fields, types) = (other.properties, other.names, other.fields, other.types)
    }

    /// The value of a column in the row at `start`, `nil` if it is left out; valid during the call.
    func withValue(
        ofColumn column: Int, in bytes: UnsafeRawBufferPointer, from start: Int, scratch: inout CSVRowScratch,
        _ body: (PropertyView?) -> Void
    ) {
        guard let field = fields[column] else { return body(nil) }
        scratch.scanner.scan(bytes.assumingMemoryBound(to: UInt8.self).span, from: start)
        scratch.withValue(ofField: field, as: types[column], in: bytes, body)
    }

    /// Calls `body` with the id of the last scanned row.
    func withID(
        in bytes: UnsafeRawBufferPointer, scratch: inout CSVRowScratch, _ body: (PropertyView?) -> Void
    ) {
        guard let idField else { return body(nil) }
        // An id is a string or a number.
        scratch.withValue(ofField: idField, as: idType == .boolean ? .text : idType, in: bytes, body)
    }

    /// Visits the properties of the last scanned row, leaving out empty cells.
    func visitProperties<Visitor: PropertyVisitor & ~Copyable>(
        in bytes: UnsafeRawBufferPointer, scratch: inout CSVRowScratch, _ visitor: inout Visitor
    ) {
        names.withUnsafeBytes { names in
            for property in properties {
                scratch.withValue(ofField: property.field, as: property.type, in: bytes) { value in
                    guard let value else { return }
                    visitor.visit(UnsafeRawBufferPointer(rebasing: names[property.name]), value)
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

    /// The value of a field of the last scanned row, `nil` if it is left out; valid during the call.
    mutating func withValue(
        ofField index: Int, as type: CellType, in bytes: UnsafeRawBufferPointer, _ body: (PropertyView?) -> Void
    ) {
        let field = scanner.fields[index]
        guard !field.isEmpty else { return body(nil) }
        let cell = UnsafeRawBufferPointer(rebasing: bytes[field.range])
        if let declared = type.declaredType {
            let elements = bytes.assumingMemoryBound(to: UInt8.self)
            guard Cell.fits(declared, elements.span, field.range) else { return body(nil) }
        }
        switch type {
        case .number, .declaredNumber: body(.number(cell))
        case .boolean, .declaredBoolean: body(.bool(cell[0] | 0x20 == UInt8(ascii: "t")))
        case .text where !field.hasDoubledQuotes: body(.text(cell))
        case .text:
            bytes.assumingMemoryBound(to: UInt8.self).span.unquote(field, into: &unquoted)
            unquoted.withUnsafeBytes { body(.text($0)) }
        }
    }
}
