import PyramidTiles

/// Rows whose quotes raise a question.
///
/// A field that begins with a quote is read as quoted first, then as text up to the next delimiter; the row's first
/// reading that is a whole row with a readable place counts. A search for a closing quote can read past the row. It ends
/// at the next odd run of quotes, so all searches together are linear in the input.
extension CSVRowScanner {
    /// A quoted field that could be text instead.
    struct Choice {
        /// The number of the field.
        let field: Int
        let start: Int
        let hasQuoteAsText, hasSpareText: Bool
    }

    /// How good a reading of a row is; the lowest is the best.
    private enum Rank: Int, Comparable {
        case whole, short, long, placeless, none

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    /// A reading of a row, besides its ``fields``.
    private struct Reading {
        let rank: Rank
        /// Whether a line after the first would be a row by itself.
        let mayHideRow: Bool
        let fields: [CSVField]
        let fieldCount, rowEnd: Int
        let hasSpareText, hasQuoteAsText: Bool

        /// Other rows disappear in whole rows only.
        func isBetter(than other: Reading) -> Bool {
            rank < other.rank || rank == other.rank && rank != .whole && other.mayHideRow && !mayHideRow
        }
    }

    /// Reads a row in several ways, and takes the best one. If none makes sense, the row is its first line, with all
    /// quotes as text.
    mutating func chooseReading(_ bytes: Span<UInt8>, from start: Int) {
        quoting = .sound
        var (best, isComplete) = bestReading(bytes, from: start, acrossLines: true)
        // A copy of the row by itself lacks the closing quotes of the lines after it, and must be read in the same way.
        if best.rank != .whole, !isComplete {
            let other = bestReading(bytes, from: start, acrossLines: false).best
            if other.isBetter(than: best) { best = other }
        }
        if best.rank == .none { best = firstLine(bytes, from: start) }
        fields = best.fields
        (fieldCount, rowEnd) = (best.fieldCount, best.rowEnd)
        (hasSpareText, hasQuoteAsText) = (best.hasSpareText, best.hasQuoteAsText)
        nextRow = bytes.afterLineEnd(at: rowEnd)
        reach = max(reach, nextRow)
    }

    /// The first of the best readings, and whether all were tried or it is a whole row.
    private mutating func bestReading(
        _ bytes: Span<UInt8>, from start: Int, acrossLines: Bool
    ) -> (best: Reading, isComplete: Bool) {
        choices.removeAll(keepingCapacity: true)
        (fieldCount, hasSpareText, hasQuoteAsText) = (0, false, false)
        var best = continueReading(bytes, of: start, from: start, asText: false, acrossLines: acrossLines)
        var readingCount = 1
        while best.rank != .whole, readingCount < CSVRowScanner.readingLimit, let choice = choices.popLast() {
            (fieldCount, hasSpareText) = (choice.field, choice.hasSpareText)
            hasQuoteAsText = choice.hasQuoteAsText
            let reading = continueReading(
                bytes, of: start, from: choice.start, asText: true, acrossLines: acrossLines)
            if reading.isBetter(than: best) { best = reading }
            readingCount += 1
        }
        return (best, best.rank == .whole || choices.isEmpty)
    }

    /// More readings than real rows have.
    private static let readingLimit = 64

    /// Reads the rest of a row, with quoted fields as such where they can be.
    /// - Parameters:
    ///   - rowStart: of the row.
    ///   - start: of the next field.
    ///   - asText: whether a quote at the beginning of the next field is text.
    ///   - acrossLines: whether quoted fields may have line ends.
    private mutating func continueReading(
        _ bytes: Span<UInt8>, of rowStart: Int, from start: Int, asText: Bool, acrossLines: Bool
    ) -> Reading {
        var asText = asText
        var position = start
        while true {
            let fieldStart = position
            var field = CSVField(start: position, end: position, hasDoubledQuotes: false)
            let quote = rule.openingQuote(bytes, at: position)
            if let quote, !asText, let (closed, end) = quotedField(bytes, quote, of: rowStart, acrossLines: acrossLines)
            {
                // Read as text, a field without delimiters or line ends would end at the same place.
                if stops.first(in: bytes, from: quote) < closed.end {
                    choices.append(
                        Choice(
                            field: fieldCount, start: fieldStart, hasQuoteAsText: hasQuoteAsText,
                            hasSpareText: hasSpareText))
                }
                (field, position) = (closed, end)
            } else {
                if quote != nil { hasQuoteAsText = true }
                position = stops.first(in: bytes, from: position)
                field.end = position
            }
            asText = false
            append(field, in: bytes)
            guard position < bytes.count, bytes[position] == rule.delimiter else { break }
            position += 1
        }
        reach = max(reach, position)
        let rank = rank(bytes)
        let secondLine = bytes.nextLine(after: rowStart)
        return Reading(
            rank: rank,
            mayHideRow: rank != .whole && secondLine < position
                && rule.hasRow(among: secondLine..<position, of: bytes, &buffer),
            fields: fields, fieldCount: fieldCount, rowEnd: position, hasSpareText: hasSpareText,
            hasQuoteAsText: hasQuoteAsText)
    }

