import PyramidTiles

/// Splits CSV rows into fields, checks them and collects the accepted ones.
struct CSVRowReader: Sendable {
    private let columns: CSVColumns
    private let needsID: Bool
    private let isStrict: Bool
    /// If the delimiter is a comma, `48,137` in quotes is more likely two numbers.
    private let allowsDecimalComma: Bool
    private var scanner: CSVRowScanner
    private var unquoted: [UInt8] = []

    init(_ header: CSVHeader, options: InputOptions) {
        columns = header.columns
        needsID = options.idColumn != nil
        isStrict = options.isStrict
        allowsDecimalComma = header.delimiter != UInt8(ascii: ",")
        // One field more than the header, to notice a delimiter at the end of a row.
        scanner = CSVRowScanner(delimiter: header.delimiter, roomForFields: header.columns.count + 1)
    }

    /// Reads the rows that begin before `end`, starting at the end of `collected`. In strict reading, stops at the first
    /// bad row.
    mutating func read(until end: Int, of bytes: Span<UInt8>, into collected: inout CSVRows) {
        read(until: end, of: bytes, isAhead: false, into: &collected)
    }

    /// Reads the rows of a chunk before it is known whether a row begins at its first byte. Stops at a row that needs
    /// more than `lookahead` bytes after the chunk.
    ///
    /// If a row does begin there, the result is the same as reading from the start of the input, unless by then more
    /// bytes than the size of the input have been read twice.
    mutating func readAhead(
        _ chunk: Range<Int>, lookahead: Int, of bytes: Span<UInt8>, survey: CSVRowSurvey
    ) -> CSVRows {
        var collected = CSVRows(from: chunk.lowerBound, survey: survey)
        let known = bytes.extracting(..<min(chunk.upperBound + lookahead, bytes.count))
        read(until: chunk.upperBound, of: known, isAhead: true, into: &collected)
        return collected
    }

    /// Counts an accepted row as a duplicate.
    mutating func countDuplicate(at start: Int, in bytes: Span<UInt8>, into log: inout BadRowLog) {
        scanner.scan(bytes, from: start)
        count(RowFault(problem: .duplicateID), rowAt: start, in: bytes, into: &log)
    }

    /// Adds an accepted row to another survey.
    mutating func survey(rowAt start: Int, in bytes: Span<UInt8>, into survey: inout CSVRowSurvey) {
        scanner.scan(bytes, from: start)
        survey.add(RowDigest(bytes.extracting(start..<scanner.rowEnd).bytes), scanner.fields, of: bytes, rowAt: start)
    }

    /// The text of an accepted row's id.
    mutating func id(ofRowAt start: Int, in bytes: Span<UInt8>) -> [UInt8] {
        columns.id.map { text(ofColumn: $0, rowAt: start, in: bytes) } ?? []
    }

    /// The text of a cell in an accepted row.
    mutating func text(ofColumn column: Int, rowAt start: Int, in bytes: Span<UInt8>) -> [UInt8] {
        scanner.scan(bytes, from: start)
        bytes.unquote(scanner.fields[column], into: &unquoted)
        return unquoted
    }

    private mutating func read(
        until end: Int, of bytes: Span<UInt8>, isAhead: Bool, into collected: inout CSVRows
    ) {
        // A limit keeps the time linear.
        let limitReadAgain = isAhead ? bytes.count - collected.end : bytes.count
        while collected.end < end {
            let start = collected.end
            if bytes[start] == UInt8(ascii: "\n") || bytes[start] == UInt8(ascii: "\r") {
                collected.end += 1
                continue
            }
            scanner.scan(bytes, from: start)
            var next = scanner.nextRow
            // The row may go on after the known bytes.
            if isAhead, next == bytes.count { return }
            if let fault = append(rowAt: start, in: bytes, into: &collected) {
                if scanner.quoting != .sound {
                    // The bad quote has probably swallowed good rows, so the row ends at its first line end.
                    let nextLine = bytes.nextLine(after: start)
                    let again = max(next - nextLine, 0)
                    if collected.bytesReadAgain + again <= limitReadAgain {
                        collected.bytesReadAgain += again
                        next = nextLine
                    } else if isAhead {
                        return
                    }
                }
                count(fault, rowAt: start, in: bytes, into: &collected.rows.log)
                if isStrict { return }
            }
            collected.end = next
        }
    }

