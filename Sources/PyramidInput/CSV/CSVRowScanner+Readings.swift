import PyramidTiles

/// Rows whose quotes raise a question.
///
/// A field that begins with a quote is read as quoted first, then up to each quote before a delimiter if those in it
/// aren't doubled, then as text up to the next delimiter; the row's first reading that is a whole row with a readable place
/// counts. A search for a closing quote can read past the row. It ends
/// at the next odd run of quotes, so all searches together are linear in the input.
extension CSVRowScanner {
    /// How a field that begins with a quote is read.
    enum Way: Equatable {
        /// Up to the closing quote, or to the first one before a delimiter if quotes in it aren't doubled.
        case quoted
        /// Up to the first quote before a delimiter after a position; as text if there is none.
        case quotedBeyond(Int)
        case text
        /// As text, like all fields after it.
        case textToEnd
    }

    /// A quoted field that could be read in another way.
    package struct Choice {
        /// The number of the field.
        let field: Int
        package let start: Int
        let hasQuoteAsText, hasSpareText: Bool
        let way: Way

        package init(field: Int, start: Int, hasQuoteAsText: Bool, hasSpareText: Bool, way: Way) {
            self.field = field
            self.start = start
            self.hasQuoteAsText = hasQuoteAsText
            self.hasSpareText = hasSpareText
            self.way = way
        }
    }

    /// How good a reading of a row is; the lowest is the best.
    private enum Rank: Int { case whole, short, long, placeless, none }

    private struct Reading {
        let row: CSVRow
        let rank: Rank
        /// Whether a line after the first would be a row by itself, or may be one in a row with spare cells.
        let mayHideRow: Bool

        /// Other rows disappear in whole rows only.
        func isBetter(than other: Reading) -> Bool {
            rank.rawValue < other.rank.rawValue
                || rank == other.rank && rank != .whole && other.mayHideRow && !mayHideRow
        }
    }

    /// Reads a row in several ways, and takes the best one. If none makes sense, the row is its first line, with all
    /// quotes as text.
    mutating func chooseReading(_ bytes: Span<UInt8>, from start: Int) {
        var (best, isComplete) = bestReading(bytes, from: start, acrossLines: true)
        // A copy of the row by itself lacks the closing quotes of the lines after it, and must be read in the same way.
        if best.rank != .whole, !isComplete {
            let other = bestReading(bytes, from: start, acrossLines: false).best
            if other.isBetter(than: best) { best = other }
        }
        if best.rank == .none {
            readFields(bytes, of: start, .textToEnd, acrossLines: false)
        } else {
            row = best.row
        }
        nextRow = bytes.afterLineEnd(at: row.end)
        reach = max(reach, nextRow)
    }

    /// Scans a header: quotes that are closed are quotes, and the others are text.
    mutating func scanHeader(_ bytes: Span<UInt8>, from start: Int, acrossLines: Bool) {
        readFields(bytes, of: start, .quoted, acrossLines: acrossLines)
        nextRow = bytes.afterLineEnd(at: row.end)
    }

    /// The first of the best readings, and whether all were tried or it is a whole row.
    private mutating func bestReading(
        _ bytes: Span<UInt8>, from start: Int, acrossLines: Bool
    ) -> (best: Reading, isComplete: Bool) {
        choices.removeAll(keepingCapacity: true)
        readFields(bytes, of: start, .quoted, acrossLines: acrossLines)
        var best = reading(bytes, from: start)
        var readingCount = 1
        while best.rank != .whole, readingCount < CSVRowScanner.readingLimit, let choice = choices.popLast() {
            readFields(bytes, of: start, choice.way, after: choice, acrossLines: acrossLines)
            let reading = reading(bytes, from: start)
            if reading.isBetter(than: best) { best = reading }
            readingCount += 1
        }
        return (best, best.rank == .whole || choices.isEmpty)
    }

    /// More readings than real rows have.
    private static let readingLimit = 64

