import PyramidTiles

/// The accepted points of all inputs as parallel arrays, 16 bytes per point. Everything else about a point stays in the
/// mapped inputs and is read again when it is written.
///
/// Invariant: the three arrays have the same length, and every row start is the start of an accepted row.
package struct PointTable: Sendable {
    /// Microdegrees east, in -180,000,000 ..< 180,000,000.
    package private(set) var longitudes: [Int32]
    /// Microdegrees north, in -90,000,000 ... 90,000,000.
    package private(set) var latitudes: [Int32]
    /// The start of each point's row, as an offset into all ``inputs`` laid end to end. It identifies the input too, so
    /// points don't store its number.
    package private(set) var rowStarts: [UInt64]

    package let inputs: InputSequence
    package let report: InputReport
    package let columns: TableColumns
    /// By input.
    let formats: [RowFormat]
    /// By input.
    package let comparableInputs: [ComparableInput]
    /// `nil` if all rows were read, and count.
    private let selection: (any RowSelection)?
    /// Whether the rows are copies, so that their positions say nothing to users.
    private(set) var hasCopiedRows = false

    package init(
        rows: AcceptedRows, inputs: InputSequence, report: InputReport, columns: TableColumns, formats: [RowFormat],
        comparableInputs: [ComparableInput], selection: (any RowSelection)? = nil
    ) {
        precondition(formats.count == inputs.inputs.count && comparableInputs.count == formats.count)
        longitudes = rows.longitudes
        latitudes = rows.latitudes
        rowStarts = rows.starts
        self.inputs = inputs
        self.report = report
        self.columns = columns
        self.formats = formats
        self.comparableInputs = comparableInputs
        self.selection = selection
    }

    /// The same columns without rows, with other inputs.
    /// - Parameter numbers: by input: the number of one here with rows of the same format.
    package func with(_ inputs: InputSequence, numbers: [Int]) -> PointTable {
        var table = PointTable(
            rows: AcceptedRows(), inputs: inputs, report: report, columns: columns,
            formats: numbers.map { formats[$0] },
            comparableInputs: zip(inputs.inputs, numbers).map { input, number in
                ComparableInput(
                    bytes: input.elements, rule: comparableInputs[number].rule, rank: comparableInputs[number].rank)
            })
        table.hasCopiedRows = true
        return table
    }

    /// Whether a point counts. Others were read only because they affect it.
    func isCounted(_ point: Int) -> Bool {
        selection.map { $0.use(of: WebMercator.project(coordinate(point))) == .counted } ?? true
    }

    package var count: Int { longitudes.count }

    /// The rows, without ids.
    package var rows: AcceptedRows {
        AcceptedRows(longitudes: longitudes, latitudes: latitudes, starts: rowStarts)
    }

    /// The same columns and inputs, without rows.
    package var withoutRows: PointTable { with(AcceptedRows()) }

    /// The same columns and inputs, with these rows.
    /// - Parameter selection: how they were selected; `nil` for all.
    package func with(_ rows: AcceptedRows, selection: (any RowSelection)? = nil) -> PointTable {
        var table = PointTable(
            rows: rows, inputs: inputs, report: report, columns: columns, formats: formats,
            comparableInputs: comparableInputs,
            selection: selection)
        table.hasCopiedRows = hasCopiedRows
        return table
    }

    /// The names of the points' properties as written, in the order of the columns.
    package var propertyNames: [String] { columns.columns.filter(\.isWritten).map(\.outputName) }

    /// Property name to "String", "Number" or "Boolean".
    package var fields: [String: String] {
        columns.propertyTypes.mapValues(\.fieldName)
    }

    package var coordinates: PointCoordinates { PointCoordinates(longitudes: longitudes, latitudes: latitudes) }

    package func coordinate(_ index: Int) -> Coordinate {
        Coordinate(longitudeMicrodegrees: longitudes[index], latitudeMicrodegrees: latitudes[index])
    }

    /// Reorders the points: the new point `i` is the old point `permutation[i]`.
    /// - Parameter jobs: the number of threads.
    package mutating func reorder(by permutation: [UInt32], jobs: Int = 1) {
        precondition(permutation.count == count, "not a permutation of the points")
        // One array after the other, so only one has a second copy in memory.
        longitudes = longitudes.permuted(by: permutation, jobs: jobs)
        latitudes = latitudes.permuted(by: permutation, jobs: jobs)
        rowStarts = rowStarts.permuted(by: permutation, jobs: jobs)
    }

    /// Scratch space for ``scan(_:scratch:)``; make one for each worker.
    package func makeScratch() -> RowScratch { RowScratch(formats) }

    /// Reads a point's row again, for ``withID(of:scratch:_:)`` and ``visitProperties(of:scratch:_:)``.
    package func scan(_ point: Int, scratch: inout RowScratch) {
        let (input, start) = inputs.position(of: rowStarts[point])
        let bytes = inputs.bytes(ofInput: input).assumingMemoryBound(to: UInt8.self).span
        switch scratch.formats[input] {
        case .csv: scratch.csv[input].scanner.scan(bytes, from: start)
        case .geoJSON(let format):
            scratch.geoJSON.scan(bytes, from: start, hasRepeatedNames: format.hasRepeatedNames)
        }
    }

    /// Calls `body` with the id of the last scanned point, `nil` if it has none.
    package func withID(of point: Int, scratch: inout RowScratch, _ body: (PropertyView?) -> Void) {
        let input = inputs.position(of: rowStarts[point]).input
        let bytes = inputs.bytes(ofInput: input)
        switch scratch.formats[input] {
        case .csv(let format): format.withID(in: bytes, scratch: &scratch.csv[input], body)
        case .geoJSON(let format): format.withID(in: bytes, scratch: &scratch.geoJSON, body)
        }
    }

    /// Visits the properties of the last scanned point.
    package func visitProperties<Visitor: PropertyVisitor & ~Copyable>(
        of point: Int, scratch: inout RowScratch, _ visitor: inout Visitor
    ) {
        let input = inputs.position(of: rowStarts[point]).input
        let bytes = inputs.bytes(ofInput: input)
        switch scratch.formats[input] {
        case .csv(let format): format.visitProperties(in: bytes, scratch: &scratch.csv[input], &visitor)
        case .geoJSON(let format): format.visitProperties(in: bytes, scratch: &scratch.geoJSON, &visitor)
        }
    }
}

/// Points' coordinates as parallel arrays.
package struct PointCoordinates: Sendable {
    /// Microdegrees east and north.
    package let longitudes, latitudes: [Int32]

    @inline(__always)
    package subscript(point: Int) -> Coordinate {
        Coordinate(longitudeMicrodegrees: longitudes[point], latitudeMicrodegrees: latitudes[point])
    }
}

extension Array where Element: BitwiseCopyable & Sendable {
    /// The elements at the indices in `permutation`.
    fileprivate func permuted(by permutation: [UInt32], jobs: Int) -> [Element] {
        SharedWork(jobs: jobs).elements(count: permutation.count) { chunk, permuted in
            for index in chunk { permuted[index] = self[Int(permutation[index])] }
        }
    }
}