    /// The rank of the reading in ``fields``.
    private mutating func rank(_ bytes: Span<UInt8>) -> Rank {
        let isWhole = rule.isWhole(fieldCount: fieldCount, hasSpareText: hasSpareText)
        if fieldCount < rule.fieldCount {
            for index in fieldCount..<rule.fieldCount {
                fields[index] = CSVField(start: 0, end: 0, hasDoubledQuotes: false)
            }
        }
        let hasPlace = rule.place.read(fields, of: bytes, &buffer).isReadable
        guard hasPlace else {
            let hasCoordinateFields = max(rule.place.columns.latitude, rule.place.columns.longitude) < fieldCount
            return isWhole || !hasSpareText && hasCoordinateFields ? .placeless : .none
        }
        if isWhole { return .whole }
        return !hasSpareText ? .short : rule.place.isCertain(fields, of: bytes) ? .long : .none
    }

    /// Scans a header: quotes that are closed are quotes, and the others are text.
    mutating func scanHeader(_ bytes: Span<UInt8>, from start: Int, acrossLines: Bool) {
        rowEnd = split(bytes, from: start, readsQuotes: rule.quotes != .none, acrossLines: acrossLines)
        nextRow = bytes.afterLineEnd(at: rowEnd)
    }

    /// The first line, split at every delimiter.
    private mutating func firstLine(_ bytes: Span<UInt8>, from start: Int) -> Reading {
        let end = split(bytes, from: start, readsQuotes: false, acrossLines: false)
        return Reading(
            rank: .none, mayHideRow: false, fields: fields, fieldCount: fieldCount, rowEnd: end,
            hasSpareText: hasSpareText, hasQuoteAsText: true)
    }

    /// Splits a row in which quotes that are closed are quotes, and the others are text.
    /// - Returns: the position after its last byte.
    private mutating func split(
        _ bytes: Span<UInt8>, from start: Int, readsQuotes: Bool, acrossLines: Bool
    ) -> Int {
        (fieldCount, hasSpareText, hasQuoteAsText, quoting) = (0, false, false, .sound)
        var position = start
        while true {
            var field = CSVField(start: position, end: position, hasDoubledQuotes: false)
            let quote = readsQuotes ? rule.openingQuote(bytes, at: position) : nil
            if let quote, case .closed(let closed, let end) = rule.closedField(bytes, quote, acrossLines: acrossLines) {
                (field, position) = (closed, end)
            } else {
                if quote != nil { hasQuoteAsText = true }
                position = stops.first(in: bytes, from: position)
                field.end = position
            }
            append(field, in: bytes)
            guard position < bytes.count, bytes[position] == rule.delimiter else { return position }
            position += 1
        }
    }

    /// The field that a quote opens, and the position of the delimiter or line end after it; `nil` if the quote is text:
    /// it isn't closed, or rows are between the quotes.
    private mutating func quotedField(
        _ bytes: Span<UInt8>, _ quote: Int, of rowStart: Int, acrossLines: Bool
    ) -> (field: CSVField, end: Int)? {
        let first = rule.closedField(bytes, quote, acrossLines: false)
        if case .closed(let field, let end) = first {
            reach = max(reach, end)
            return (field, end)
        }
        guard acrossLines, case .open(.unterminated, let lineEnd) = first, lineEnd < bytes.count,
            fieldCount <= rule.fieldCount
        else {
            if case .open(_, let end) = first { reach = max(reach, end) }
            return nil
        }
        return fieldAcrossLines(bytes, quote, of: rowStart)
    }

    private mutating func fieldAcrossLines(
        _ bytes: Span<UInt8>, _ quote: Int, of rowStart: Int
    ) -> (field: CSVField, end: Int)? {
        let quoteStops = FieldStops(delimiter: UInt8(ascii: "\""))
        var position = quote + 1
        var lineStart: Int?
        while true {
            let stop = quoteStops.first(in: bytes, from: position)
            reach = max(reach, min(stop + 2, bytes.count))
            guard stop < bytes.count else { return nil }
            if bytes[stop] == UInt8(ascii: "\"") {
                guard stop + 1 < bytes.count, bytes[stop + 1] == UInt8(ascii: "\"") else {
                    position = stop
                    break
                }
                position = stop + 2
                continue
            }
            // An inner line.
            if let lineStart, rule.isRow(lineStart..<stop, of: bytes, &buffer) { return nil }
            position = bytes.afterLineEnd(at: stop)
            guard position < bytes.count, bytes[position] != 0 else { return nil }
            lineStart = position
        }
        guard case .closed(let field, let end) = rule.closedField(bytes, quote, acrossLines: true), let lineStart else {
            return nil
        }
        let lastLine = lineStart..<FieldStops.lineEnd(in: bytes, from: end)
        reach = max(reach, min(lastLine.upperBound + 2, bytes.count))
        var firstStart = quote
        while firstStart > rowStart, bytes[firstStart - 1] != UInt8(ascii: "\n"),
            bytes[firstStart - 1] != UInt8(ascii: "\r")
        {
            firstStart -= 1
        }
        let firstLine = firstStart..<FieldStops.lineEnd(in: bytes, from: quote)
        let areRows = rule.isRow(firstLine, of: bytes, &buffer) && rule.isRow(lastLine, of: bytes, &buffer)
        return areRows ? nil : (field, end)
    }
}

extension FieldStops {
    /// The position of the first line end at or after `position`, or the end of the bytes.
    fileprivate static func lineEnd(in bytes: Span<UInt8>, from position: Int) -> Int {
        FieldStops(delimiter: UInt8(ascii: "\n")).first(in: bytes, from: position)
    }
}