    /// Reads a row, or the rest of it, with quoted fields as such where they can be.
    /// - Parameters:
    ///   - way: how the next field is read if it begins with a quote.
    ///   - choice: the next field; the fields before it stay. `nil` for the first field.
    ///   - acrossLines: whether quoted fields may have line ends.
    private mutating func readFields(
        _ bytes: Span<UInt8>, of rowStart: Int, _ way: Way, after choice: Choice? = nil, acrossLines: Bool
    ) {
        row.fieldCount = choice?.field ?? 0
        (row.hasSpareText, row.hasQuoteAsText) = (choice?.hasSpareText ?? false, choice?.hasQuoteAsText ?? false)
        var (way, position) = (way, choice?.start ?? rowStart)
        while true {
            var field = CSVField(start: position, end: position, hasDoubledQuotes: false)
            let quote = rule.openingQuote(bytes, at: position)
            if let quote, let found = quotedField(bytes, quote, way, of: rowStart, acrossLines: acrossLines) {
                // Read as text, a field without delimiters or line ends would end at the same place.
                if stops.first(in: bytes, from: quote) < found.field.end || found.hasInnerQuotes {
                    choices.append(
                        Choice(
                            field: row.fieldCount, start: position, hasQuoteAsText: row.hasQuoteAsText,
                            hasSpareText: row.hasSpareText,
                            way: found.hasInnerQuotes ? .quotedBeyond(found.field.end) : .text))
                }
                if found.hasInnerQuotes { row.hasQuoteAsText = true }
                (field, position) = (found.field, found.end)
            } else {
                if quote != nil { row.hasQuoteAsText = true }
                position = stops.first(in: bytes, from: position)
                field.end = position
            }
            if way != .textToEnd { way = .quoted }
            append(field, in: bytes)
            guard position < bytes.count, bytes[position] == rule.delimiter else { break }
            position += 1
        }
        row.end = position
        reach = max(reach, position)
    }

    /// The row that was read, with its rank.
    private mutating func reading(_ bytes: Span<UInt8>, from start: Int) -> Reading {
        emptyMissingFields()
        let rank = rank(bytes)
        let secondLine = bytes.nextLine(after: start)
        let mayHideRow =
            rank != .whole && secondLine < row.end
            && (rank == .long || rule.hasRow(among: secondLine..<row.end, of: bytes, &buffer))
        return Reading(row: row, rank: rank, mayHideRow: mayHideRow)
    }

    private mutating func rank(_ bytes: Span<UInt8>) -> Rank {
        let isWhole = rule.isWhole(row)
        guard rule.place.read(row.fields, of: bytes, &buffer).isReadable else {
            return isWhole || !row.hasSpareText && rule.place.columns.last < row.fieldCount ? .placeless : .none
        }
        if isWhole { return .whole }
        return row.hasSpareText ? .long : .short
    }

    /// The field that a quote opens, the position of the delimiter or line end after it, and whether quotes in it aren't
    /// doubled; `nil` if the quote is text: it isn't closed, or rows are between the quotes.
    private mutating func quotedField(
        _ bytes: Span<UInt8>, _ quote: Int, _ way: Way, of rowStart: Int, acrossLines: Bool
    ) -> (field: CSVField, end: Int, hasInnerQuotes: Bool)? {
        switch way {
        case .text, .textToEnd: return nil
        case .quotedBeyond(let position): return fieldWithQuotes(bytes, quote, beyond: position)
        case .quoted: break
        }
        switch rule.closedField(bytes, quote, acrossLines: false) {
        case .closed(let field, let end):
            reach = max(reach, end)
            return (field, end, false)
        case .unterminated(let end):
            if acrossLines, end < bytes.count, row.fieldCount <= rule.fieldCount {
                return fieldAcrossLines(bytes, quote, of: rowStart)
            }
            reach = max(reach, end)
            return nil
        case .followedByText(let end):
            reach = max(reach, end)
            return fieldWithQuotes(bytes, quote, beyond: quote)
        }
    }

    /// The field that ends at the first quote before a delimiter or the end of the line.
    private mutating func fieldWithQuotes(
        _ bytes: Span<UInt8>, _ quote: Int, beyond position: Int
    ) -> (field: CSVField, end: Int, hasInnerQuotes: Bool)? {
        var position = position
        repeat {
            position = quoteStops.first(in: bytes, from: position + 1)
            reach = max(reach, min(position + 2, bytes.count))
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
        } while position + 1 < bytes.count && !rule.isFieldEnd(bytes[position + 1])
        return (CSVField(start: quote + 1, end: position, hasDoubledQuotes: false), position + 1, true)
    }

    private mutating func fieldAcrossLines(
        _ bytes: Span<UInt8>, _ quote: Int, of rowStart: Int
    ) -> (field: CSVField, end: Int, hasInnerQuotes: Bool)? {
        switch rule.closedField(bytes, quote, acrossLines: true) {
        case .unterminated(let end), .followedByText(let end):
            reach = max(reach, end)
            return nil
        case .closed(let field, let end):
            let lastEnd = bytes.lineEnd(from: end)
            reach = max(reach, min(lastEnd + 2, bytes.count))
            let start = (rowStart..<quote).last { bytes[$0].isLineEnd }.map { $0 + 1 } ?? rowStart
            let lines = bytes.lines(in: start..<lastEnd)
            let hasInnerRow = lines.dropFirst().dropLast().contains { rule.isRow($0, of: bytes, &buffer) }
            let ends = [lines.first, lines.last].compactMap(\.self)
            let isText = hasInnerRow || ends.allSatisfy { rule.isRow($0, of: bytes, &buffer) }
            return isText ? nil : (field, end, false)
        }
    }
}
