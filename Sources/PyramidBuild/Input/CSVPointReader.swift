/// Reads comma-separated values (RFC 4180) as people have them, in one pass, and a second one where ids repeat.
///
/// The first row that is not empty is the header. Empty lines are not rows. A single delimiter at the end of a row, with
/// nothing after it, is tolerated; every other row needs as many fields as the header.
struct CSVPointReader: PointReader {
    let input: InputBytes
    var rows = AcceptedRows()
    private(set) var rowsRead = 0
    private(set) var log: BadRowLog

    private var survey: CSVRowSurvey
    private let header: CSVHeader
    private let csvColumns: CSVColumns
    private let options: InputOptions
    private var scanner: CSVRowScanner
    private var unquoted: [UInt8] = []
    /// Bytes that were read again because a malformed row was cut short; never more than the input has.
    private var bytesReadAgain = 0

    private static let rowsPerReport = 1 << 16
    /// Rows whose mean length foretells the number of points.
    private static let rowsToMeasure = 1 << 10

    /// Reads the header.
    /// - Parameter isOnlyInput: whether no other input can have the column of ids.
    init(_ input: InputBytes, options: InputOptions, isOnlyInput: Bool) throws(InputError) {
        let header = try CSVHeader(input, options: options, isOnlyInput: isOnlyInput)
        self.header = header
        self.input = input
        self.options = options
        csvColumns = header.columns
        // One more field than the header, to tell a delimiter at the end of a row.
        scanner = CSVRowScanner(delimiter: header.delimiter, roomForFields: header.columns.count + 1)
        log = BadRowLog(source: input.name)
        survey = CSVRowSurvey(header.columns, options: options)
    }

    var syntax: RecordSyntax { .csv(delimiter: header.delimiter, names: header.names) }
    var rowsDigest: UInt64 { survey.digest }

    var columns: InputColumns {
        let indices = 0..<csvColumns.count
        return InputColumns(
            names: csvColumns.names, kinds: indices.map { survey.types.kinds(ofColumn: $0) },
            places: Set(
                [csvColumns.coordinates.longitude, csvColumns.coordinates.latitude, csvColumns.id].compactMap(\.self)),
            renamed: csvColumns.renamed, isOrdered: true, hasIDColumn: csvColumns.id != nil)
    }

    func format(_ columns: TableColumns) -> RecordFormat {
        .csv(CSVRecordFormat(delimiter: header.delimiter, columns: self.columns, idField: csvColumns.id, of: columns))
    }

