import PyramidTiles

/// The position of a field's text in the input, without the quotes around it.
struct CSVField: Sendable {
    var start: Int
    var end: Int
    /// Whether the text contains doubled quotes, each standing for one.
    var hasDoubledQuotes: Bool

    var range: Range<Int> { start..<end }
    var isEmpty: Bool { start == end }
}

/// Finds the fields of one row (RFC 4180). Line ends are LF, CRLF and CR alone.
///
/// A quote opens a quoted field only as its first byte; elsewhere it is text. A malformed row ends at the line end
/// where the fault shows.
struct CSVRowScanner: Sendable {
    /// Whether the quotes in a row are well-formed.
    enum Quoting: Sendable {
        case sound, unterminated, followedByText
    }

    let delimiter: UInt8
    /// The row's first fields, up to the room reserved.
    private(set) var fields: [CSVField]
    /// The number of fields in the row, including fields that had no room.
    private(set) var fieldCount = 0
    private(set) var quoting = Quoting.sound
    /// The position after the row's last byte; the line end doesn't count.
    private(set) var rowEnd = 0
    /// The position after the row's line end.
    private(set) var nextRow = 0

    init(delimiter: UInt8, roomForFields room: Int) {
        self.delimiter = delimiter
        fields = Array(repeating: CSVField(start: 0, end: 0, hasDoubledQuotes: false), count: room)
    }

    /// Scans the row that begins at `start`, in time linear in its length.
    mutating func scan(_ bytes: Span<UInt8>, from start: Int) {
        let end = bytes.count
        var position = start
        let stops = FieldStops(delimiter: delimiter)
        var count = 0
        quoting = .sound
        while true {
            var field = CSVField(start: position, end: position, hasDoubledQuotes: false)
            if position < end, bytes[position] == UInt8(ascii: "\"") {
                position = scanQuoted(bytes, &field)
            }
            let restStart = position
            position = stops.first(in: bytes, from: position)
            if field.start == restStart {
                field.end = position
            } else if position > restStart, quoting == .sound {
                quoting = .followedByText
                while position < end, bytes[position] != UInt8(ascii: "\n"), bytes[position] != UInt8(ascii: "\r") {
                    position += 1
                }
            }
            if count < fields.count { fields[count] = field }
            count += 1
            guard position < end, bytes[position] == stops.delimiter else { break }
            position += 1
        }
        fieldCount = count
        rowEnd = position
        nextRow = bytes.afterLineEnd(at: position)
    }

    /// - Returns: the position after the closing quote, or the end of the input.
    private mutating func scanQuoted(_ bytes: Span<UInt8>, _ field: inout CSVField) -> Int {
        var position = field.start + 1
        field.start = position
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\"") {
                guard position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "\"") else {
                    field.end = position
                    return position + 1
                }
                field.hasDoubledQuotes = true
                position += 1
            }
            position += 1
        }
        field.end = bytes.count
        quoting = .unterminated
        return bytes.count
    }
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
}

/// Finds the end of an unquoted field, eight bytes at a time.
private struct FieldStops {
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
            let byte = bytes[position]
            if byte == delimiter || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
            position += 1
        }
        return position
    }
}
