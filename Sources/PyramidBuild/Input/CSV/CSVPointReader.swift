import PyramidTiles

/// Reads comma-separated values (RFC 4180) as people have them, in one pass, and a second one where ids repeat.
///
/// The first row that is not empty is the header. Empty lines are not rows. A single delimiter at the end of a row, with
/// nothing after it, is tolerated; every other row needs as many fields as the header.
struct CSVPointReader: PointReader {
    let input: InputBytes

    private let header: CSVHeader
    private let options: InputOptions
    private var reader: CSVRowReader
    private var csvRows: CSVRows

    /// Reads the header.
    /// - Parameter isOnlyInput: whether no other input can have the column of ids.
    init(_ input: InputBytes, options: InputOptions, isOnlyInput: Bool) throws(InputError) {
        let header = try CSVHeader(input, options: options, isOnlyInput: isOnlyInput)
        self.header = header
        self.input = input
        self.options = options
        reader = CSVRowReader(header, options: options)
        csvRows = CSVRows(from: header.bodyStart, survey: CSVRowSurvey(header.columns, options: options))
    }

    var rows: AcceptedRows {
        get { csvRows.accepted }
        set { csvRows.accepted = newValue }
    }
    var rowsRead: Int { csvRows.readCount }
    var log: BadRowLog { csvRows.log }
    var syntax: RowSyntax { .csv(delimiter: header.delimiter, names: header.names) }
    var rowsDigest: UInt64 { csvRows.survey.digest }

    var columns: InputColumns {
        let columns = header.columns
        return InputColumns(
            names: columns.names, kinds: (0..<columns.count).map { csvRows.survey.types.kinds(ofColumn: $0) },
            coordinateColumns: [columns.coordinates.longitude, columns.coordinates.latitude], idColumn: columns.id,
            renamed: columns.renamed, isOrdered: true)
    }

    /// Several threads read parts of the input ahead. A part is used if the rows before it end where it begins; otherwise
    /// it is read again, and so is what is left of a part.
    mutating func read(_ cutting: InputCutting, progress: (_ bytesRead: Int) -> Void) throws(InputError) {
        let elements = input.elements
        let bytes = elements.span
        while csvRows.end < bytes.count {
            let parts = cutting.nextParts(of: bytes, from: csvRows.end)
            let ahead = readAhead(parts, cutting, of: bytes)
            for (index, part) in parts.enumerated() {
                if index < ahead.count, csvRows.end == part.lowerBound,
                    csvRows.bytesReadAgain + ahead[index].bytesReadAgain <= bytes.count
                {
                    csvRows.append(ahead[index])
                }
                reader.read(until: part.upperBound, of: bytes, into: &csvRows)
                if options.isStrict { try log.requireNone(in: input) }
                guard rows.count <= InputLimits.points else {
                    throw InputError(.badData, in: input.name, "has more than \(InputLimits.points) points")
                }
                if part.lowerBound == header.bodyStart { reserveRoom() }
            }
            progress(csvRows.end)
        }
        progress(bytes.count)
    }

    private func readAhead(_ parts: [Range<Int>], _ cutting: InputCutting, of bytes: Span<UInt8>) -> [CSVRows] {
        guard parts.count > 1 else { return [] }
        let survey = CSVRowSurvey(header.columns, options: options)
        return SharedWork(jobs: cutting.jobs).map(parts) { [reader] part in
            var reader = reader
            return reader.readAhead(part, lookahead: cutting.partBytes, of: bytes, survey: survey)
        }
    }

    mutating func skipDuplicates(_ dropped: [Int]) throws(InputError) {
        let elements = input.elements
        let bytes = elements.span
        for row in dropped {
            reader.countDuplicate(at: Int(rows.starts[row]), in: bytes, into: &csvRows.log)
            if options.isStrict { try log.requireNone(in: input) }
        }
        csvRows.accepted.remove(dropped)
        csvRows.survey = CSVRowSurvey(header.columns, options: options)
        for start in rows.starts { reader.survey(rowAt: Int(start), in: bytes, into: &csvRows.survey) }
    }

    mutating func id(ofRowAt start: Int) -> [UInt8] {
        let elements = input.elements
        return reader.id(ofRowAt: start, in: elements.span)
    }

    /// Reserves room for all rows, by the mean length of the first ones.
    private mutating func reserveRoom() {
        let rowBytes = max((csvRows.end - header.bodyStart) / max(rowsRead, 1), 1)
        // A twentieth more than expected costs nothing until it is touched.
        let expected = input.bytes.count / rowBytes / 20 * 21
        csvRows.accepted.reserveRoom(min(expected, InputLimits.points), withIDs: header.columns.id != nil)
    }
}
