import PyramidTiles

/// Rows whose quotes raise a question.
///
/// A field that begins with a quote is read as quoted first, then up to each quote before a delimiter if those in it
/// aren't doubled, then as text up to the next delimiter; the row's first reading that is a whole row with a readable place
/// counts. A search for a closing quote can read past the row. It ends
/// at the next odd run of quotes, so all searches together are linear in the input.
extension CSVRowScanner {
    /// How a field that begins with a quote is read.
    enum Way {
        /// Up to the closing quote, or to the first one before a delimiter if quotes in it aren't doubled.
        case quoted
        /// Up to the first quote before a delimiter after a position; as text if there is none.
        case quotedBeyond(Int)
        case text
    }

    /// A quoted field that could be read in another way.
    struct Choice {
        /// The number of the field.
        let field: Int
        let start: Int
        let hasQuoteAsText, hasSpareText: Bool
        let way: Way
    }

    /// How good a reading of a row is; the lowest is the best.
    private enum Rank: Int, Comparable {
        case whole, short, long, placeless, none

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    /// A reading of a row, besides its ``fields``.
    private struct Reading {
        let rank: Rank
        /// Whether a line after the first would be a row by itself, or may be one in a row with spare cells.
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
        var best = continueReading(bytes, of: start, from: start, .quoted, acrossLines: acrossLines)
        var readingCount = 1
        while best.rank != .whole, readingCount < CSVRowScanner.readingLimit, let choice = choices.popLast() {
            (fieldCount, hasSpareText) = (choice.field, choice.hasSpareText)
            hasQuoteAsText = choice.hasQuoteAsText
            let reading = continueReading(
                bytes, of: start, from: choice.start, choice.way, acrossLines: acrossLines)
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
    ///   - way: how the next field is read if it begins with a quote.
    ///   - acrossLines: whether quoted fields may have line ends.
    private mutating func continueReading(
        _ bytes: Span<UInt8>, of rowStart: Int, from start: Int, _ way: Way, acrossLines: Bool
    ) -> Reading {
        var way = way
        var position = start
        while true {
            let fieldStart = position
            var field = CSVField(start: position, end: position, hasDoubledQuotes: false)
            let quote = rule.openingQuote(bytes, at: position)
            let hadQuoteAsText = hasQuoteAsText
            if let quote, let found = quotedField(bytes, quote, way, of: rowStart, acrossLines: acrossLines) {
                // Read as text, a field without delimiters or line ends would end at the same place.
                if stops.first(in: bytes, from: quote) < found.field.end || found.hasInnerQuotes {
                    choices.append(
                        Choice(
                            field: fieldCount, start: fieldStart, hasQuoteAsText: hadQuoteAsText,
                            hasSpareText: hasSpareText,
                            way: found.hasInnerQuotes ? .quotedBeyond(found.field.end) : .text))
                }
                if found.hasInnerQuotes { hasQuoteAsText = true }
                (field, position) = (found.field, found.end)
            } else {
                if quote != nil { hasQuoteAsText = true }
                position = stops.first(in: bytes, from: position)
                field.end = position
            }
            way = .quoted
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
                && (rank == .long || rule.hasRow(among: secondLine..<position, of: bytes, &buffer)),
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
            return isWhole || !hasSpareText && rule.place.columns.last < fieldCount ? .placeless : .none
        }
        if isWhole { return .whole }
        return hasSpareText ? .long : .short
    }

    /// All cells of the row that was scanned last, without empty ones at its end beyond the header.
    mutating func allFields(of bytes: Span<UInt8>, from start: Int) -> [CSVField] {
        guard hasSpareText else { return Array(fields.prefix(fieldCount)) }
        var all = fields
        var position = fields.last.map { stops.first(in: bytes, from: $0.end) + 1 } ?? start
        while position <= rowEnd {
            var end = min(stops.first(in: bytes, from: position), rowEnd)
            var field = CSVField(start: position, end: end, hasDoubledQuotes: false)
            if rule.quotes != .none, let quote = rule.openingQuote(bytes, at: position),
                case .closed(let closed, let closedEnd) = rule.closedField(bytes, quote, acrossLines: true),
                closedEnd <= rowEnd
            {
                (field, end) = (closed, closedEnd)
            }
            all.append(field)
            position = end + 1
        }
        while all.count > fields.count, let last = all.last, bytes.trimmingBlanks(last.range).isEmpty {
            all.removeLast()
        }
        return all
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

    /// The field that a quote opens, the position of the delimiter or line end after it, and whether quotes in it aren't
    /// doubled; `nil` if the quote is text: it isn't closed, or rows are between the quotes.
    private mutating func quotedField(
        _ bytes: Span<UInt8>, _ quote: Int, _ way: Way, of rowStart: Int, acrossLines: Bool
    ) -> (field: CSVField, end: Int, hasInnerQuotes: Bool)? {
        switch way {
        case .text: return nil
        case .quotedBeyond(let position): return fieldWithQuotes(bytes, quote, beyond: position)
        case .quoted: break
        }
        switch rule.closedField(bytes, quote, acrossLines: false) {
        case .closed(let field, let end):
            reach = max(reach, end)
            return (field, end, false)
        case .open(.unterminated, let end)
        where acrossLines && end < bytes.count && fieldCount <= rule.fieldCount:
            return fieldAcrossLines(bytes, quote, of: rowStart).map { ($0.field, $0.end, false) }
        case .open(let quoting, let end):
            reach = max(reach, end)
            return quoting == .followedByText ? fieldWithQuotes(bytes, quote, beyond: quote) : nil
        }
    }

    /// The field that ends at the first quote before a delimiter or the end of the line.
    private mutating func fieldWithQuotes(
        _ bytes: Span<UInt8>, _ quote: Int, beyond position: Int
    ) -> (field: CSVField, end: Int, hasInnerQuotes: Bool)? {
        let stops = FieldStops(delimiter: UInt8(ascii: "\""))
        var position = position
        repeat {
            position = stops.first(in: bytes, from: position + 1)
            reach = max(reach, min(position + 2, bytes.count))
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
        } while position + 1 < bytes.count && !rule.isFieldEnd(bytes[position + 1])
        return (CSVField(start: quote + 1, end: position, hasDoubledQuotes: false), position + 1, true)
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