    mutating func read(progress: (_ bytesRead: Int) -> Void) throws(InputError) {
        let elements = input.elements
        let bytes = elements.span
        var position = header.bodyStart
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                position += 1
                continue
            }
            scanner.scan(bytes, from: position)
            rowsRead += 1
            if let fault = take(rowAt: position, in: bytes) {
                try skip(fault, rowAt: position, in: bytes)
                position = rowAfterFault(at: position, in: bytes)
            } else {
                position = scanner.nextRow
            }
            if rowsRead % CSVPointReader.rowsPerReport == 0 { progress(position) }
            if rowsRead == CSVPointReader.rowsToMeasure { reserveRoom(bytesRead: position - header.bodyStart) }
            guard rows.count <= InputLimits.points else {
                throw InputError(.badData, in: input.name, "has more than \(InputLimits.points) points")
            }
        }
        progress(bytes.count)
    }

    mutating func skipDuplicates(_ dropped: [Int]) throws(InputError) {
        let elements = input.elements
        let bytes = elements.span
        log.rewind()
        for row in dropped {
            let start = Int(rows.starts[row])
            scanner.scan(bytes, from: start)
            try skip(RowFault(problem: .duplicateID), rowAt: start, in: bytes)
        }
        rows.remove(dropped)
        survey = CSVRowSurvey(csvColumns, options: options)
        for start in rows.starts {
            scanner.scan(bytes, from: Int(start))
            survey.add(RowDigest(bytes.extracting(Int(start)..<scanner.rowEnd).bytes), scanner.fields, in: bytes)
        }
    }

    mutating func id(ofRowAt start: Int) -> [UInt8] {
        guard let id = csvColumns.id else { return [] }
        let elements = input.elements
        scanner.scan(elements.span, from: start)
        elements.span.unquote(scanner.fields[id], into: &unquoted)
        return unquoted
    }

    /// Checks the row that was scanned last, and appends it to the points if it is sound.
    private mutating func take(rowAt start: Int, in bytes: Span<UInt8>) -> RowFault? {
        switch scanner.quoting {
        case .sound: break
        case .unterminated: return RowFault(problem: .unterminatedQuote)
        case .followedByText: return RowFault(problem: .textAfterQuote)
        }
        guard scanner.rowEnd - start <= InputLimits.rowBytes else { return RowFault(problem: .tooLong) }
        guard
            scanner.fieldCount == csvColumns.count
                || scanner.fieldCount == csvColumns.count + 1 && scanner.fields[csvColumns.count].isEmpty
        else { return RowFault(problem: .raggedRow) }
        let digest = RowDigest(bytes.extracting(start..<scanner.rowEnd).bytes)
        guard !digest.hasNULByte else { return RowFault(problem: .nulByte) }
        guard digest.isASCII || bytes.isValidUTF8(start..<scanner.rowEnd) else {
            return RowFault(problem: .invalidUTF8)
        }

        var fault: RowFault?
        let latitude = microdegrees(.latitude, column: csvColumns.coordinates.latitude, in: bytes, &fault)
        if let fault { return fault }
        let longitude = microdegrees(.longitude, column: csvColumns.coordinates.longitude, in: bytes, &fault)
        if let fault { return fault }
        var idHash: UInt64?
        if options.idColumn != nil {
            guard let id = csvColumns.id, !scanner.fields[id].isEmpty else { return RowFault(problem: .missingID) }
            idHash = hash(scanner.fields[id], in: bytes)
        }
        rows.append(start: start, longitude: longitude, latitude: latitude, idHash: idHash)
        survey.add(digest, scanner.fields, in: bytes)
        return nil
    }

    private func microdegrees(
        _ axis: Axis, column: Int, in bytes: Span<UInt8>, _ fault: inout RowFault?
    ) -> Int32 {
        let text = DecimalDegrees.trimmed(bytes, scanner.fields[column].range)
        guard let value = DecimalDegrees.microdegrees(bytes, text) else {
            fault = RowFault(problem: text.isEmpty ? .missingCoordinate : .unreadableCoordinate, axis: axis)
            return 0
        }
        guard abs(value) <= axis.limitMicrodegrees else {
            fault = RowFault(problem: .coordinateOutOfRange, axis: axis, isSwapped: isSwapped(in: bytes))
            return 0
        }
        return Int32(truncatingIfNeeded: value)
    }

    /// Whether the coordinates of the row that was scanned last are out of range, and would not be if they were swapped.
    private func isSwapped(in bytes: Span<UInt8>) -> Bool {
        func value(_ column: Int) -> Int64? {
            DecimalDegrees.microdegrees(bytes, DecimalDegrees.trimmed(bytes, scanner.fields[column].range))
        }
        return DecimalDegrees.areSwapped(
            latitude: value(csvColumns.coordinates.latitude), longitude: value(csvColumns.coordinates.longitude))
    }

    private mutating func hash(_ field: CSVField, in bytes: Span<UInt8>) -> UInt64 {
        guard field.hasDoubledQuotes else { return RowDigest(bytes.extracting(field.range).bytes).hash }
        bytes.unquote(field, into: &unquoted)
        return RowDigest(unquoted.span.bytes).hash
    }

    /// Where to go on after a bad row. A row whose quotes are wrong most likely swallowed sound rows, so it is cut at its
    /// first line end, as long as no more is read again than the input has bytes: that keeps the pass linear.
    private mutating func rowAfterFault(at start: Int, in bytes: Span<UInt8>) -> Int {
        guard scanner.quoting != .sound else { return scanner.nextRow }
        let nextLine = CSVRowScanner.nextLine(bytes, after: start)
        let again = max(scanner.nextRow - nextLine, 0)
        guard bytesReadAgain + again <= bytes.count else { return scanner.nextRow }
        bytesReadAgain += again
        return nextLine
    }

    /// Counts the bad row that was scanned last.
    private mutating func skip(_ fault: RowFault, rowAt start: Int, in bytes: Span<UInt8>) throws(InputError) {
        guard log.count(fault) else { return }
        let example = log.addExample(fault, at: start, in: bytes, found: found(fault, rowStart: start))
        if options.isStrict { throw example }
    }

    /// What a message about a bad row shows.
    private func found(_ fault: RowFault, rowStart: Int) -> String {
        switch fault.problem {
        case .tooLong: return "\(scanner.rowEnd - rowStart)"
        case .raggedRow: return "\(scanner.fieldCount) fields, expected \(csvColumns.count)"
        case .unreadableCoordinate, .coordinateOutOfRange:
            let column = fault.axis == .longitude ? csvColumns.coordinates.longitude : csvColumns.coordinates.latitude
            return InputError.quoted(input.elements[scanner.fields[column].range])
        case .duplicateID:
            return csvColumns.id.map { InputError.quoted(input.elements[scanner.fields[$0].range]) } ?? ""
        default: return ""
        }
    }

    private mutating func reserveRoom(bytesRead: Int) {
        // A twentieth more than foretold costs nothing until it is touched.
        let rows = (input.bytes.count / max(bytesRead / CSVPointReader.rowsToMeasure, 1)) / 20 * 21
        self.rows.reserveRoom(min(rows, InputLimits.points), withIDs: csvColumns.id != nil)
    }
}
