import PyramidTiles

extension PointTable {
    /// Reads all inputs, each in the format recognised by its first bytes. The order of the inputs affects only the
    /// order of the points before sorting and of the report's examples.
    /// - Parameters:
    ///   - schema: for GeoJSON: the columns of all rows, also of others; `nil` to find them in the rows read.
    ///   - selection: the rows to read; `nil` for all.
    ///   - cutting: how much is read at once; it doesn't affect the result.
    ///   - spool: takes all rows if they are too many to keep in memory, and the table has none then; `nil` to keep all.
    ///   - progress: called from time to time with the number of bytes read and the total.
    /// - Throws: ``InputError`` if no input has a usable point, or if one has too many bad rows.
    package init(
        reading inputs: [InputBytes], options: InputOptions, schema: PointSchema? = nil,
        selection: (any RowSelection)? = nil,
        cutting: InputCutting = InputCutting(), spool: RowSpool? = nil,
        progress: (_ bytesRead: Int, _ byteCount: Int) -> Void = { _, _ in }
    ) throws(InputError) {
        var reading = try TableReading(InputSequence(inputs), options, schema, selection: selection, spool: spool)
        try reading.readRows(cutting, progress)
        try reading.settleIDs()
        try self.init(reading)
    }

    /// - Throws: ``InputError`` if no row is usable, or if the columns can't be used.
    private init(_ reading: consuming TableReading) throws(InputError) {
        let (inputs, options) = (reading.inputs, reading.options)
        var report = try InputReport(
            reading.readers, selection: reading.selection, options: options, inputName: inputs.name,
            repetition: reading.repetition)
        if let warning = reading.sharedIDs.warning { report.warnings.append(warning) }
        var inputColumns = reading.readers.map(\.columns)
        if let schema = reading.schema {
            for reader in reading.readers where reader.rows.acceptedCount > 0 {
                try schema.requireToCover(reader.columns, of: reader.input)
            }
            inputColumns = reading.readers.map { _ in schema.inputColumns(idColumn: options.idColumn) }
        }
        let columns = try reading.columns(inputColumns)
        report.columns = columns.report
        report.renamedColumns = columns.renamed

        let formats = zip(reading.readers, inputColumns).map {
            RowFormat($0.syntax, columns: $1, of: columns, options: options, sharedIDs: reading.sharedIDs)
        }
        let comparable = ComparableInput.all(inputs.inputs, syntaxes: reading.readers.map(\.syntax))
        try RowTally.require(report.rowsAccepted, in: inputs.name)
        self.init(
            rows: reading.takeRows(), inputs: inputs, report: report, columns: columns, formats: formats,
            comparableInputs: comparable, selection: reading.selection)
    }
}

/// Reads inputs into a table, in stages: headers, rows, ids; the rest is in ``PointTable``.
private struct TableReading {
    let inputs: InputSequence
    let options: InputOptions
    let schema: PointSchema?
    let selection: (any RowSelection)?
    private let spool: RowSpool?
    private(set) var readers: [any PointReader] = []
    private(set) var sharedIDs = SharedIDs()
    /// The first repeated id of a named column, and what helps.
    private(set) var repetition: OptionMessage?

    /// Reads the headers. Options that don't fit them fail before the rows are read.
    init(
        _ inputs: InputSequence, _ options: InputOptions, _ schema: PointSchema?, selection: (any RowSelection)?,
        spool: RowSpool?
    ) throws(InputError) {
        (self.inputs, self.options, self.schema) = (inputs, options, schema)
        (self.selection, self.spool) = (selection, spool)
        for input in inputs.inputs {
            try input.requireReadableFormat()
            if schema != nil { try PointSchema.requireGeoJSON(input) }
            // A part may have no rows at all.
            if GeoJSONPointReader.recognises(input) || schema != nil {
                readers.append(GeoJSONPointReader(input, options: options, selection: selection))
            } else {
                readers.append(try CSVPointReader(input, options: options, isOnlyInput: inputs.inputs.count == 1))
            }
        }
        if !readers.contains(where: { type(of: $0).isGeoJSON }) {
            _ = try columns(readers.map(\.columns))
        } else if let problem = options.problemWithGeoJSON, readers.allSatisfy({ type(of: $0).isGeoJSON }) {
            throw InputError(.usage, in: inputs.name, problem)
        }
    }

    /// The columns of all inputs together.
    func columns(_ inputColumns: [InputColumns]) throws(InputError) -> TableColumns {
        try TableColumns(inputColumns, options: options, inputName: inputs.name)
    }

    /// Reads the rows into the readers, or into the spool if they are too many.
    mutating func readRows(
        _ cutting: InputCutting, _ progress: (_ bytesRead: Int, _ byteCount: Int) -> Void
    ) throws(InputError) {
        var rowsInMemory = 0
        for index in readers.indices {
            spool?.input = input(index)
            try readers[index].read(cutting, store: spool) { [inputs] in
                progress(inputs.bases[index] + $0, inputs.byteCount)
            }
            rowsInMemory += readers[index].rows.accepted.count
            guard let spool, spool.count > 0 || spool.rowLimit <= rowsInMemory else { continue }
            for index in readers.indices {
                // A reader may have chosen other columns meanwhile.
                spool.input = input(index)
                try readers[index].rows.moveAll(to: spool)
            }
        }
        try spool?.finish()
        if options.idColumn != nil, schema == nil, !readers.contains(where: { $0.columns.idColumn != nil }),
            readers.contains(where: { $0.rows.acceptedCount + $0.rows.log.counts[.missingID, default: 0] > 0 })
        {
            // This error lists the columns, which helps more than "missing id" for every row.
            _ = try columns(readers.map(\.columns))
        }
    }

    /// An input, as a spool needs it.
    private func input(_ index: Int) -> (rows: ComparableInput, number: Int, base: Int) {
        let rows = ComparableInput(bytes: inputs.inputs[index].elements, rule: readers[index].syntax.rule, rank: 0)
        return (rows, index, inputs.bases[index])
    }

    /// Skips duplicates, and finds ids that are none. If only some rows are read, the caller compares ids with those of the
    /// other rows.
    mutating func settleIDs() throws(InputError) {
        guard selection == nil else { return }
        (sharedIDs, repetition) = try DuplicateIDs(readers, inputs, options).settle(&readers, spool)
    }

    /// Moves the rows out of the readers.
    mutating func takeRows() -> AcceptedRows {
        var rows = AcceptedRows()
        for index in readers.indices {
            rows.append(readers[index].rows.accepted, base: inputs.bases[index])
            readers[index].rows.accepted = AcceptedRows()
        }
        return rows
    }
}
