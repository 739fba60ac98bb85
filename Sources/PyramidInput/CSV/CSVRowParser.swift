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
        let names = columns.names
        let compared = options.comparedColumns.compactMap { name in
            if let index = CSVColumns.index(of: name, in: names) { return index }
            // In the tiles, a reserved name has underscores after it.
            let own = name.replacing(/_+$/, with: "")
            return options.reservedNames.contains(own) ? CSVColumns.index(of: own, in: names) : nil
        }
        // Coordinates are properties only if the options name the columns.
        let coordinates = options.include == nil ? columns.coordinates.columns : []
        noColumns = ColumnTypes(
            columns: (0..<columns.count).filter { !coordinates.contains($0) }, declared: columns.types,
            hasDecimalCommas: header.rule.delimiter != UInt8(ascii: ","), id: columns.id, compared: compared)
        rule = header.rule
        firstRow = header.bodyStart
        self.header = header.start..<header.rowEnd
        scanner = CSVRowScanner(rule)
        scanner.compared = compared
    }

    mutating func read(
        until end: Int, of bytes: Span<UInt8>, isAhead: Bool, into collected: inout CollectedRows<ColumnTypes>
    ) -> Bool {
        while collected.end < end {
            let start = collected.end
            if bytes[start].isLineEnd {
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
                collected.rows.log.count(fault, at: start, found: found(fault, rowStart: start, in: bytes))
            }
            collected.end = scanner.nextRow
        }
        return false
    }

    mutating func countDuplicate(rowAt start: Int, in bytes: Span<UInt8>, into log: inout BadRowLog) {
        scanner.scan(bytes, from: start)
        let fault = RowFault(problem: .duplicateID)
        log.count(fault, at: start, found: found(fault, rowStart: start, in: bytes))
    }

    mutating func survey(rowAt start: Int, in bytes: Span<UInt8>, into survey: inout RowSurvey<ColumnTypes>) {
        scanner.scan(bytes, from: start)
        survey.add(RowDigest(bytes.extracting(start..<scanner.row.end).bytes))
        survey.columns.add(scanner.row.fields, of: bytes, rowAt: start)
    }

    mutating func id(ofRowAt start: Int, in bytes: Span<UInt8>) -> [UInt8] {
        guard let id = columns.id else { return [] }
        scanner.scan(bytes, from: start)
        bytes.unquote(scanner.row.fields[id], into: &unquoted)
        return unquoted
    }

    /// The kinds of the cells in complete rows.
    mutating func kindsOfCompleteRows(_ bytes: Span<UInt8>) -> CellKinds {
        // By the number of cells. Rows that are shorter than the header are grouped with those of its length.
        var kinds = [rule.fieldCount: CellKinds(rule)]
        var position = firstRow
        while position < bytes.count {
            position = bytes.afterByteOrderMark(at: position)
            scanner.scan(bytes, from: position)
            if rule.isWhole(scanner.row), rule.place.read(scanner.row.fields, of: bytes, &unquoted).fault == nil {
                kinds[max(scanner.row.fieldCount, rule.fieldCount), default: CellKinds(rule)]
                    .add(scanner.row.fields, of: bytes)
            }
            position = scanner.nextRow
        }
        return CellKinds.ofMost(kinds, rule)
    }

    /// Accepts or skips a row with fewer or more cells than the header.
    mutating func judge(
        raggedRowAt start: Int, _ kinds: CellKinds, in bytes: Span<UInt8>,
        into collected: inout CollectedRows<ColumnTypes>
    ) {
        scanner.scan(bytes, from: start)
        let fields = rule.allFields(ofRowAt: start, in: bytes)
        let fault =
            kinds.areCertain(fields, of: bytes)
            ? append(rowAt: start, in: bytes, into: &collected, isCertain: true) : RowFault(problem: .raggedRow)
        if let fault { collected.rows.log.count(fault, at: start, found: found(fault, rowStart: start, in: bytes)) }
    }

    /// Whether the cells of the last scanned row may belong to other columns, because it has fewer or more than the header.
    ///
    /// Trailing delimiters add empty cells at the end, and do no harm. An unquoted delimiter inside a cell shifts all later
    /// cells to the right, and can push an empty one out. It shifts the last coordinate by at most the number of extra cells.
    private func isRagged(_ bytes: Span<UInt8>) -> Bool {
        let row = scanner.row
        guard rule.isWhole(row) else { return true }
        let spareCount = row.fieldCount - rule.fieldCount
        guard spareCount > 0 else { return false }
        let areNumbers =
            !rule.place.columns.isPoint && [.latitude, .longitude].allSatisfy { rule.place.columns[$0].isPlain }
        return row.fields.dropFirst(rule.place.columns.last + 1).prefix(spareCount).contains { field in
            let range = bytes.trimmingBlanks(field.range)
            return !range.isEmpty && (!areNumbers || DecimalLiteral(bytes, in: range) != nil)
        }
    }

    /// Appends the last scanned row if it is sound; otherwise returns its fault.
    /// - Parameter isCertain: whether the coordinates are certain although the row has fewer or more cells than the header.
    ///   Otherwise it is kept to be judged later.
    private mutating func append(
        rowAt start: Int, in bytes: Span<UInt8>, into collected: inout CollectedRows<ColumnTypes>, isCertain: Bool
    ) -> RowFault? {
        guard scanner.row.end - start <= InputLimits.rowBytes else { return RowFault(problem: .tooLong) }
        // The end of a file that was cut off.
        let isShort = scanner.row.fieldCount < rule.namedFieldCount
        guard !isShort || scanner.row.end < bytes.count else { return RowFault(problem: .cutOff) }
        let digest = RowDigest(bytes.extracting(start..<scanner.row.end).bytes)
        guard !digest.hasNULByte else { return RowFault(problem: .nulByte) }
        guard digest.isASCII || bytes.isValidUTF8(start..<scanner.row.end) else {
            return RowFault(problem: .invalidUTF8)
        }

        let place = rule.place.read(scanner.row.fields, of: bytes, &unquoted)
        let isRagged = isRagged(bytes)
        if let fault = place.fault {
            if isUnits(rowAt: start, in: bytes) { return RowFault(problem: .units) }
            if isHeader(rowAt: start, in: bytes) { return RowFault(problem: .repeatedHeader) }
            guard isRagged else { return fault }
            // A line that ends before the coordinates is not a row without a place, but a piece of one.
            let isPiece = rule.place.columns.last >= scanner.row.fieldCount
            let isBlank = bytes.trimmingBlanks(start..<scanner.row.end).isEmpty
            return fault.problem == .missingCoordinate && (!isPiece || isBlank) ? fault : RowFault(problem: .raggedRow)
        }
        guard !isRagged || isCertain else {
            collected.rows.ragged.append(start)
            return nil
        }
        var idHash: UInt64?
        if needsID {
            guard let id = columns.id, !scanner.row.fields[id].isEmpty else { return RowFault(problem: .missingID) }
            if let type = columns.types[id], !Cell.fits(type, bytes, scanner.row.fields[id].range) {
                return RowFault(problem: .unreadableID)
            }
            idHash = hash(scanner.row.fields[id], in: bytes)
        }
        collected.rows.accepted.append(
            start: start, longitude: place.longitude, latitude: place.latitude, idHash: idHash)
        if scanner.row.hasQuoteAsText { collected.rows.remarks.add(.quoteAsText, rowAt: start) }
        if isShort { collected.rows.remarks.add(.shortRow, rowAt: start) }
        if scanner.row.hasSpareText { collected.rows.remarks.add(.spareText, rowAt: start) }
        collected.rows.remarks.add(place, rowAt: start)
        if let field = scanner.row.blankField {
            collected.rows.remarks.add(.blanks, rowAt: start, example: InputError.quoted(bytes.extracting(field.range)))
        }
        collected.survey.add(digest)
        collected.survey.columns.add(scanner.row.fields, of: bytes, rowAt: start)
        return nil
    }

    /// Whether the last scanned row states the units of the columns, as below some headers: "degrees_north" (ERDDAP), or
    /// widths such as "16s" (RDB, of the United States Geological Survey).
    private func isUnits(rowAt start: Int, in bytes: Span<UInt8>) -> Bool {
        start == firstRow
            && rule.place.columns.columns.allSatisfy { column in
                let field = bytes.trimmingBlanks(scanner.row.fields[column].range).prefix(32).map { bytes[$0] }
                let text = String(decoding: field, as: UTF8.self).lowercased().filter { !"()[]\"".contains($0) }
                return ColumnNames.unitTexts.contains(text)
                    || text.wholeMatch(of: /degrees?[_ ].*|[0-9]+[sdn]/.dotMatchesNewlines()) != nil
            }
    }

    /// Whether the last scanned row is the header again, as where files were joined.
    private func isHeader(rowAt start: Int, in bytes: Span<UInt8>) -> Bool {
        scanner.row.end - start == header.count
            && header.indices.allSatisfy { bytes[start + $0 - header.lowerBound] == bytes[$0] }
    }

    private mutating func hash(_ field: CSVField, in bytes: Span<UInt8>) -> UInt64 {
        guard field.hasDoubledQuotes else { return RowDigest.hash(ofID: bytes, field.range, &unquoted) }
        // No number.
        bytes.unquote(field, into: &unquoted)
        return RowDigest(unquoted.span.bytes).hash
    }

    /// The offending text for a message about a bad row.
    private func found(_ fault: RowFault, rowStart: Int, in bytes: Span<UInt8>) -> String {
        switch fault.problem {
        case .tooLong: return "\(scanner.row.end - rowStart)"
        case .raggedRow, .cutOff:
            return "\(NumberText.counted(scanner.row.fieldCount, "cell")), expected \(columns.count)"
        case .unreadableCoordinate, .coordinateOutOfRange:
            return rule.place.shown(fault.axis, scanner.row.fields, of: bytes)
        case .unreadableID, .duplicateID:
            let id = columns.id.map { InputError.quoted(bytes.extracting(scanner.row.fields[$0].range)) } ?? ""
            return fault.problem == .duplicateID ? id : "\(id), expected a number"
        default: return ""
        }
    }
}
