import PyramidTiles

extension PointTable {
    /// The column with this name, as ``TableColumns/index(of:option:)`` finds it.
    /// - Parameter option: the option that names the column.
    /// - Throws: a usage error that lists the columns.
    package func column(named name: String, option: OptionName) throws(InputError) -> PointColumn {
        columns.columns[try columns.index(of: name, option: option)]
    }

    /// Calls `body` with every point's value: as text, empty if there is none, and as it is written. Nested values of
    /// GeoJSON come as JSON.
    /// - Parameter isCanonical: whether all spellings of a number become the same text.
    package func forEachText(
        of column: PointColumn, isCanonical: Bool = true,
        _ body: (_ point: Int, _ text: UnsafeRawBufferPointer, _ value: PropertyView?) -> Void
    ) {
        var scratch = makeScratch()
        var buffer: [UInt8] = []
        for point in 0..<count {
            withValue(of: column, of: point, scratch: &scratch) { value in
                guard let value else { return body(point, UnsafeRawBufferPointer(start: nil, count: 0), nil) }
                guard isCanonical else { return value.withText { body(point, $0, value) } }
                value.withCanonical(buffer: &buffer) { $0.withText { body(point, $0, value) } }
            }
        }
    }

    /// Visits one property of a point, if the point has it.
    /// - Parameter isCanonical: whether numbers are written in their canonical spelling.
    package func visitProperty<Visitor: PropertyVisitor & ~Copyable>(
        _ column: PointColumn, of point: Int, isCanonical: Bool = false, scratch: inout RowScratch,
        _ visitor: inout Visitor
    ) {
        withValue(of: column, of: point, scratch: &scratch) { value in
            guard let value else { return }
            guard isCanonical else { return visitor.visit(column.quotedName, value) }
            var buffer: [UInt8] = []
            value.withCanonical(buffer: &buffer) { visitor.visit(column.quotedName, $0) }
        }
    }

    /// Calls `body` with a value as it is written: `nil` for an empty cell, for a cell that doesn't fit its column's
    /// type, and for a feature without the property. A string comes as its characters.
    private func withValue(
        of column: PointColumn, of point: Int, scratch: inout RowScratch, _ body: (PropertyView?) -> Void
    ) {
        let (input, start) = inputs.position(of: rowStarts[point])
        let bytes = inputs.bytes(ofInput: input)
        switch scratch.formats[input] {
        case .csv(let format):
            format.withValue(ofColumn: column.index, in: bytes, from: start, scratch: &scratch.csv[input], body)
        case .geoJSON(let format):
            format.withValue(ofColumn: column.index, in: bytes, from: start, scratch: &scratch.geoJSON, body)
        }
    }
}

extension PropertyView {
    /// Calls `body` with the same value, or a number's canonical spelling.
    fileprivate func withCanonical(buffer: inout [UInt8], _ body: (PropertyView) -> Void) {
        guard case .number(let text) = self, CanonicalNumber.write(text, into: &buffer) else { return body(self) }
        buffer.withUnsafeBytes { body(.number($0)) }
    }

    /// Calls `body` with the characters of a string, or the JSON of another value.
    fileprivate func withText(_ body: (UnsafeRawBufferPointer) -> Void) {
        switch self {
        case .text(let text), .plainText(let text), .number(let text), .json(let text): body(text)
        case .bool(let value):
            let text: StaticString = value ? "true" : "false"
            body(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        case .integer, .decimal: preconditionFailure("a value of a row is given as its bytes")
        }
    }
}