    /// Appends the last scanned row if it is sound; otherwise returns its fault.
    private mutating func append(rowAt start: Int, in bytes: Span<UInt8>, into collected: inout CSVRows) -> RowFault? {
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
        let longitude, latitude: Int32
        if columns.coordinates.isPoint {
            (longitude, latitude) = point(in: bytes, &fault)
        } else {
            latitude = microdegrees(.latitude, column: columns.coordinates.latitude, in: bytes, &fault)
            if let fault { return fault }
            longitude = microdegrees(.longitude, column: columns.coordinates.longitude, in: bytes, &fault)
        }
        if let fault { return fault }
        var idHash: UInt64?
        if needsID {
            guard let id = columns.id, !scanner.fields[id].isEmpty else { return RowFault(problem: .missingID) }
            if let type = columns.types[id], !Cell.fits(type, bytes, scanner.fields[id].range) {
                return RowFault(problem: .unreadableID)
            }
            idHash = hash(scanner.fields[id], in: bytes)
        }
        collected.rows.accepted.append(start: start, longitude: longitude, latitude: latitude, idHash: idHash)
        collected.survey.add(digest, scanner.fields, of: bytes, rowAt: start)
        return nil
    }

    private func microdegrees(
        _ axis: Axis, column: Int, in bytes: Span<UInt8>, _ fault: inout RowFault?
    ) -> Int32 {
        let text = bytes.trimmingBlanks(scanner.fields[column].range)
        guard let value = DecimalDegrees.microdegrees(bytes, text, allowsComma: allowsDecimalComma) else {
            fault = RowFault(problem: text.isEmpty ? .missingCoordinate : .unreadableCoordinate, axis: axis)
            return 0
        }
        guard abs(value) <= axis.limitMicrodegrees else {
            func value(_ column: Int) -> Int? {
                DecimalDegrees.microdegrees(
                    bytes, bytes.trimmingBlanks(scanner.fields[column].range), allowsComma: allowsDecimalComma)
            }
            fault = .outOfRange(
                axis, latitude: value(columns.coordinates.latitude), longitude: value(columns.coordinates.longitude))
            return 0
        }
        return Int32(truncatingIfNeeded: value)
    }

    /// The point in the cell that holds both coordinates.
    private func point(in bytes: Span<UInt8>, _ fault: inout RowFault?) -> (longitude: Int32, latitude: Int32) {
        let text = bytes.trimmingBlanks(scanner.fields[columns.coordinates.latitude].range)
        guard let point = PointText(bytes, text) else {
            let isMissing = PointText.isMissing(bytes, text)
            fault = RowFault(problem: isMissing ? .missingCoordinate : .unreadableCoordinate, isInPoint: true)
            return (0, 0)
        }
        for (axis, value) in [(Axis.latitude, point.latitude), (.longitude, point.longitude)]
        where abs(value) > axis.limitMicrodegrees {
            fault = .outOfRange(axis, latitude: point.latitude, longitude: point.longitude)
            fault?.isInPoint = true
            return (0, 0)
        }
        return (Int32(truncatingIfNeeded: point.longitude), Int32(truncatingIfNeeded: point.latitude))
    }

    private mutating func hash(_ field: CSVField, in bytes: Span<UInt8>) -> UInt64 {
        guard field.hasDoubledQuotes else { return RowDigest.hash(ofID: bytes, field.range, &unquoted) }
        // No number.
        bytes.unquote(field, into: &unquoted)
        return RowDigest(unquoted.span.bytes).hash
    }

    /// Counts the last scanned row as bad.
    private func count(_ fault: RowFault, rowAt start: Int, in bytes: Span<UInt8>, into log: inout BadRowLog) {
        let found = log.wantsExample(of: fault) ? found(fault, rowStart: start, in: bytes) : ""
        log.count(fault, at: start, found: found)
    }

    /// The offending text for a message about a bad row.
    private func found(_ fault: RowFault, rowStart: Int, in bytes: Span<UInt8>) -> String {
        switch fault.problem {
        case .tooLong: return "\(scanner.rowEnd - rowStart)"
        case .raggedRow: return "\(scanner.fieldCount) fields, expected \(columns.count)"
        case .unreadableCoordinate, .coordinateOutOfRange:
            let column = fault.axis == .longitude ? columns.coordinates.longitude : columns.coordinates.latitude
            return InputError.quoted(bytes.extracting(scanner.fields[column].range))
        case .unreadableID, .duplicateID:
            let id = columns.id.map { InputError.quoted(bytes.extracting(scanner.fields[$0].range)) } ?? ""
            return fault.problem == .duplicateID ? id : "\(id), expected a number"
        default: return ""
        }
    }
}
