/// Reads JSON from bytes, token by token and strictly by the grammar.
///
/// Every access is checked against the end of the bytes, text must be valid UTF-8 without lone surrogates, an object
/// may not have a key twice, and values may nest ``depthLimit`` deep, so that no input can exhaust the stack.
///
/// Source: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
package struct JSONReader {
    /// How deep arrays and objects may lie in each other.
    package static let depthLimit = 64

    /// A string of the input, between its quotes.
    package struct Text {
        package let range: Range<Int>
        package let hasEscapes: Bool
    }

    /// A number of the input.
    package struct Number {
        package let range: Range<Int>
        /// It has neither fraction nor exponent.
        package let isInteger: Bool
    }

    package let bytes: UnsafeRawBufferPointer
    /// The offset of the next byte.
    package private(set) var position = 0

    /// Moves over bytes that were looked at.
    package mutating func advance(_ count: Int) { position += count }

    /// - Parameter bytes: valid for as long as the reader is used.
    package init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// The next byte that is not white space, without taking it; `nil` at the end.
    package mutating func peek() -> UInt8? {
        while let byte = current {
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    /// Takes the byte if it comes next, white space aside.
    package mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    /// Takes the byte, which must come next.
    package mutating func expect(_ byte: UInt8, _ expected: String) throws(TileDecodingError) {
        guard take(byte) else { throw error(expected: expected) }
    }

    /// Only white space may follow.
    package mutating func expectEnd() throws(TileDecodingError) {
        guard peek() == nil else { throw error(expected: "the end") }
    }

    /// The next key of an object whose brace is taken, its colon taken too; `nil` where the object ends.
    package mutating func nextKey(isFirst: Bool) throws(TileDecodingError) -> Text? {
        if take(UInt8(ascii: "}")) { return nil }
        if !isFirst { try expect(UInt8(ascii: ","), "a comma or the end of the object") }
        let key = try readText()
        try expect(UInt8(ascii: ":"), "a colon")
        return key
    }

    /// Whether another element follows in an array whose bracket is taken; takes the comma or the closing bracket.
    package mutating func nextElement(isFirst: Bool) throws(TileDecodingError) -> Bool {
        if take(UInt8(ascii: "]")) { return false }
        if !isFirst { try expect(UInt8(ascii: ","), "a comma or the end of the array") }
        return true
    }

    /// The byte at the position, white space included.
    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// An error at the position.
    package func error(expected: String) -> TileDecodingError { error(at: position, expected: expected) }

    /// An error about the token that begins at `offset`.
    package func error(at offset: Int, expected: String) -> TileDecodingError {
        guard offset < bytes.count else {
            return TileDecodingError(byteOffset: offset, found: "the end", expected: expected)
        }
        let token = bytes[offset..<bytes.count].prefix(24).prefix { (0x21...0x7e).contains($0) && $0 != 0x2c }
        let found = token.isEmpty ? "0x\(String(bytes[offset], radix: 16))" : String(decoding: token, as: UTF8.self)
        return TileDecodingError(byteOffset: offset, found: found, expected: expected)
    }
}

/// Literals and numbers.
extension JSONReader {
    /// Takes `true`, `false` or `null` if it comes next.
    package mutating func takeLiteral(_ literal: StaticString) -> Bool {
        _ = peek()
        let end = position + literal.utf8CodeUnitCount
        guard end <= bytes.count, isEqual(position..<end, literal) else { return false }
        position = end
        return true
    }

    package mutating func readNumber() throws(TileDecodingError) -> Number {
        _ = peek()
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        let hasLeadingZero = current == UInt8(ascii: "0")
        let digits = takeDigits()
        guard digits > 0, !(hasLeadingZero && digits > 1) else { throw error(at: start, expected: "a number") }
        var isInteger = true
        if current == UInt8(ascii: ".") {
            position += 1
            isInteger = false
            guard takeDigits() > 0 else { throw error(at: start, expected: "a number") }
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            position += 1
            isInteger = false
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            guard takeDigits() > 0 else { throw error(at: start, expected: "a number") }
        }
        return Number(range: start..<position, isInteger: isInteger)
    }

    /// A whole number without sign, fraction or exponent.
    package mutating func readInteger(in range: ClosedRange<Int>, _ expected: String) throws(TileDecodingError) -> Int {
        let number = try readNumber()
        // 18 digits always fit.
        guard number.isInteger, number.range.count <= 18, bytes[number.range.lowerBound] != UInt8(ascii: "-") else {
            throw error(at: number.range.lowerBound, expected: expected)
        }
        var value = 0
        for index in number.range { value = value * 10 + Int(bytes[index] - UInt8(ascii: "0")) }
        guard range.contains(value) else { throw error(at: number.range.lowerBound, expected: expected) }
        return value
    }

    /// Degrees with at most six decimals as whole microdegrees, exactly.
    package mutating func readMicrodegrees(in range: ClosedRange<Int32>, _ expected: String) throws(TileDecodingError)
        -> Int32
    {
        let number = try readNumber()
        var value = 0
        var decimals: Int?
        // A sign, three digits, the point and six decimals are 11 bytes.
        guard number.range.count <= 12 else { throw error(at: number.range.lowerBound, expected: expected) }
        for index in number.range {
            switch bytes[index] {
            case UInt8(ascii: "-"): break
            case UInt8(ascii: "."): decimals = 0
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
                decimals = decimals.map { $0 + 1 }
            default: throw error(at: number.range.lowerBound, expected: expected)
            }
        }
        guard (decimals ?? 0) <= 6 else { throw error(at: number.range.lowerBound, expected: expected) }
        for _ in (decimals ?? 0)..<6 { value *= 10 }
        if bytes[number.range.lowerBound] == UInt8(ascii: "-") { value.negate() }
        guard let microdegrees = Int32(exactly: value), range.contains(microdegrees) else {
            throw error(at: number.range.lowerBound, expected: expected)
        }
        return microdegrees
    }

    /// How many digits were taken.
    private mutating func takeDigits() -> Int {
        let start = position
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        return position - start
    }
}
