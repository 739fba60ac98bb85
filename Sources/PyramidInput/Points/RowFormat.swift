import PyramidTiles

/// How the rows of an input are read again and written.
package enum RowFormat: Sendable {
    case csv(CSVRowFormat)
    case geoJSON(GeoJSONRowFormat)

    /// - Parameters:
    ///   - input: the columns of the rows' input.
    ///   - table: the columns of all inputs.
    ///   - sharedIDs: ids that several features of GeoJSON have.
    init(
        _ syntax: RowSyntax, columns input: InputColumns, of table: TableColumns, options: InputOptions,
        sharedIDs: SharedIDs
    ) {
        switch syntax {
        case .csv(let rule, _): self = .csv(CSVRowFormat(rule, columns: input, of: table))
        case .geoJSON(let hasRepeatedNames):
            self = .geoJSON(
                GeoJSONRowFormat(
                    idRule: GeoJSONIDRule(options), columns: table, hasRepeatedNames: hasRepeatedNames,
                    sharedIDs: sharedIDs))
        }
    }

    /// A copy that shares no object.
    fileprivate var copy: RowFormat {
        switch self {
        case .csv(let format): .csv(CSVRowFormat(copying: format))
        case .geoJSON(let format): .geoJSON(GeoJSONRowFormat(copying: format))
        }
    }
}

/// A worker's buffers for reading rows again, reused so that nothing is allocated per point.
package struct RowScratch {
    /// By input. One copy per worker, to avoid contention on its reference count.
    let formats: [RowFormat]
    /// By input; unused for GeoJSON.
    var csv: [CSVRowScratch]
    package var geoJSON = GeoJSONRowScratch()

    package init(_ formats: [RowFormat]) {
        self.formats = formats.map(\.copy)
        csv = formats.map { format in
            guard case .csv(let format) = format else { return CSVRowScratch(.unused) }
            return CSVRowScratch(format.rule, comparedFields: format.comparedFields)
        }
    }
}
