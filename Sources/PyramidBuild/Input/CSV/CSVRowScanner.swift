import PyramidTiles

/// Finds the fields of one row. Line ends are LF, CRLF and CR alone.
///
/// What is found depends only on the bytes from the row's start, so that a row can be read again by itself. Almost all
/// rows are read in one pass. Rows whose quotes raise a question are read in several ways (`CSVRowScanner+Readings`).
struct CSVRowScanner: Sendable {
    let rule: CSVRowRule
    /// The fields of the header's columns, empty where a row is too short.
    var fields: [CSVField]
    /// The number of fields in the row.
    var fieldCount = 0
    /// Whether a field that the header doesn't have is not empty.
    var hasSpareText = false
    var quoting = CSVRowRule.Quoting.sound
    /// Whether a quote at the beginning of a field is text.
    var hasQuoteAsText = false
    /// The position after the row's last byte; the line end doesn't count.
    var rowEnd = 0
    /// The position after the row's line end.
    var nextRow = 0
    /// The position after the last byte that was looked at.
    var reach = 0

    /// For rows that are read in several ways.
    var choices: [Choice] = []
    var buffer: [UInt8] = []
    let stops: FieldStops

    init(_ rule: CSVRowRule) {
        self.rule = rule
        stops = FieldStops(delimiter: rule.delimiter)
        fields = Array(repeating: CSVField(start: 0, end: 0, hasDoubledQuotes: false), count: rule.fieldCount)
    }

    /// Scans the row that begins at `start`.
    mutating func scan(_ bytes: Span<UInt8>, from start: Int) {
        (fieldCount, hasSpareText, hasQuoteAsText, quoting) = (0, false, false, .sound)
        let isPlain = scanPlainly(bytes, from: start)
        reach = nextRow
        if !isPlain { rule.quotes == .csv ? endAtFirstLine(bytes, from: start) : chooseReading(bytes, from: start) }
        if fieldCount < rule.fieldCount {
            for index in fieldCount..<rule.fieldCount {
                fields[index] = CSVField(start: rowEnd, end: rowEnd, hasDoubledQuotes: false)
            }
        }
    }

    /// Scans the row with its quotes as in RFC 4180.
    /// - Returns: whether they raise no question: none is misplaced, none is around a line end, and a row with quotes has
    ///   as many fields as the header. Where the row is read strictly, whether none is misplaced.
    private mutating func scanPlainly(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        // In local variables, because this is the innermost loop of reading.
        let (rule, stops) = (rule, stops)
        let (isStrict, readsQuotes) = (rule.quotes == .csv, rule.quotes != .none)
        let quoteStops = FieldStops(delimiter: UInt8(ascii: "\""))
        var fields = fields.mutableSpan
        var position = start
        var count = 0
        var (hasQuotes, isSpare) = (false, false)
        var fault: CSVRowRule.Quoting?
        fields: while true {
            var field = CSVField(start: position, end: position, hasDoubledQuotes: false)
            if readsQuotes, let quote = rule.openingQuote(bytes, at: position) {
                hasQuotes = true
                // Most fields have no quotes within, and end with the next one.
                let end = quoteStops.first(in: bytes, from: quote + 1)
                if end + 1 < bytes.count, bytes[end] == UInt8(ascii: "\""), rule.isFieldEnd(bytes[end + 1]) {
                    (field.start, field.end, position) = (quote + 1, end, end + 1)
                } else {
                    switch rule.closedField(bytes, quote, acrossLines: isStrict) {
                    case .closed(let closed, let end): (field, position) = (closed, end)
                    case .open(let found, let end):
                        (fault, position) = (found, end)
                        break fields
                    }
                }
            } else {
                position = stops.first(in: bytes, from: position)
                field.end = position
            }
            if count < fields.count {
                fields[count] = field
            } else if !bytes.trimmingBlanks(field.range).isEmpty {
                isSpare = true
            }
            count += 1
            guard position < bytes.count, bytes[position] == rule.delimiter else { break }
            position += 1
        }
        if let fault {
            (quoting, rowEnd, nextRow) = (fault, position, position)
            return false
        }
        (fieldCount, hasSpareText, rowEnd) = (count, isSpare, position)
        nextRow = bytes.afterLineEnd(at: position)
        if !hasQuotes || isStrict { return true }
        // Any other reading has more fields.
        let isFull = fieldCount == rule.fieldCount && rule.namedFieldCount == fieldCount
        return isFull
            || rule.isWhole(fieldCount: fieldCount, hasSpareText: hasSpareText)
                && rule.place.columns.last < fieldCount
                && rule.place.read(self.fields, of: bytes, &buffer).isReadable
    }

    /// Appends the next field.
    mutating func append(_ field: CSVField, in bytes: Span<UInt8>) {
        if fieldCount < fields.count {
            fields[fieldCount] = field
        } else if !bytes.trimmingBlanks(field.range).isEmpty {
            hasSpareText = true
        }
        fieldCount += 1
    }

    /// Ends a row with a misplaced quote, which has probably swallowed other rows, at its first line end.
    private mutating func endAtFirstLine(_ bytes: Span<UInt8>, from start: Int) {
        nextRow = bytes.nextLine(after: start)
        rowEnd = min(rowEnd, nextRow)
    }
}
