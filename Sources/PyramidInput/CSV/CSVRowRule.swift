import PyramidTiles

/// What decides how the rows of a CSV input are split into fields. It holds no references, so that threads can share it.
package struct CSVRowRule: Sendable {
    package let delimiter: UInt8
    /// The number of fields in the header.
    let fieldCount: Int
    /// The number of fields up to the last one with a name in the header; a row with fewer is short.
    let namedFieldCount: Int
    package var place: CSVPlace

    static let unused = CSVRowRule(
        delimiter: 0, fieldCount: 0, namedFieldCount: 0, place: CSVPlace(columns: CoordinateColumns(point: 0)))

    /// Whether a row lacks no field and has none to spare.
    package func isWhole(_ row: CSVRow) -> Bool { row.fieldCount >= namedFieldCount && !row.hasSpareText }
}

extension CSVRowRule {
    /// For a header itself, which has any number of fields and no place.
    init(headerDelimitedBy delimiter: UInt8) {
        self.init(
            delimiter: delimiter, fieldCount: .max, namedFieldCount: .max,
            place: CSVPlace(columns: CoordinateColumns(point: 0)))
    }

    /// Whether a line is a row if its quotes are text: it has as many fields as the header, and its coordinates are
    /// readable or empty.
    /// - Parameter mayBeShort: whether it is also a row with fewer fields and readable coordinates.
    func isRow(
        _ line: Range<Int>, of bytes: Span<UInt8>, _ buffer: inout [UInt8], mayBeShort: Bool = false
    ) -> Bool {
        guard !bytes.trimmingBlanks(line).isEmpty else { return false }
        let stops = FieldStops(delimiter: delimiter)
        var fields: [CSVField] = []
        var position = line.lowerBound
        while true {
            let end = min(stops.first(in: bytes, from: position), line.upperBound)
            guard fields.count < fieldCount || bytes.trimmingBlanks(position..<end).isEmpty else { return false }
            fields.append(CSVField(start: position, end: end, hasDoubledQuotes: false))
            guard end < line.upperBound else { break }
            position = end + 1
        }
        guard fields.count > place.columns.last else { return false }
        if fields.count >= namedFieldCount { return place.areReadableOrMissing(fields, of: bytes, &buffer) }
        return mayBeShort && place.read(fields, of: bytes, &buffer).isReadable
    }

    /// Whether a row, whole or short, is among these lines if their quotes are text.
    func hasRow(among lines: Range<Int>, of bytes: Span<UInt8>, _ buffer: inout [UInt8]) -> Bool {
        bytes.lines(in: lines).contains { isRow($0, of: bytes, &buffer, mayBeShort: true) }
    }
}

/// Fields in quotes.
extension CSVRowRule {
    /// The position of a quote that opens the field at `position`, after any blanks.
    @inline(__always)
    func openingQuote(_ bytes: Span<UInt8>, at position: Int) -> Int? {
        guard position < bytes.count, bytes[position] <= UInt8(ascii: "\"") else { return nil }
        return bytes[position] == UInt8(ascii: "\"") ? position : quoteAfterBlanks(bytes, position)
    }

    private func quoteAfterBlanks(_ bytes: Span<UInt8>, _ position: Int) -> Int? {
        let quote = afterBlanks(bytes, position)
        return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? quote : nil
    }

    private func afterBlanks(_ bytes: Span<UInt8>, _ position: Int) -> Int {
        var position = position
        while position < bytes.count, bytes[position] == UInt8(ascii: " ") || bytes[position] == UInt8(ascii: "\t"),
            bytes[position] != delimiter
        {
            position += 1
        }
        return position
    }

    /// What the quote at the beginning of a field opens.
    enum QuotedField {
        /// - Parameter end: the position of the delimiter or line end after it.
        case closed(CSVField, end: Int)
        /// - Parameter reach: where this shows.
        case unterminated(reach: Int), followedByText(reach: Int)
    }

    /// - Parameter acrossLines: whether the field may have line ends.
    func closedField(_ bytes: Span<UInt8>, _ quote: Int, acrossLines: Bool) -> QuotedField {
        var field = CSVField(start: quote + 1, end: quote + 1, hasDoubledQuotes: false)
        let stops = FieldStops(delimiter: UInt8(ascii: "\""))
        var position = quote + 1
        while true {
            position = stops.first(in: bytes, from: position)
            guard position < bytes.count else { return .unterminated(reach: position) }
            if bytes[position] != UInt8(ascii: "\"") {
                // In a copy, NUL bytes separate the rows.
                let next = bytes.afterLineEnd(at: position)
                guard acrossLines, next < bytes.count, bytes[next] != 0 else { return .unterminated(reach: next) }
                position = next
            } else if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "\"") {
                field.hasDoubledQuotes = true
                position += 2
            } else {
                break
            }
        }
        field.end = position
        position = afterBlanks(bytes, position + 1)
        guard position == bytes.count || isFieldEnd(bytes[position]) else {
            return .followedByText(reach: position + 1)
        }
        return .closed(field, end: position)
    }

    @inline(__always)
    func isFieldEnd(_ byte: UInt8) -> Bool { byte == delimiter || byte.isLineEnd }
}
