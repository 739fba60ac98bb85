/// How the rows of one input are read again and written.
enum RowFormat: Sendable {
    case csv(CSVRowFormat)
    case geoJSON(GeoJSONRowFormat)

    /// - Parameters:
    ///   - input: the columns of the rows' input.
    ///   - table: those of all inputs.
    init(_ syntax: RowSyntax, columns input: InputColumns, of table: TableColumns, options: InputOptions) {
        switch syntax {
        case .csv(let delimiter, _): self = .csv(CSVRowFormat(delimiter: delimiter, columns: input, of: table))
        case .geoJSON: self = .geoJSON(GeoJSONRowFormat(idRule: GeoJSONIDRule(options), columns: table))
        }
    }
}

/// What a worker needs to read records again, kept from one to the next so that nothing is allocated per point.
struct RowScratch {
    /// By input; those of GeoJSON have no use for theirs.
    var csv: [CSVRowScratch]
    var geoJSON = GeoJSONRowScratch()

    init(_ formats: [RowFormat]) {
        csv = formats.map { format in
            guard case .csv(let format) = format else { return CSVRowScratch(delimiter: 0, fieldCount: 0) }
            return CSVRowScratch(delimiter: format.delimiter, fieldCount: format.fieldCount)
        }
    }
}
