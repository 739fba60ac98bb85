import PyramidPlatform

/// A JSON string by its position in the bytes, without its quotes.
@usableFromInline
package struct JSONText: Sendable {
    @usableFromInline package let range: Range<Int>
    @usableFromInline package let hasEscapes: Bool

    @inlinable
    package init(range: Range<Int>, hasEscapes: Bool = false) {
        self.range = range
        self.hasEscapes = hasEscapes
    }
}

/// A JSON value by its position in the bytes.
@usableFromInline
package struct JSONValue: Sendable {
    @usableFromInline
    package enum Kind: Sendable {
        case text, number, boolean, null, object, array

        /// Written out because the synthesized operator can't be inlined into other modules, which use it for every row.
        @inlinable
        package static func == (left: Kind, right: Kind) -> Bool {
            switch (left, right) {
            case (.text, .text), (.number, .number), (.boolean, .boolean), (.null, .null), (.object, .object),
                (.array, .array):
                true
            default: false
            }
        }
    }

    @usableFromInline package let kind: Kind
    /// For a string, the quotes included.
    @usableFromInline package let range: Range<Int>
    /// Always false except for strings.
    @usableFromInline package let hasEscapes: Bool

    @inlinable
    package init(kind: Kind, range: Range<Int>, hasEscapes: Bool = false) {
        self.kind = kind
        self.range = range
        self.hasEscapes = hasEscapes
    }

    /// The string without its quotes.
    @inlinable package var text: JSONText {
        JSONText(range: range.lowerBound + 1..<range.upperBound - 1, hasEscapes: hasEscapes)
    }
}

/// An escape in a JSON string, or two escapes that make up one character.
struct JSONEscape {
    let scalar: Unicode.Scalar
    let byteCount: Int
    /// Half a surrogate pair, which is not a character; the scalar is U+FFFD.
    var isLoneSurrogate = false

    /// Reads the escape whose backslash is at `start`; `nil` if JSON has no such escape.
    init?(_ bytes: Span<UInt8>, at start: Int) {
        guard start + 1 < bytes.count else { return nil }
        if let scalar = JSONEscape.short(bytes[start + 1]) {
            (self.scalar, byteCount) = (scalar, 2)
            return
        }
        guard let unit = JSONEscape.unit(bytes, at: start) else { return nil }
        if let scalar = Unicode.Scalar(unit) {
            (self.scalar, byteCount) = (scalar, 6)
        } else if unit < 0xdc00, let low = JSONEscape.unit(bytes, at: start + 6), low >= 0xdc00, low < 0xe000,
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
        {
            (self.scalar, byteCount) = (scalar, 12)
        } else {
            (scalar, byteCount) = ("\u{FFFD}", 6)
            isLoneSurrogate = true
        }
    }

    private static func short(_ letter: UInt8) -> Unicode.Scalar? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(letter)
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "f"): "\u{c}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: nil
        }
    }

    /// The number in `\u` and four hexadecimal digits.
    private static func unit(_ bytes: Span<UInt8>, at start: Int) -> UInt32? {
        guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt32 = 0
        for index in start + 2..<start + 6 {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        return unit
    }

    /// Whether JSON demands an escape for a byte of a string.
    static func isNeeded(for byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// The escape for a byte that needs one.
    static func escape(for byte: UInt8) -> [UInt8] {
        byte < 0x20 ? controls[Int(byte)] : [UInt8(ascii: "\\"), byte]
    }

    private static let controls: [[UInt8]] = (0..<0x20).map { byte in
        switch Unicode.Scalar(byte) {
        case "\n": Array("\\n".utf8)
        case "\r": Array("\\r".utf8)
        case "\t": Array("\\t".utf8)
        default: Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
        }
    }
}

extension Span<UInt8> {
    /// Writes a string's text, with its escapes replaced, to a reused buffer.
    package func unescape(_ text: JSONText, into result: inout [UInt8]) {
        result.removeAll(keepingCapacity: true)
        var position = text.range.lowerBound
        while position < text.range.upperBound {
            if self[position] == UInt8(ascii: "\\"), let escape = JSONEscape(self, at: position) {
                result.append(contentsOf: escape.scalar.utf8)
                position += escape.byteCount
            } else {
                result.append(self[position])
                position += 1
            }
        }
    }

    /// A string's text, with its escapes replaced.
    package func unescaped(_ text: JSONText) -> [UInt8] {
        var result: [UInt8] = []
        unescape(text, into: &result)
        return result
    }

    /// Appends a value as canonical JSON: no white space outside strings, and in strings only the escapes that JSON
    /// demands. Numbers keep their digits.
    package func appendCanonicalJSON(_ value: JSONValue, to result: inout [UInt8]) {
        var isInText = false
        var position = value.range.lowerBound
        while position < value.range.upperBound {
            let byte = self[position]
            if isInText, byte == UInt8(ascii: "\\"), let escape = JSONEscape(self, at: position) {
                if escape.scalar.isASCII, JSONEscape.isNeeded(for: UInt8(escape.scalar.value)) {
                    result += JSONEscape.escape(for: UInt8(escape.scalar.value))
                } else {
                    result.append(contentsOf: escape.scalar.utf8)
                }
                position += escape.byteCount
                continue
            }
            if byte == UInt8(ascii: "\"") { isInText.toggle() }
            let isBlank = byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
            if isInText || !isBlank { result.append(byte) }
            position += 1
        }
    }

    /// Whether the bytes are those of the name.
    @inline(__always)
    package func isEqual(_ range: Range<Int>, _ name: StaticString) -> Bool {
        guard range.count == name.utf8CodeUnitCount else { return false }
        return extracting(range).withUnsafeBufferPointer { text in
            text.baseAddress.map { memcmp($0, name.utf8Start, text.count) == 0 } ?? true
        }
    }

    /// Whether the string's text is the name, which must be ASCII.
    @inlinable
    package func isEqual(_ text: JSONText, _ name: StaticString) -> Bool {
        // Most names already differ in length.
        if !text.hasEscapes, text.range.count != name.utf8CodeUnitCount { return false }
        return isSame(text, name)
    }

    @usableFromInline
    func isSame(_ text: JSONText, _ name: StaticString) -> Bool {
        guard text.hasEscapes else { return isEqual(text.range, name) }
        return unescaped(text).elementsEqual(
            UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// Whether the string's text is these bytes.
    package func isEqual(_ text: JSONText, _ name: [UInt8]) -> Bool {
        if text.hasEscapes { return unescaped(text) == name }
        guard text.range.count == name.count else { return false }
        for index in name.indices where self[text.range.lowerBound + index] != name[index] { return false }
        return true
    }

    /// Whether two strings have the same text.
    package func isEqual(_ left: JSONText, _ right: JSONText) -> Bool {
        if left.hasEscapes || right.hasEscapes { return unescaped(left) == unescaped(right) }
        guard left.range.count == right.range.count else { return false }
        for (left, right) in zip(left.range, right.range) where self[left] != self[right] { return false }
        return true
    }
}
