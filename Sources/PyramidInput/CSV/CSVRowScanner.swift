import PyramidTiles

/// Finds the fields of one row. Line ends are LF, CRLF and CR alone.
///
/// What is found depends only on the bytes from the row's start, so that a row can be read again by itself. Almost all
/// rows are read in one pass. Rows whose quotes raise a question are read in several ways (`CSVRowScanner+Readings`).
struct CSVRowScanner: Sendable {
    let rule: CSVRowRule
    /// The columns around whose values blanks are left out.
    var compared: [Int] = []
    /// The row that was scanned last.
    var row: CSVRow
    /// The position after the row's line end.
    var nextRow = 0
    /// The position after the last byte that was looked at.
    var reach = 0

    /// For rows that are read in several ways.
    var choices: [Choice] = []
    var buffer: [UInt8] = []
    let stops: FieldStops
    let quoteStops = FieldStops(delimiter: UInt8(ascii: "\""))

    /// - Parameter fieldCount: how many fields are kept; all are counted. `nil` for those of the header.
    init(_ rule: CSVRowRule, keeping fieldCount: Int? = nil) {
        self.rule = rule
        stops = FieldStops(delimiter: rule.delimiter)
        row = CSVRow(fields: Array(repeating: .empty, count: fieldCount ?? rule.fieldCount))
    }

    /// Scans the row that begins at `start`.
    mutating func scan(_ bytes: Span<UInt8>, from start: Int) {
        if !scanPlainly(bytes, from: start) { chooseReading(bytes, from: start) }
        emptyMissingFields()
        row.blankField = nil
        for column in compared {
            let field = row.fields[column]
            let range = bytes.trimmingBlanks(field.range)
            guard range != field.range else { continue }
            row.blankField = row.blankField ?? field
            (row.fields[column].start, row.fields[column].end) = (range.lowerBound, range.upperBound)
        }
    }

    /// Scans the row with its quotes as in RFC 4180.
    /// - Returns: whether they raise no question: none is misplaced, none is around a line end, and a row with quotes has
    ///   as many fields as the header.
    private mutating func scanPlainly(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        // In local variables, because this is the innermost loop of reading.
        let (rule, stops, quoteStops) = (rule, stops, quoteStops)
        var fields = row.fields.mutableSpan
        var position = start
        var count = 0
        var (hasQuotes, isSpare) = (false, false)
        while true {
            var field = CSVField(start: position, end: position, hasDoubledQuotes: false)
            if let quote = rule.openingQuote(bytes, at: position) {
                hasQuotes = true
                // Most fields have no quotes within, and end with the next one.
                let end = quoteStops.first(in: bytes, from: quote + 1)
                if end + 1 < bytes.count, bytes[end] == UInt8(ascii: "\""), rule.isFieldEnd(bytes[end + 1]) {
                    (field.start, field.end, position) = (quote + 1, end, end + 1)
                } else {
                    switch rule.closedField(bytes, quote, acrossLines: false) {
                    case .closed(let closed, let end): (field, position) = (closed, end)
                    case .unterminated(let reach), .followedByText(let reach):
                        self.reach = reach
                        return false
                    }
                }
            } else {
                position = stops.first(in: bytes, from: position)
                field.end = position
            }
            if count < fields.count { fields[count] = field }
            if count >= rule.fieldCount, !bytes.trimmingBlanks(field.range).isEmpty { isSpare = true }
            count += 1
            guard position < bytes.count, bytes[position] == rule.delimiter else { break }
            position += 1
        }
        (row.fieldCount, row.hasSpareText, row.hasQuoteAsText, row.end) = (count, isSpare, false, position)
        nextRow = bytes.afterLineEnd(at: position)
        reach = nextRow
        if !hasQuotes { return true }
        // Any other reading has more fields.
        let isFull = count == rule.fieldCount && rule.namedFieldCount == count
        return isFull
            || rule.isWhole(row) && rule.place.columns.last < count
                && rule.place.read(row.fields, of: bytes, &buffer).isReadable
    }

    /// Appends the next field.
    mutating func append(_ field: CSVField, in bytes: Span<UInt8>) {
        if row.fieldCount < row.fields.count { row.fields[row.fieldCount] = field }
        if row.fieldCount >= rule.fieldCount, !bytes.trimmingBlanks(field.range).isEmpty { row.hasSpareText = true }
        row.fieldCount += 1
    }

    /// Makes the fields that the row lacks empty.
    mutating func emptyMissingFields() {
        guard row.fieldCount < row.fields.count else { return }
        for index in row.fieldCount..<row.fields.count { row.fields[index] = .empty }
    }
}

extension CSVRowRule {
    /// All fields of a row.
    func allFields(ofRowAt start: Int, in bytes: Span<UInt8>) -> [CSVField] {
        var scanner = CSVRowScanner(self)
        scanner.scan(bytes, from: start)
        if scanner.row.fieldCount > fieldCount {
            scanner = CSVRowScanner(self, keeping: scanner.row.fieldCount)
            scanner.scan(bytes, from: start)
        }
        return Array(scanner.row.fields.prefix(scanner.row.fieldCount))
    }
}
