import PyramidTiles

/// Splits CSV rows into fields, checks them and collects the accepted ones.
struct CSVRowParser: RowParser {
    let noColumns: ColumnTypes

    private let columns: CSVColumns
    private let needsID: Bool
    private let rule: CSVRowRule
    /// The start of the first row, which may have units; only its faults count.
    private let firstRow: Int
    private let header: Range<Int>
    private var scanner: CSVRowScanner
    private var unquoted: [UInt8] = []

    init(_ header: CSVHeader, options: InputOptions) {
        columns = header.columns
        needsID = options.idColumn != nil
        // Coordinates are properties only if the options name the columns.
        let coordinates = options.include == nil ? columns.coordinates.columns : []
        noColumns = ColumnTypes(
            columns: (0..<columns.count).filter { !coordinates.contains($0) }, declared: columns.types,
            hasDecimalCommas: header.rule.delimiter != UInt8(ascii: ","), id: columns.id)
        rule = header.rule
        firstRow = header.bodyStart
        self.header = header.start..<header.rowEnd
        scanner = CSVRowScanner(rule)
    }

    mutating func read(
        until end: Int, of bytes: Span<UInt8>, isAhead: Bool, into collected: inout CollectedRows<ColumnTypes>
    ) -> Bool {
        while collected.end < end {
            let start = collected.end
            if bytes[start] == UInt8(ascii: "\n") || bytes[start] == UInt8(ascii: "\r") {
                collected.end += 1
                continue
            }
            if bytes[start] == 0xef, bytes.afterByteOrderMark(at: start) > start {
                collected.rows.remarks.add(.byteOrderMark, rowAt: start)
                collected.end = bytes.afterByteOrderMark(at: start)
                continue
            }
            scanner.scan(bytes, from: start)
            // The row may go on after the known bytes.
            if isAhead, scanner.reach >= bytes.count { break }
            if let fault = append(rowAt: start, in: bytes, into: &collected, isCertain: false) {
                count(fault, rowAt: start, in: bytes, into: &collected.rows.log)
            }
            collected.end = scanner.nextRow
        }
        return false
    }

    mutating func countDuplicate(rowAt start: Int, in bytes: Span<UInt8>, into log: inout BadRowLog) {
        scanner.scan(bytes, from: start)
        count(RowFault(problem: .duplicateID), rowAt: start, in: bytes, into: &log)
    }

    mutating func survey(rowAt start: Int, in bytes: Span<UInt8>, into survey: inout RowSurvey<ColumnTypes>) {
        scanner.scan(bytes, from: start)
        survey.add(RowDigest(bytes.extracting(start..<scanner.rowEnd).bytes))
        survey.columns.add(scanner.fields, of: bytes, rowAt: start)
    }

    mutating func id(ofRowAt start: Int, in bytes: Span<UInt8>) -> [UInt8] {
        columns.id.map { text(ofColumn: $0, rowAt: start, in: bytes) } ?? []
    }

    /// The text of a cell in an accepted row.
    mutating func text(ofColumn column: Int, rowAt start: Int, in bytes: Span<UInt8>) -> [UInt8] {
        scanner.scan(bytes, from: start)
        bytes.unquote(scanner.fields[column], into: &unquoted)
        return unquoted
    }

    /// The kinds of the cells in complete rows.
    mutating func kindsOfCompleteRows(_ bytes: Span<UInt8>) -> CellKinds {
        var kinds = CellKinds(rule)
        var position = firstRow
        while position < bytes.count {
            position = bytes.afterByteOrderMark(at: position)
            scanner.scan(bytes, from: position)
            let isComplete =
                scanner.quoting == .sound && scanner.fieldCount >= rule.namedFieldCount && !scanner.hasSpareText
            if isComplete, rule.place.read(scanner.fields, of: bytes, &unquoted).fault == nil {
                kinds.add(scanner.fields, of: bytes)
            }
            position = scanner.nextRow
        }
        return kinds
    }

    /// Accepts or skips a row with fewer or more cells than the header.
    mutating func judge(
        raggedRowAt start: Int, _ kinds: CellKinds, in bytes: Span<UInt8>,
        into collected: inout CollectedRows<ColumnTypes>
    ) {
        scanner.scan(bytes, from: start)
        let fault =
            kinds.areCertain(scanner.allFields(of: bytes, from: start), of: bytes)
            ? append(rowAt: start, in: bytes, into: &collected, isCertain: true) : RowFault(problem: .raggedRow)
        if let fault { count(fault, rowAt: start, in: bytes, into: &collected.rows.log) }
    }

