import PyramidTiles

/// A column of the input that an option has named.
struct PointColumn: Sendable {
    /// As it stands in the input.
    let name: String
    /// As it is written.
    let outputName: String
    /// Whether its values are written as numbers.
    let isNumber: Bool
    fileprivate let index: Int
    fileprivate let quotedName: [UInt8]
}

extension PointTable {
    /// The column with this name, as it stands or, where only one is alike, whatever the case.
    /// - Parameter option: who asks.
    /// - Throws: a usage error that lists the columns.
    func column(named name: String, option: String) throws(InputError) -> PointColumn {
        let index = try format.column(named: name, option: option)
        return PointColumn(
            name: format.columnNames[index], outputName: format.outputNames[index],
            isNumber: format.types.isNumber(column: index), index: index,
            quotedName: CSVRecordFormat.quoted(format.outputNames[index]))
    }

    /// Calls `body` with the text of every point in the order of the table, empty where the cell is.
    func forEachText(of column: PointColumn, _ body: (_ point: Int, _ text: UnsafeRawBufferPointer) -> Void) {
        var scratch = makeScratch()
        for point in 0..<count {
            format.withText(
                ofColumn: column.index, in: input.bytes, from: Int(recordStarts[point]), scratch: &scratch
            ) { body(point, $0) }
        }
    }

    /// Writes one property of a point, or nothing where the cell is empty.
    func appendProperty(
        _ column: PointColumn, of point: Int, to encoder: inout GeoJSONTileEncoder, scratch: inout RecordScratch
    ) {
        format.withText(
            ofColumn: column.index, in: input.bytes, from: Int(recordStarts[point]), scratch: &scratch
        ) { text in
            guard !text.isEmpty else { return }
            encoder.append(quotedName: column.quotedName, text: text, isNumber: column.isNumber)
        }
    }
}
