import PyramidTiles

/// The position of a field's text in the input, without the quotes around it.
package struct CSVField: Sendable {
    package var start: Int
    package var end: Int
    /// Whether the text contains doubled quotes, each standing for one.
    var hasDoubledQuotes: Bool

    static let empty = CSVField(start: 0, end: 0, hasDoubledQuotes: false)

    package var range: Range<Int> { start..<end }
    package var isEmpty: Bool { start == end }
}

/// The fields of a row.
package struct CSVRow: Sendable {
    /// Those of the header's columns, empty where the row is too short.
    package var fields: [CSVField]
    /// The number of fields in the row.
    var fieldCount = 0
    /// Whether a field that the header doesn't have is not empty.
    var hasSpareText = false
    /// Whether a quote at the beginning of a field is text.
    var hasQuoteAsText = false
    /// The position after the row's last byte; the line end doesn't count.
    package var end = 0
    /// The first field that had blanks around it which were left out.
    var blankField: CSVField?
}

extension Span<UInt8> {
    /// Writes the text of a field, with doubled quotes as single ones, to a reused buffer.
    func unquote(_ field: CSVField, into text: inout [UInt8]) {
        text.removeAll(keepingCapacity: true)
        // A quote inside an unquoted field is text.
        guard field.hasDoubledQuotes else {
            for position in field.range { text.append(self[position]) }
            return
        }
        var position = field.start
        while position < field.end {
            text.append(self[position])
            position += self[position] == UInt8(ascii: "\"") ? 2 : 1
        }
    }

    /// Calls `body` with the text of a field.
    /// - Parameter buffer: for texts with doubled quotes.
    @inline(__always)
    func withUnquoted<Result>(
        _ field: CSVField, _ buffer: inout [UInt8], _ body: (Span<UInt8>, Range<Int>) -> Result
    ) -> Result {
        guard field.hasDoubledQuotes else { return body(self, field.range) }
        unquote(field, into: &buffer)
        return body(buffer.span, buffer.indices)
    }
}

/// Finds the end of an unquoted field, eight bytes at a time.
struct FieldStops: Sendable {
    let delimiter: UInt8

    /// The position of the first delimiter or line end at or after `position`, or the end of the bytes.
    @inline(__always)
    func first(in bytes: Span<UInt8>, from position: Int) -> Int {
        let raw = bytes.bytes
        var position = position
        while position + 8 <= bytes.count {
            let text = EightBytes(word: raw.word(at: position))
            let marks =
                text.marks(of: delimiter) | text.marks(of: UInt8(ascii: "\n")) | text.marks(of: UInt8(ascii: "\r"))
            if marks != 0 { return position + marks.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < bytes.count {
            if bytes[position] == delimiter || bytes[position].isLineEnd { break }
            position += 1
        }
        return position
    }
}
