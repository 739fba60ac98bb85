/// Reads the JSON of a tile from bytes, token by token.
///
/// It is stricter than ``JSONScanner``: text must be valid UTF-8 without lone surrogates, the keys of an object must
/// differ, and values may nest only ``depthLimit`` deep, so that no input can exhaust the stack.
package struct JSONReader {
    /// How deep arrays and objects may nest.
    package static let depthLimit = 64

    package let bytes: UnsafeRawBufferPointer
    private var scanner: JSONScanner

    /// The offset of the next byte.
    package var position: Int { scanner.position }

    private var elements: UnsafeBufferPointer<UInt8> { bytes.assumingMemoryBound(to: UInt8.self) }

    /// - Parameter bytes: valid for as long as the reader is used.
    package init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
        self.bytes = bytes
        scanner = JSONScanner(at: position)
        scanner.refusesLoneSurrogates = true
    }

    /// The next byte that is not white space, without consuming it; 0 at the end.
    @inline(__always)
    package mutating func peek() -> UInt8 { scanner.next(elements.span) }

    /// Consumes a byte; throws if another one comes next.
    package mutating func expect(_ byte: UInt8, _ expected: String) throws(JSONFault) {
        try scanner.expect(byte, expected, in: elements.span)
    }

    /// Checks that only white space follows.
    package mutating func expectEnd() throws(JSONFault) {
        _ = peek()
        guard position == bytes.count else { throw fault(expected: "the end") }
    }

    /// The next key of an object whose brace was consumed, with its colon; `nil` at the end of the object.
    package mutating func nextKey(isFirst: Bool) throws(JSONFault) -> JSONText? {
        scanner.hasNonASCII = false
        guard let key = try scanner.nextName(isFirst: isFirst, in: elements.span) else { return nil }
        try checkUTF8(of: key)
        return key
    }

    /// Whether another element follows in an array whose bracket was consumed. Consumes the comma or the closing
    /// bracket.
    package mutating func nextElement(isFirst: Bool) throws(JSONFault) -> Bool {
        try scanner.nextElement(isFirst: isFirst, in: elements.span)
    }

    package mutating func readText() throws(JSONFault) -> JSONText {
        guard peek() == UInt8(ascii: "\"") else { throw fault(expected: "a string") }
        scanner.hasNonASCII = false
        let text = try scanner.scanText(elements.span)
        try checkUTF8(of: text)
        return text
    }

    package mutating func readNumber() throws(JSONFault) -> DecimalLiteral {
        _ = peek()
        return try scanner.scanNumber(elements.span)
    }

    /// A whole number without sign, fraction or exponent.
    package mutating func readInteger(in range: ClosedRange<Int>, _ expected: String) throws(JSONFault) -> Int {
        let number = try readNumber()
        // 18 digits always fit.
        guard number.isInteger, !number.isNegative, number.whole.count <= 18,
            case let value = elements.span.number(ofDigits: number.whole), range.contains(value)
        else { throw JSONFault(offset: number.range.lowerBound, expected: expected) }
        return value
    }

    /// Degrees with at most six decimals as whole microdegrees, exactly.
    package mutating func readMicrodegrees(
        in range: ClosedRange<Int32>, _ expected: String
    ) throws(JSONFault) -> Int32 {
        let number = try readNumber()
        guard !number.hasExponent, number.fraction.count <= 6,
            let magnitude = number.microdegrees(elements.span, below: Int(Int32.max)),
            case let value = Int32(number.isNegative ? -magnitude : magnitude), range.contains(value)
        else { throw JSONFault(offset: number.range.lowerBound, expected: expected) }
        return value
    }

    /// A fault at the current position.
    package func fault(expected: String) -> JSONFault { JSONFault(offset: position, expected: expected) }

    /// Checks the last scanned string.
    @inline(__always)
    private func checkUTF8(of text: JSONText) throws(JSONFault) {
        if scanner.hasNonASCII, let offset = elements.span.firstInvalidUTF8(in: text.range) {
            throw JSONFault(offset: offset, expected: "valid UTF-8")
        }
    }
}

/// Tokens as values.
extension JSONReader {
    package func string(_ text: JSONText) -> String {
        text.hasEscapes
            ? String(decoding: unescaped(text), as: UTF8.self) : String(decoding: bytes[text.range], as: UTF8.self)
    }

    /// The bytes of a string, with its escapes replaced.
    package func unescaped(_ text: JSONText) -> [UInt8] {
        text.hasEscapes ? elements.span.unescaped(text) : Array(bytes[text.range])
    }

    @inline(__always)
    package func isEqual(_ text: JSONText, _ name: StaticString) -> Bool { elements.span.isEqual(text, name) }

    package func isEqual(_ text: JSONText, _ name: [UInt8]) -> Bool { elements.span.isEqual(text, name) }

    /// Whether the bytes are those of the name.
    package func isEqual(_ range: Range<Int>, _ name: StaticString) -> Bool { elements.span.isEqual(range, name) }

    /// The nearest double.
    package func double(_ number: DecimalLiteral) throws(JSONFault) -> Double {
        let value = elements.span.double(number)
        guard value.isFinite else {
            throw JSONFault(offset: number.range.lowerBound, expected: "a number that a double can hold")
        }
        return value
    }
}

/// Values of any kind.
extension JSONReader {
    /// Reads a value of any kind.
    /// - Parameter isKept: `false` to only check the value; then null is returned.
    package mutating func readValue(isKept: Bool, depth: Int = 0) throws(JSONFault) -> PropertyValue {
        guard depth < JSONReader.depthLimit else {
            throw fault(expected: "values at most \(JSONReader.depthLimit) deep")
        }
        switch peek() {
        case UInt8(ascii: "\""):
            let text = try readText()
            return isKept ? .string(string(text)) : .null
        case UInt8(ascii: "{"): return try readObject(isKept: isKept, depth: depth)
        case UInt8(ascii: "["): return try readArray(isKept: isKept, depth: depth)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let number = try readNumber()
            return isKept ? .number(try double(number)) : .null
        default:
            let value = try scanner.scanValue(elements.span)
            return value.kind == .boolean ? .bool(isEqual(value.range, "true")) : .null
        }
    }

    private mutating func readObject(isKept: Bool, depth: Int) throws(JSONFault) -> PropertyValue {
        try expect(UInt8(ascii: "{"), "an object")
        var values: [String: PropertyValue] = [:]
        var keys = JSONKeySet()
        var isFirst = true
        while let key = try nextKey(isFirst: isFirst) {
            guard keys.insert(key, in: elements.span) else {
                throw JSONFault(offset: key.range.lowerBound - 1, expected: "a key that is not repeated")
            }
            let value = try readValue(isKept: isKept, depth: depth + 1)
            if isKept { values[string(key)] = value }
            isFirst = false
        }
        return isKept ? .object(values) : .null
    }

    private mutating func readArray(isKept: Bool, depth: Int) throws(JSONFault) -> PropertyValue {
        try expect(UInt8(ascii: "["), "an array")
        var values: [PropertyValue] = []
        var isFirst = true
        while try nextElement(isFirst: isFirst) {
            let value = try readValue(isKept: isKept, depth: depth + 1)
            if isKept { values.append(value) }
            isFirst = false
        }
        return isKept ? .array(values) : .null
    }
}
