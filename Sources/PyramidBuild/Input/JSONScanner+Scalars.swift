import Foundation

/// Strings, numbers and literals.
extension JSONScanner {
    /// Steps over a value that is neither an object nor an array; `first` is its first byte.
    mutating func scanScalar(_ first: UInt8, _ bytes: Span<UInt8>) throws(JSONFault) -> JSONValue {
        let start = position
        switch first {
        case UInt8(ascii: "\""):
            let text = try scanText(bytes)
            return JSONValue(kind: .text, range: start..<position, hasEscapes: text.hasEscapes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try skipNumber(bytes)
            return JSONValue(kind: .number, range: start..<position)
        case UInt8(ascii: "t"):
            try skipLiteral("true", bytes)
            return JSONValue(kind: .boolean, range: start..<position)
        case UInt8(ascii: "f"):
            try skipLiteral("false", bytes)
            return JSONValue(kind: .boolean, range: start..<position)
        case UInt8(ascii: "n"):
            try skipLiteral("null", bytes)
            return JSONValue(kind: .null, range: start..<position)
        default: throw JSONFault(offset: position, expected: "a value")
        }
    }

    /// Steps over the string whose quote comes next.
    mutating func scanText(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONText {
        let start = position + 1
        var place = start
        var hasEscapes = false
        while true {
            place = JSONTextStops.first(in: bytes, from: place)
            guard place < bytes.count else { throw JSONFault(offset: place, expected: "the end of a string") }
            if bytes[place] == UInt8(ascii: "\"") { break }
            guard bytes[place] == UInt8(ascii: "\\") else {
                throw JSONFault(offset: place, expected: "a character of a string, or its end")
            }
            guard let escape = JSONEscape(bytes, at: place) else {
                throw JSONFault(offset: place, expected: "an escape of JSON")
            }
            if escape.isLoneSurrogate { hasLoneSurrogate = true }
            hasEscapes = true
            place += escape.byteCount
        }
        position = place + 1
        return JSONText(start: start, end: place, hasEscapes: hasEscapes)
    }

    private mutating func skipNumber(_ bytes: Span<UInt8>) throws(JSONFault) {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let isZero = position < bytes.count && bytes[position] == UInt8(ascii: "0")
        let wholeDigits = skipDigits(bytes)
        guard wholeDigits > 0, !(isZero && wholeDigits > 1) else {
            throw JSONFault(offset: start, expected: "a number")
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            guard skipDigits(bytes) > 0 else { throw JSONFault(offset: start, expected: "a number") }
        }
        var hasExponent = false
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            hasExponent = true
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            guard skipDigits(bytes) > 0 else { throw JSONFault(offset: start, expected: "a number") }
        }
        // Every number of 300 digits fits.
        if hasExponent || wholeDigits > 300 {
            let text = String(decoding: (start..<position).map { bytes[$0] }, as: UTF8.self)
            if Double(text)?.isFinite != true { hasHugeNumber = true }
        }
    }

    private mutating func skipDigits(_ bytes: Span<UInt8>) -> Int {
        let start = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        return position - start
    }

    private mutating func skipLiteral(_ literal: StaticString, _ bytes: Span<UInt8>) throws(JSONFault) {
        let end = position + literal.utf8CodeUnitCount
        guard end <= bytes.count, bytes.isEqual(position..<end, literal) else {
            throw JSONFault(offset: position, expected: "a value")
        }
        position = end
    }
}

extension Span<UInt8> {
    /// Whether the bytes are those of the name.
    func isEqual(_ range: Range<Int>, _ name: StaticString) -> Bool {
        guard range.count == name.utf8CodeUnitCount else { return false }
        return extracting(range).withUnsafeBufferPointer { text in
            text.baseAddress.map { memcmp($0, name.utf8Start, text.count) == 0 } ?? true
        }
    }

    /// Whether the string stands for the name, which is ASCII.
    func isEqual(_ text: JSONText, _ name: StaticString) -> Bool {
        guard text.hasEscapes else { return isEqual(text.range, name) }
        var unescaped: [UInt8] = []
        unescape(text, into: &unescaped)
        return unescaped.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}

/// Finds where a run of plain characters in a string ends, eight bytes at a time.
private enum JSONTextStops {
    private static let lowBits: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let quotes = lowBits * UInt64(UInt8(ascii: "\""))
    private static let backslashes = lowBits * UInt64(UInt8(ascii: "\\"))
    private static let blanks = lowBits * 0x20

    /// The place of the first quote, backslash or control character at or after `position`, or the end of the bytes.
    @inline(__always)
    static func first(in bytes: Span<UInt8>, from position: Int) -> Int {
        let raw = bytes.bytes
        var position = position
        while position + 8 <= bytes.count {
            let word = raw.word(at: position)
            let quote = word ^ quotes
            let backslash = word ^ backslashes
            // A byte after a marked one may be marked wrongly; the first mark never is.
            let marks =
                ((quote &- lowBits) & ~quote | (backslash &- lowBits) & ~backslash | (word &- blanks) & ~word)
                & highBits
            if marks != 0 { return position + marks.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            position += 1
        }
        return position
    }
}
