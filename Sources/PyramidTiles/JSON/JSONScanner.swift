import PyramidPlatform

/// The position where bytes stop being JSON, and what was expected there.
@usableFromInline
package struct JSONFault: Error {
    package let offset: Int
    package let expected: String

    @usableFromInline
    package init(offset: Int, expected: String) {
        self.offset = offset
        self.expected = expected
    }
}

/// The project's JSON scanner: finds values in one pass, strictly by the grammar and without recursion, so that no
/// nesting can exhaust the stack.
///
/// It doesn't hold the bytes: pass the same span to every call. Flags tell the caller about text that the grammar allows
/// but some readers refuse. ``JSONReader`` adds rules for tiles: valid UTF-8, unique keys and a depth limit.
///
/// Source: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
@usableFromInline
package struct JSONScanner: Sendable {
    @usableFromInline package var position: Int
    /// The number of brackets open at the position.
    package var depth = 0
    /// The most brackets open at once; reset it at the start of a row.
    package var deepest = 0
    /// Whether a number was too large for a 64-bit float.
    package var hasHugeNumber = false
    /// Whether an escape was half a surrogate pair, which is not a character.
    package var hasLoneSurrogate = false
    /// Whether such an escape is a fault instead.
    package var refusesLoneSurrogates = false
    /// Whether `NaN`, `Infinity` and `-Infinity` are values, as some programs write them; they come as null.
    private let allowsNaN: Bool
    /// Whether there was such a value.
    package var hasNaN = false
    /// Whether a string had a byte that is not ASCII.
    var hasNonASCII = false
    private var containers: [UInt8] = []

    /// Bounds the memory. A row with more open brackets is longer than any valid row.
    private static let bracketLimit = 16 << 20

    package init(at position: Int = 0, allowsNaN: Bool = false) {
        self.position = position
        self.allowsNaN = allowsNaN
    }

    /// Skips white space and returns the next byte without consuming it; 0 at the end, which is never valid JSON.
    @inlinable @inline(__always)
    package mutating func next(_ bytes: Span<UInt8>) -> UInt8 {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return byte }
            position += 1
        }
        return 0
    }

    /// Consumes a byte; throws if another one comes next.
    @inlinable @inline(__always)
    package mutating func expect(_ byte: UInt8, _ expected: String, in bytes: Span<UInt8>) throws(JSONFault) {
        guard next(bytes) == byte else { throw JSONFault(offset: position, expected: expected) }
        position += 1
    }

    /// The next name of an object whose brace was consumed, with its colon; `nil` at the end of the object.
    package mutating func nextName(isFirst: Bool, in bytes: Span<UInt8>) throws(JSONFault) -> JSONText? {
        if next(bytes) == UInt8(ascii: "}") {
            position += 1
            return nil
        }
        if !isFirst { try expect(UInt8(ascii: ","), "a comma or the end of the object", in: bytes) }
        return try scanName(bytes)
    }

    /// Whether another element follows in an array whose bracket was consumed. Consumes the comma or the closing
    /// bracket.
    package mutating func nextElement(isFirst: Bool, in bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        if next(bytes) == UInt8(ascii: "]") {
            position += 1
            return false
        }
        if !isFirst { try expect(UInt8(ascii: ","), "a comma or the end of the array", in: bytes) }
        return true
    }

    /// Scans a value of any kind.
    package mutating func scanValue(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONValue {
        let byte = next(bytes)
        let start = position
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { return try scanScalar(byte, bytes) }
        try skipContainer(bytes)
        return JSONValue(kind: byte == UInt8(ascii: "{") ? .object : .array, range: start..<position)
    }

    /// Scans the string whose quote comes next.
    package mutating func scanText(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONText {
        let start = position + 1
        var end = start
        var hasEscapes = false
        while true {
            end = JSONTextStops.first(in: bytes, from: end, &hasNonASCII)
            guard end < bytes.count else { throw JSONFault(offset: end, expected: "the end of a string") }
            if bytes[end] == UInt8(ascii: "\"") { break }
            guard bytes[end] == UInt8(ascii: "\\") else {
                throw JSONFault(offset: end, expected: "a character of a string, or its end")
            }
            guard let escape = JSONEscape(bytes, at: end), !(escape.isLoneSurrogate && refusesLoneSurrogates) else {
                throw JSONFault(offset: end, expected: "an escape of JSON")
            }
            if escape.isLoneSurrogate { hasLoneSurrogate = true }
            hasEscapes = true
            end += escape.byteCount
        }
        position = end + 1
        return JSONText(range: start..<end, hasEscapes: hasEscapes)
    }

    /// Scans the number that comes next.
    package mutating func scanNumber(_ bytes: Span<UInt8>) throws(JSONFault) -> DecimalLiteral {
        guard let number = DecimalLiteral(bytes, from: position, to: bytes.count), number.isJSON(bytes) else {
            throw JSONFault(offset: position, expected: "a number")
        }
        position = number.range.upperBound
        // Every number of at most 300 digits fits.
        if number.hasExponent || number.whole.count > 300, !bytes.double(number).isFinite { hasHugeNumber = true }
        return number
    }

    private mutating func scanScalar(_ first: UInt8, _ bytes: Span<UInt8>) throws(JSONFault) -> JSONValue {
        let start = position
        switch first {
        case UInt8(ascii: "\""):
            let text = try scanText(bytes)
            return JSONValue(kind: .text, range: start..<position, hasEscapes: text.hasEscapes)
        case UInt8(ascii: "-") where allowsNaN && start + 1 < bytes.count && bytes[start + 1] == UInt8(ascii: "I"):
            return try scanNaN("-Infinity", bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return JSONValue(kind: .number, range: try scanNumber(bytes).range)
        case UInt8(ascii: "t"): return try scanLiteral("true", .boolean, bytes)
        case UInt8(ascii: "f"): return try scanLiteral("false", .boolean, bytes)
        case UInt8(ascii: "n"): return try scanLiteral("null", .null, bytes)
        case UInt8(ascii: "N") where allowsNaN: return try scanNaN("NaN", bytes)
        case UInt8(ascii: "I") where allowsNaN: return try scanNaN("Infinity", bytes)
        default: throw JSONFault(offset: position, expected: "a value")
        }
    }

    private mutating func scanNaN(_ literal: StaticString, _ bytes: Span<UInt8>) throws(JSONFault) -> JSONValue {
        let value = try scanLiteral(literal, .null, bytes)
        hasNaN = true
        return value
    }

    private mutating func scanLiteral(
        _ literal: StaticString, _ kind: JSONValue.Kind, _ bytes: Span<UInt8>
    ) throws(JSONFault) -> JSONValue {
        let end = position + literal.utf8CodeUnitCount
        guard end <= bytes.count, bytes.isEqual(position..<end, literal) else {
            throw JSONFault(offset: position, expected: "a value")
        }
        defer { position = end }
        return JSONValue(kind: kind, range: position..<end)
    }

    @inline(__always)
    private mutating func scanName(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONText {
        guard next(bytes) == UInt8(ascii: "\"") else { throw JSONFault(offset: position, expected: "a name in quotes") }
        let name = try scanText(bytes)
        try expect(UInt8(ascii: ":"), "a colon", in: bytes)
        return name
    }

    private mutating func skipContainer(_ bytes: Span<UInt8>) throws(JSONFault) {
        containers.removeAll(keepingCapacity: true)
        try open(bytes)
        var isFirst = true
        while let container = containers.last {
            let byte = next(bytes)
            // In ASCII, `]` and `}` are two after `[` and `{`.
            if byte == container + 2 {
                containers.removeLast()
                position += 1
                isFirst = false
                continue
            }
            let isObject = container == UInt8(ascii: "{")
            if !isFirst {
                try expect(
                    UInt8(ascii: ","),
                    isObject ? "a comma or the end of the object" : "a comma or the end of the array",
                    in: bytes)
            }
            if isObject { _ = try scanName(bytes) }
            let first = next(bytes)
            isFirst = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
            if isFirst { try open(bytes) } else { _ = try scanScalar(first, bytes) }
        }
    }

    private mutating func open(_ bytes: Span<UInt8>) throws(JSONFault) {
        guard containers.count < JSONScanner.bracketLimit else {
            throw JSONFault(offset: position, expected: "fewer nested brackets")
        }
        containers.append(bytes[position])
        position += 1
        deepest = max(deepest, depth + containers.count)
    }
}

extension Span<UInt8> {
    /// The nearest double; infinite if the number is too large.
    package func double(_ number: DecimalLiteral) -> Double {
        Double(String(decoding: number.range.map { self[$0] }, as: UTF8.self)) ?? .infinity
    }
}

/// Finds the end of a run of plain characters in a string, eight bytes at a time.
enum JSONTextStops {
    /// The position of the first quote, backslash or control character from `position` on, or the end of the bytes.
    /// - Parameter hasNonASCII: set if a byte before that position isn't ASCII; perhaps also for one of the next seven.
    @inline(__always)
    static func first(in bytes: Span<UInt8>, from position: Int, _ hasNonASCII: inout Bool) -> Int {
        let raw = bytes.bytes
        var position = position
        while position + 8 <= bytes.count {
            let text = EightBytes(word: raw.word(at: position))
            if !text.isASCII() { hasNonASCII = true }
            let marks =
                text.marks(of: UInt8(ascii: "\"")) | text.marks(of: UInt8(ascii: "\\")) | text.marks(below: 0x20)
            if marks != 0 { return position + marks.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < bytes.count {
            if JSONEscape.isNeeded(for: bytes[position]) { break }
            if bytes[position] >= 0x80 { hasNonASCII = true }
            position += 1
        }
        return position
    }
}

extension JSONValue {
    /// The members of an object already scanned; none of another value.
    package func members(in bytes: Span<UInt8>) throws(JSONFault) -> [(name: JSONText, value: JSONValue)] {
        guard kind == .object else { return [] }
        var scanner = JSONScanner(at: range.lowerBound + 1, allowsNaN: true)
        var members: [(name: JSONText, value: JSONValue)] = []
        while let name = try scanner.nextName(isFirst: members.isEmpty, in: bytes) {
            members.append((name, try scanner.scanValue(bytes)))
        }
        return members
    }

    /// The elements of an array already scanned; none of another value.
    package func elements(in bytes: Span<UInt8>) throws(JSONFault) -> [JSONValue] {
        guard kind == .array else { return [] }
        var scanner = JSONScanner(at: range.lowerBound + 1, allowsNaN: true)
        var elements: [JSONValue] = []
        while try scanner.nextElement(isFirst: elements.isEmpty, in: bytes) {
            elements.append(try scanner.scanValue(bytes))
        }
        return elements
    }
}
