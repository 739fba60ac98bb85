import PyramidTiles

extension PointTable {
    /// The column with this name, or the only one that differs in nothing but case.
    /// - Parameter option: the option that names the column.
    /// - Throws: a usage error that lists the columns.
    func column(named name: String, option: OptionName) throws(InputError) -> PointColumn {
        columns.columns[try columns.index(of: name, option: option)]
    }

    /// Calls `body` with the text of every point, in the order of the table. It is empty for an empty cell and for a
    /// feature without the property; GeoJSON's numbers, booleans and nested values are given as JSON.
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

    /// Passes on one property of a point, or nothing if it has none.
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
