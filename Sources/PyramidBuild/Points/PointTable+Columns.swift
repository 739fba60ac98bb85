import PyramidTiles

/// A column of the input that an option has named.
struct PointColumn: Sendable {
    /// As it stands in the input.
    let name: String
    /// As it is written.
    let outputName: String
    /// Whether all of its values are numbers.
    let isNumber: Bool
    /// Whether points carry it.
    let isWritten: Bool
    fileprivate let index: Int
    fileprivate let quotedName: [UInt8]
}

extension PointTable {
    /// The column with this name, as it stands or, where only one is alike, whatever the case.
    /// - Parameter option: who asks.
    /// - Throws: a usage error that lists the columns.
    func column(named name: String, option: OptionName) throws(InputError) -> PointColumn {
        let index = try columns.index(of: name, option: option)
        let column = columns.columns[index]
        return PointColumn(
            name: column.name, outputName: column.outputName, isNumber: column.isNumber,
            isWritten: column.isWritten, index: index, quotedName: column.quotedName)
    }

    /// Calls `body` with the text of every point in the order of the table, empty where the cell is, or where a feature
    /// has no such property or null. Numbers, booleans and nested values of GeoJSON have their JSON as text.
    func forEachText(of column: PointColumn, _ body: (_ point: Int, _ text: UnsafeRawBufferPointer) -> Void) {
        var scratch = makeScratch()
        for point in 0..<count {
            let (input, start) = inputs.position(of: rowStarts[point])
            let bytes = inputs.inputs[input].bytes
            switch formats[input] {
            case .csv(let format):
                format.withText(ofColumn: column.index, in: bytes, from: start, scratch: &scratch.csv[input]) {
                    body(point, $0)
                }
            case .geoJSON(let format):
                format.withText(ofColumn: column.index, in: bytes, from: start, scratch: &scratch.geoJSON) {
                    body(point, $0)
                }
            }
        }
    }

    /// Hands over one property of a point, or nothing if it has none.
    func visitProperty<Visitor: PropertyVisitor & ~Copyable>(
        _ column: PointColumn, of point: Int, scratch: inout RowScratch, _ visitor: inout Visitor
    ) {
        let (input, start) = inputs.position(of: rowStarts[point])
        let bytes = inputs.inputs[input].bytes
        switch formats[input] {
        case .csv(let format):
            format.withText(ofColumn: column.index, in: bytes, from: start, scratch: &scratch.csv[input]) { text in
                guard !text.isEmpty else { return }
                visitor.visit(column.quotedName, column.isNumber ? .number(text) : .text(text))
            }
        case .geoJSON(let format):
            format.visitProperty(
                ofColumn: column.index, in: bytes, from: start, scratch: &scratch.geoJSON, &visitor)
        }
    }
}
