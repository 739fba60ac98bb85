import PyramidTiles

/// How the rows of a CSV input are written as features: every cell as its column's ``CellType`` says.
///
/// A class, for the same reason as ``GeoJSONRowFormat``.
package final class CSVRowFormat: Sendable {
    private struct Property: Sendable {
        let field: Int
        /// The quoted name, as a range of `names`.
        let name: Range<Int>
        let type: CellType
    }

    package let rule: CSVRowRule
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
    /// The fields around whose values blanks are left out.
    let comparedFields: [Int]

    /// - Parameters:
    ///   - input: the columns of the rows' input.
    ///   - table: the columns of all inputs.
    init(_ rule: CSVRowRule, columns input: InputColumns, of table: TableColumns) {
        self.rule = rule
        idField = input.idColumn
        let columns = table.indices(of: input)
        var fields = [Int?](repeating: nil, count: table.columns.count)
        for (field, column) in columns.enumerated() { fields[column] = field }
        self.fields = fields
        comparedFields = columns.indices.filter { table.columns[columns[$0]].isCompared }
        let types = table.columns.map {
            rule.delimiter == UInt8(ascii: ",") ? $0.cellType.withoutDecimalCommas : $0.cellType
        }
        self.types = types
        idType = idField.map { types[columns[$0]] } ?? .text
        var names: [UInt8] = []
        properties = fields.enumerated().compactMap { column, field in
            guard let field, table.isWritten(column, onlyIfNamed: input.isPropertyOnlyIfNamed(field)) else {
                return nil
            }
            let name = table.columns[column].quotedName
            names += name
            return Property(field: field, name: names.count - name.count..<names.count, type: types[column])
        }
        self.names = names
    }

    init(copying other: CSVRowFormat) {
        (rule, idField, idType) = (other.rule, other.idField, other.idType)
        (properties, names, fields, types) = (other.properties, other.names, other.fields, other.types)
        comparedFields = other.comparedFields
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
    package func withID(
        in bytes: UnsafeRawBufferPointer, scratch: inout CSVRowScratch, _ body: (PropertyView?) -> Void
    ) {
        guard let idField else { return body(nil) }
        // An id is a string or a number.
        scratch.withValue(ofField: idField, as: idType == .boolean ? .text : idType, in: bytes, body)
    }

    /// Visits the properties of the last scanned row, leaving out empty cells.
    package func visitProperties<Visitor: PropertyVisitor & ~Copyable>(
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

package struct CSVRowScratch {
    var scanner: CSVRowScanner
    private var unquoted: [UInt8] = []

    init(_ rule: CSVRowRule, comparedFields: [Int] = []) {
        scanner = CSVRowScanner(rule)
        scanner.compared = comparedFields
    }

    /// The value of a field of the last scanned row, `nil` if it is left out; valid during the call.
    @inline(__always)
    mutating func withValue(
        ofField index: Int, as type: CellType, in bytes: UnsafeRawBufferPointer, _ body: (PropertyView?) -> Void
    ) {
        let field = scanner.row.fields[index]
        guard !field.isEmpty else { return body(nil) }
        let cell = UnsafeRawBufferPointer(rebasing: bytes[field.range])
        switch type {
        case .text where !field.hasDoubledQuotes: body(.text(cell))
        case .number(.json): body(.number(cell))
        case .boolean: body(.bool(cell[0] | 0x20 == UInt8(ascii: "t")))
        case .text:
            bytes.assumingMemoryBound(to: UInt8.self).span.unquote(field, into: &unquoted)
            unquoted.withUnsafeBytes { body(.text($0)) }
        case .number, .declaredNumber, .declaredBoolean:
            withCheckedValue(field, as: type, in: bytes, body)
        }
    }

    /// The value of a field that may not fit its declared type, or may have a decimal comma.
    @inline(never)
    private mutating func withCheckedValue(
        _ field: CSVField, as type: CellType, in bytes: UnsafeRawBufferPointer, _ body: (PropertyView?) -> Void
    ) {
        let elements = bytes.assumingMemoryBound(to: UInt8.self)
        let (cell, span) = (UnsafeRawBufferPointer(rebasing: bytes[field.range]), elements.span)
        switch type {
        case .text, .boolean: preconditionFailure("these are written as they are")
        case .declaredBoolean: body(Cell.boolean(span, field.range).map { .bool($0) })
        case .number(let marks), .declaredNumber(let marks):
            let isJSON = Cell.isNumber(span, field.range)
            if isJSON, marks != .thousands { return body(.number(cell)) }
            if type == .declaredNumber(marks), !isJSON, marks == .json || Cell.marks(span, field.range) == nil {
                return body(nil)
            }
            Cell.writeNumber(span, field.range, hasThousands: marks == .thousands, into: &unquoted)
            unquoted.withUnsafeBytes { body(.number($0)) }
        }
    }
}
