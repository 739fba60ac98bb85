import PyramidTiles

extension PointTable {
    /// Reads all inputs, each in the format that its first bytes show. The order of the inputs shows in nothing but the
    /// order of the points, before they are sorted, and of the report's examples.
    /// - Parameters:
    ///   - cutting: what is read at once; it shows nowhere.
    ///   - progress: is told from time to time how many bytes of how many are read.
    /// - Throws: ``InputError`` where no input has a usable point, or with the first bad row if reading is to be strict.
    init(
        reading inputs: [InputBytes], options: InputOptions, cutting: InputCutting = InputCutting(),
        progress: (_ bytesRead: Int, _ byteCount: Int) -> Void = { _, _ in }
    ) throws(InputError) {
        let sequence = InputSequence(inputs)
        var readers: [any PointReader] = []
        for input in inputs {
            try input.requireText()
            if GeoJSONPointReader.recognises(input) {
                readers.append(GeoJSONPointReader(input, options: options))
            } else {
                readers.append(try CSVPointReader(input, options: options, isOnlyInput: inputs.count == 1))
            }
        }
        // Headers tell before anything is read whether the options fit.
        if readers.allSatisfy({ $0 is CSVPointReader }) {
            _ = try TableColumns(readers.map(\.columns), options: options, sourceName: sequence.name)
        } else if options.longitudeColumn != nil || options.latitudeColumn != nil,
            !readers.contains(where: { $0 is CSVPointReader })
        {
            throw InputError(
                .usage, in: sequence.name,
                "\(.longitudeColumn) and \(.latitudeColumn) are for CSV: the coordinates of GeoJSON are its geometry's")
        }

        for index in readers.indices {
            try readers[index].read(cutting) { progress(sequence.bases[index] + $0, sequence.byteCount) }
        }
        if options.idColumn != nil, !readers.contains(where: { $0.columns.idColumn != nil }),
            readers.contains(where: { $0.rows.count > 0 })
        {
            // Names the columns, which says more than that every row lacks its id.
            _ = try TableColumns(readers.map(\.columns), options: options, sourceName: sequence.name)
        }
        try DuplicateIDs.skip(in: &readers)
        var report = try InputReport(readers, sourceName: sequence.name)
        let columns = try TableColumns(readers.map(\.columns), options: options, sourceName: sequence.name)
        report.renamedColumns = columns.renamed

        let formats = readers.map { RowFormat($0.syntax, columns: $0.columns, of: columns, options: options) }
        let sources = RowSource.all(inputs, syntaxes: readers.map(\.syntax))
        var rows = AcceptedRows()
        for index in readers.indices {
            rows.append(readers[index].rows.accepted, base: sequence.bases[index])
            readers[index].rows.accepted = AcceptedRows()
        }
        try rows.requireNumberable(in: sequence.name)
        self.init(
            rows: rows, inputs: sequence, report: report, columns: columns, formats: formats,
            rowSources: sources)
    }
}
