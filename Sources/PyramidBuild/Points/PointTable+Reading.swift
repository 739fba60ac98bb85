import PyramidTiles

extension PointTable {
    /// Reads all inputs, each in the format recognised by its first bytes. The order of the inputs affects only the
    /// order of the points before sorting and of the report's examples.
    /// - Parameters:
    ///   - reservedNames: property names with a meaning of their own; columns with these names get an underscore
    ///     appended.
    ///   - area: the rows to read; `nil` for all.
    ///   - cutting: how much is read at once; it doesn't affect the result.
    ///   - progress: called from time to time with the number of bytes read and the total.
    /// - Throws: ``InputError`` if no input has a usable point or, in strict reading, for the first bad row.
    init(
        reading inputs: [InputBytes], options: InputOptions,
        reservedNames: Set<String> = Set(Cluster.PropertyName.allCases.map(\.rawValue)), area: PartArea? = nil,
        cutting: InputCutting = InputCutting(),
        progress: (_ bytesRead: Int, _ byteCount: Int) -> Void = { _, _ in }
    ) throws(InputError) {
        var spool: RowSpool?
        try self.init(
            reading: inputs, options: options, reservedNames: reservedNames, area: area, cutting: cutting,
            spooling: nil, into: &spool, progress: progress)
    }

    /// - Parameters:
    ///   - spooling: when rows go to a temporary file; `nil` to keep all.
    ///   - spool: made if they do; then it has all rows, and the table has none.
    init(
        reading inputs: [InputBytes], options: InputOptions, reservedNames: Set<String>, area: PartArea?,
        cutting: InputCutting, spooling: SpoolOptions?, into spool: inout RowSpool?,
        progress: (_ bytesRead: Int, _ byteCount: Int) -> Void
    ) throws(InputError) {
        let sequence = InputSequence(inputs)
        var readers: [any PointReader] = []
        for input in inputs {
            try input.requireReadableFormat()
            if options.schema != nil { try PointSchema.requireGeoJSON(input) }
            // A part may have no rows at all.
            if GeoJSONPointReader.recognises(input) || options.schema != nil {
                readers.append(GeoJSONPointReader(input, options: options, area: area))
            } else {
                readers.append(try CSVPointReader(input, options: options, isOnlyInput: inputs.count == 1))
            }
        }
        // Headers are known already, so options that don't fit them fail before the rows are read.
        if readers.allSatisfy({ $0 is CSVPointReader }) {
            _ = try TableColumns(
                readers.map(\.columns), options: options, reserved: reservedNames, sourceName: sequence.name)
        } else if options.namesCoordinates, !readers.contains(where: { $0 is CSVPointReader }) {
            throw InputError(
                .usage, in: sequence.name,
                "\(.longitudeColumn), \(.latitudeColumn) and \(.pointColumn) can't be used with GeoJSON, which has "
                    + "coordinates in its geometries")
        }
        if !options.types.isEmpty, !readers.contains(where: { $0 is CSVPointReader }) {
            throw InputError(
                .usage, in: sequence.name, "\(.types) can't be used with GeoJSON, whose values have types")
        }

        let overflow = spooling.map { RowOverflow(readers, sequence, $0, jobs: cutting.jobs) }
        for index in readers.indices {
            overflow?.input = index
            try readers[index].read(cutting, store: overflow) {
                progress(sequence.bases[index] + $0, sequence.byteCount)
            }
            if let overflow, overflow.spool != nil || overflow.rowLimit <= readers.rowsInMemory {
                for index in readers.indices {
                    overflow.input = index
                    try readers[index].rows.moveAll(to: overflow)
                }
            }
        }
        spool = overflow?.spool
        try spool?.finish()
        if options.idColumn != nil, options.schema == nil, !readers.contains(where: { $0.columns.idColumn != nil }),
            readers.contains(where: { $0.rows.acceptedCount + $0.rows.log.counts[.missingID, default: 0] > 0 })
        {
            // This error lists the columns, which helps more than "missing id" for every row.
            _ = try TableColumns(
                readers.map(\.columns), options: options, reserved: reservedNames, sourceName: sequence.name)
        }
        try DuplicateIDs.skip(in: &readers, of: sequence, spool: spool, areRefused: area != nil)
        var report = try InputReport(readers, area: area, sourceName: sequence.name)
        var inputColumns = readers.map(\.columns)
        if let schema = options.schema {
            for reader in readers where reader.rows.acceptedCount > 0 {
                try schema.requireToCover(reader.columns, of: reader.input)
            }
            inputColumns = readers.map { _ in schema.inputColumns(idColumn: options.idColumn) }
        }
        let columns = try TableColumns(
            inputColumns, options: options, reserved: reservedNames, sourceName: sequence.name)
        report.columns = columns.report
        report.renamedColumns = columns.renamed

        let formats = zip(readers, inputColumns).map {
            RowFormat($0.syntax, columns: $1, of: columns, options: options)
        }
        let sources = RowSource.all(inputs, syntaxes: readers.map(\.syntax))
        var rows = AcceptedRows()
        for index in readers.indices {
            rows.append(readers[index].rows.accepted, base: sequence.bases[index])
            readers[index].rows.accepted = AcceptedRows()
        }
        try RowTally.require(report.rowsAccepted, in: sequence.name)
        self.init(
            rows: rows, inputs: sequence, report: report, columns: columns, formats: formats,
            rowSources: sources, area: area)
    }
}

extension [any PointReader] {
    fileprivate var rowsInMemory: Int { reduce(0) { $0 + $1.rows.accepted.count } }
}
