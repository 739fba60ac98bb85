import PyramidTiles

/// Finds the fields of one row. Line ends are LF, CRLF and CR alone.
///
/// What is found depends only on the bytes from the row's start, so that a row can be read again by itself. Almost all
/// rows are read in one pass. Rows whose quotes raise a question are read in several ways (`CSVRowScanner+Readings`).
struct CSVRowScanner: Sendable {
    /// Whether the quotes in a row are well-formed. Only ``QuoteRule/csv`` finds faults.
    enum Quoting: Sendable {
        case sound, unterminated, followedByText
    }

    let rule: CSVRowRule
    /// The fields of the header's columns, empty where a row is too short.
    var fields: [CSVField]
    /// The number of fields in the row.
    var fieldCount = 0
    /// Whether a field that the header doesn't have is not empty.
    var hasSpareText = false
    var quoting = Quoting.sound
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
        let (isStrict, readsQuotes) = (rule.quotes == .csv, rule.quotes != .none)
        let (stops, delimiter, room) = (stops, rule.delimiter, fields.count)
        let quoteStops = FieldStops(delimiter: UInt8(ascii: "\""))
        var position = start
        var count = 0
        var hasQuotes = false
        while true {
            var field = CSVField(start: position, end: position, hasDoubledQuotes: false)
            if readsQuotes, position < bytes.count, bytes[position] <= UInt8(ascii: "\""),
                let quote = openingQuote(bytes, at: position)
            {
                hasQuotes = true
                // Most fields have no quotes within, and end with the next one.
                let end = quoteStops.first(in: bytes, from: quote + 1)
                if end + 1 < bytes.count, bytes[end] == UInt8(ascii: "\""), isFieldEnd(bytes[end + 1]) {
                    (field, position) = (
                        CSVField(start: quote + 1, end: end, hasDoubledQuotes: false), end + 1
                    )
                } else {
                    switch closedField(bytes, quote, acrossLines: isStrict) {
                    case .closed(let closed, let end): (field, position) = (closed, end)
                    case .open(let fault, let end):
                        (quoting, rowEnd, nextRow) = (fault, end, end)
                        return false
                    }
                }
            } else {
                position = stops.first(in: bytes, from: position)
                field.end = position
            }
            if count < room { fields[count] = field } else { addSpare(field, in: bytes) }
            count += 1
            guard position < bytes.count, bytes[position] == delimiter else { break }
            position += 1
        }
        fieldCount = count
        rowEnd = position
        nextRow = bytes.afterLineEnd(at: position)
        if !hasQuotes || isStrict { return true }
        // Any other reading has more fields.
        let isFull = fieldCount == rule.fieldCount && rule.namedFieldCount == fieldCount
        return isFull
            || rule.isWhole(fieldCount: fieldCount, hasSpareText: hasSpareText)
                && max(rule.place.columns.latitude, rule.place.columns.longitude) < fieldCount
                && rule.place.read(fields, of: bytes, &buffer).isReadable
    }

    /// Appends the next field.
    mutating func append(_ field: CSVField, in bytes: Span<UInt8>) {
        if fieldCount < fields.count { fields[fieldCount] = field } else { addSpare(field, in: bytes) }
        fieldCount += 1
    }

    private mutating func addSpare(_ field: CSVField, in bytes: Span<UInt8>) {
        if !bytes.trimmingBlanks(field.range).isEmpty { hasSpareText = true }
    }

    /// The position of a quote that opens the field at `position`, after blanks unless the row is read strictly.
    @inline(__always)
    func openingQuote(_ bytes: Span<UInt8>, at position: Int) -> Int? {
        guard position < bytes.count, bytes[position] <= UInt8(ascii: "\"") else { return nil }
        return bytes[position] == UInt8(ascii: "\"") ? position : quoteAfterBlanks(bytes, position)
    }

    private func quoteAfterBlanks(_ bytes: Span<UInt8>, _ position: Int) -> Int? {
        guard rule.quotes != .csv else { return nil }
        let quote = afterBlanks(bytes, position)
        return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? quote : nil
    }

    func afterBlanks(_ bytes: Span<UInt8>, _ position: Int) -> Int {
        var position = position
        while position < bytes.count, bytes[position] == UInt8(ascii: " ") || bytes[position] == UInt8(ascii: "\t"),
            bytes[position] != rule.delimiter
        {
            position += 1
        }
        return position
    }

    /// What the quote at the beginning of a field opens.
    enum QuotedField {
        /// - Parameter end: the position of the delimiter or line end after it.
        case closed(CSVField, end: Int)
        /// It is never closed, or something follows.
        /// - Parameter reach: where this shows.
        case open(Quoting, reach: Int)
    }

    /// - Parameter acrossLines: whether the field may have line ends.
    func closedField(_ bytes: Span<UInt8>, _ quote: Int, acrossLines: Bool) -> QuotedField {
        var field = CSVField(start: quote + 1, end: quote + 1, hasDoubledQuotes: false)
        let stops = FieldStops(delimiter: UInt8(ascii: "\""))
        var position = quote + 1
        while true {
            position = stops.first(in: bytes, from: position)
            guard position < bytes.count else { return .open(.unterminated, reach: position) }
            if bytes[position] != UInt8(ascii: "\"") {
                // In a copy, NUL bytes separate the rows.
                let next = bytes.afterLineEnd(at: position)
                guard acrossLines, next < bytes.count, bytes[next] != 0 else {
                    return .open(.unterminated, reach: next)
                }
                position = next
            } else if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "\"") {
                field.hasDoubledQuotes = true
                position += 2
            } else {
                break
            }
        }
        field.end = position
        position += 1
        if rule.quotes != .csv { position = afterBlanks(bytes, position) }
        guard position == bytes.count || isFieldEnd(bytes[position]) else {
            return .open(.followedByText, reach: position + 1)
        }
        return .closed(field, end: position)
    }

    private func isFieldEnd(_ byte: UInt8) -> Bool {
        byte == rule.delimiter || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// Ends a row with a misplaced quote, which has probably swallowed other rows, at its first line end.
    private mutating func endAtFirstLine(_ bytes: Span<UInt8>, from start: Int) {
        nextRow = bytes.nextLine(after: start)
        rowEnd = min(rowEnd, nextRow)
    }
}
