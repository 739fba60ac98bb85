/// The one pass over the rows of a CSV input, and a second one where ids repeat.
///
/// Invariant: `rowsRead` is the number of accepted rows plus the sum of the counts in `log`.
struct CSVRowPass {
    private(set) var longitudes: [Int32] = []
    private(set) var latitudes: [Int32] = []
    private(set) var recordStarts: [UInt64] = []
    private(set) var rowsRead = 0
    private(set) var log: BadRowLog
    private(set) var survey: CSVRowSurvey

    private let input: InputBytes
    private let header: CSVHeader
    private let columns: CSVColumns
    private let isStrict: Bool
    private var scanner: CSVRowScanner
    private var idHashes: [UInt64] = []
    private var unquoted: [UInt8] = []
    /// Bytes that were read again because a malformed row was cut short; never more than the input has.
    private var bytesReadAgain = 0

    private static let rowsPerReport = 1 << 16
    /// Rows whose mean length foretells the number of points.
    private static let rowsToMeasure = 1 << 10

    init(header: CSVHeader, input: InputBytes, isStrict: Bool) {
        self.header = header
        self.input = input
        self.isStrict = isStrict
        columns = header.columns
        // One more field than the header, to tell a delimiter at the end of a row.
        scanner = CSVRowScanner(delimiter: header.delimiter, roomForFields: header.columns.count + 1)
        log = BadRowLog(source: input.name)
        survey = CSVRowSurvey(header.columns)
    }

    mutating func readRows(progress: (_ bytesRead: Int, _ byteCount: Int) -> Void) throws(InputError) {
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
            if rowsRead % CSVRowPass.rowsPerReport == 0 { progress(position, bytes.count) }
            if rowsRead == CSVRowPass.rowsToMeasure { reserveRoom(bytesRead: position - header.bodyStart) }
            guard recordStarts.count <= InputLimits.points else {
                throw InputError(.badData, in: input.name, "has more than \(InputLimits.points) points")
            }
        }
        progress(bytes.count, bytes.count)
    }

    /// Drops the rows whose id another row has. Where there are any, the survey is made again without them.
    mutating func dropDuplicateIDs() throws(InputError) {
        guard let id = columns.id else { return }
        let elements = input.elements
        let bytes = elements.span
        let duplicates = DuplicateIDs(delimiter: header.delimiter, columnCount: columns.count, idColumn: id)
        let dropped = duplicates.rowsToDrop(hashes: idHashes, rowStarts: recordStarts, in: bytes)
        idHashes = []
        guard !dropped.isEmpty else { return }

        log.rewind()
        for row in dropped {
            let start = Int(recordStarts[row])
            scanner.scan(bytes, from: start)
            try skip(RowFault(problem: .duplicateID), rowAt: start, in: bytes)
        }
        keepAll(but: dropped)
        survey = CSVRowSurvey(columns)
        for start in recordStarts {
            scanner.scan(bytes, from: Int(start))
            survey.add(RowDigest(bytes.extracting(Int(start)..<scanner.rowEnd).bytes), scanner.fields, in: bytes)
        }
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
            scanner.fieldCount == columns.count
                || scanner.fieldCount == columns.count + 1 && scanner.fields[columns.count].isEmpty
        else { return RowFault(problem: .raggedRow) }
        let digest = RowDigest(bytes.extracting(start..<scanner.rowEnd).bytes)
        guard !digest.hasNULByte else { return RowFault(problem: .nulByte) }
        guard digest.isASCII || bytes.isValidUTF8(start..<scanner.rowEnd) else {
            return RowFault(problem: .invalidUTF8)
        }

        var fault: RowFault?
        let latitude = microdegrees(.latitude, column: columns.coordinates.latitude, in: bytes, &fault)
        if let fault { return fault }
        let longitude = microdegrees(.longitude, column: columns.coordinates.longitude, in: bytes, &fault)
        if let fault { return fault }
        if let id = columns.id {
            let field = scanner.fields[id]
            guard !field.isEmpty else { return RowFault(problem: .missingID) }
            idHashes.append(hash(field, in: bytes))
        }
        longitudes.append(longitude == 180_000_000 ? -180_000_000 : longitude)
        latitudes.append(latitude)
        recordStarts.append(UInt64(start))
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
            fault = RowFault(problem: .coordinateOutOfRange, axis: axis)
            return 0
        }
        return Int32(truncatingIfNeeded: value)
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
        if isStrict { throw example }
    }

    /// What a message about a bad row shows.
    private func found(_ fault: RowFault, rowStart: Int) -> String {
        switch fault.problem {
        case .tooLong: return "\(scanner.rowEnd - rowStart)"
        case .raggedRow: return "\(scanner.fieldCount) fields, expected \(columns.count)"
        case .unreadableCoordinate, .coordinateOutOfRange:
            let column = fault.axis == .longitude ? columns.coordinates.longitude : columns.coordinates.latitude
            return InputError.quoted(input.elements[scanner.fields[column].range])
        case .duplicateID: return columns.id.map { InputError.quoted(input.elements[scanner.fields[$0].range]) } ?? ""
        default: return ""
        }
    }

    private mutating func reserveRoom(bytesRead: Int) {
        // A twentieth more than foretold costs nothing until it is touched.
        let rows = (input.bytes.count / max(bytesRead / CSVRowPass.rowsToMeasure, 1)) / 20 * 21
        let points = min(rows, InputLimits.points)
        longitudes.reserveCapacity(points)
        latitudes.reserveCapacity(points)
        recordStarts.reserveCapacity(points)
        if columns.id != nil { idHashes.reserveCapacity(points) }
    }

    private mutating func keepAll(but dropped: [Int]) {
        var kept = 0
        var next = 0
        for row in recordStarts.indices {
            if next < dropped.count, dropped[next] == row {
                next += 1
                continue
            }
            longitudes[kept] = longitudes[row]
            latitudes[kept] = latitudes[row]
            recordStarts[kept] = recordStarts[row]
            kept += 1
        }
        longitudes.removeLast(dropped.count)
        latitudes.removeLast(dropped.count)
        recordStarts.removeLast(dropped.count)
    }
}