    /// Appends the last scanned row if it is sound; otherwise returns its fault.
    /// - Parameter isCertain: whether the coordinates are certain although the row has fewer or more cells than the header.
    ///   Otherwise it is kept to be judged later.
    private mutating func append(
        rowAt start: Int, in bytes: Span<UInt8>, into collected: inout CollectedRows<ColumnTypes>, isCertain: Bool
    ) -> RowFault? {
        switch scanner.quoting {
        case .sound: break
        case .unterminated: return RowFault(problem: .unterminatedQuote)
        case .followedByText: return RowFault(problem: .textAfterQuote)
        }
        guard scanner.rowEnd - start <= InputLimits.rowBytes else { return RowFault(problem: .tooLong) }
        // The end of a file that was cut off.
        let isShort = scanner.fieldCount < rule.namedFieldCount
        guard !isShort || scanner.rowEnd < bytes.count else { return RowFault(problem: .cutOff) }
        let digest = RowDigest(bytes.extracting(start..<scanner.rowEnd).bytes)
        guard !digest.hasNULByte else { return RowFault(problem: .nulByte) }
        guard digest.isASCII || bytes.isValidUTF8(start..<scanner.rowEnd) else {
            return RowFault(problem: .invalidUTF8)
        }

        let place = rule.place.read(scanner.fields, of: bytes, &unquoted)
        let isRagged = isShort || scanner.hasSpareText
        if let fault = place.fault {
            if isUnits(rowAt: start, in: bytes) { return RowFault(problem: .units) }
            if isHeader(rowAt: start, in: bytes) { return RowFault(problem: .repeatedHeader) }
            guard isRagged else { return fault }
            // A line that ends before the coordinates is not a row without a place, but a piece of one.
            let isPiece = rule.place.columns.last >= scanner.fieldCount
            let isBlank = bytes.trimmingBlanks(start..<scanner.rowEnd).isEmpty
            return fault.problem == .missingCoordinate && (!isPiece || isBlank) ? fault : RowFault(problem: .raggedRow)
        }
        guard !isRagged || isCertain else {
            collected.rows.ragged.append(start)
            return nil
        }
        var idHash: UInt64?
        if needsID {
            guard let id = columns.id, !scanner.fields[id].isEmpty else { return RowFault(problem: .missingID) }
            if let type = columns.types[id], !Cell.fits(type, bytes, scanner.fields[id].range) {
                return RowFault(problem: .unreadableID)
            }
            idHash = hash(scanner.fields[id], in: bytes)
        }
        collected.rows.accepted.append(
            start: start, longitude: place.longitude, latitude: place.latitude, idHash: idHash)
        if scanner.hasQuoteAsText { collected.rows.remarks.add(.quoteAsText, rowAt: start) }
        if isShort { collected.rows.remarks.add(.shortRow, rowAt: start) }
        if scanner.hasSpareText { collected.rows.remarks.add(.spareText, rowAt: start) }
        collected.rows.remarks.add(place, rowAt: start)
        switch place.order {
        case .latitudeFirst: collected.rows.remarks.add(.latitudeFirst, rowAt: start)
        case .longitudeFirst: collected.rows.remarks.add(.longitudeFirst, rowAt: start)
        case nil: break
        }
        collected.survey.add(digest)
        collected.survey.columns.add(scanner.fields, of: bytes, rowAt: start)
        return nil
    }

    /// Whether the last scanned row states the units of the columns, as below some headers.
    private func isUnits(rowAt start: Int, in bytes: Span<UInt8>) -> Bool {
        start == firstRow
            && rule.place.columns.columns.allSatisfy { column in
                let field = bytes.trimmingBlanks(scanner.fields[column].range)
                return UnitText.isUnit(String(decoding: field.prefix(32).map { bytes[$0] }, as: UTF8.self))
            }
    }

    /// Whether the last scanned row is the header again, as where files were joined.
    private func isHeader(rowAt start: Int, in bytes: Span<UInt8>) -> Bool {
        scanner.rowEnd - start == header.count
            && header.indices.allSatisfy { bytes[start + $0 - header.lowerBound] == bytes[$0] }
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
        case .raggedRow, .cutOff: return "\(NumberText.counted(scanner.fieldCount, "cell")), expected \(columns.count)"
        case .unreadableCoordinate, .coordinateOutOfRange:
            return rule.place.shown(fault.axis, scanner.fields, of: bytes)
        case .unreadableID, .duplicateID:
            let id = columns.id.map { InputError.quoted(bytes.extracting(scanner.fields[$0].range)) } ?? ""
            return fault.problem == .duplicateID ? id : "\(id), expected a number"
        default: return ""
        }
    }
}

/// Texts that state a coordinate's unit, in the row below some headers.
private enum UnitText {
    private static let units: Set<String> = ["degrees", "degree", "deg", "dd", "°", "decimal degrees", "wgs84"]

    /// Whether a text is a unit of degrees, such as "degrees_north" (ERDDAP), or a width, such as "16s" (RDB, of the
    /// United States Geological Survey).
    static func isUnit(_ text: String) -> Bool {
        let text = text.lowercased().filter { !"()[]\"".contains($0) }.replacing("_", with: " ")
        if text.count >= 2, let kind = text.last, "sdn".contains(kind), text.dropLast().allSatisfy(\.isNumber) {
            return true
        }
        return units.contains(text) || text.hasPrefix("degrees ") || text.hasPrefix("degree ")
    }
}
