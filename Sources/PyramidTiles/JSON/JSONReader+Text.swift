/// Strings.
extension JSONReader {
    package mutating func readText() throws(TileDecodingError) -> Text {
        try expect(UInt8(ascii: "\""), "a string")
        let start = position
        var hasEscapes = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let text = Text(range: start..<position, hasEscapes: hasEscapes)
                advance(1)
                return text
            case UInt8(ascii: "\\"):
                hasEscapes = true
                _ = try readEscape()
            case ..<0x20: throw error(expected: "a character that needs no escape")
            case ..<0x80: advance(1)
            default: try skipMultibyteCharacter()
            }
        }
        throw error(expected: "the end of the string")
    }

    package func string(_ text: Text) -> String {
        text.hasEscapes
            ? String(decoding: unescaped(text), as: UTF8.self) : String(decoding: bytes[text.range], as: UTF8.self)
    }

    /// The bytes of the text that the string stands for.
    package func unescaped(_ text: Text) -> [UInt8] {
        guard text.hasEscapes else { return Array(bytes[text.range]) }
        var result: [UInt8] = []
        var reader = JSONReader(UnsafeRawBufferPointer(rebasing: bytes[text.range]))
        while reader.position < reader.bytes.count {
            let byte = reader.bytes[reader.position]
            if byte == UInt8(ascii: "\\"), let scalar = reader.takeEscape() {
                result.append(contentsOf: Array(String(Character(scalar)).utf8))
            } else {
                result.append(byte)
                reader.advance(1)
            }
        }
        return result
    }

    /// Whether two strings stand for the same text, byte by byte.
    package func isEqual(_ left: Text, _ right: Text) -> Bool {
        if left.hasEscapes || right.hasEscapes { return unescaped(left) == unescaped(right) }
        return left.range.count == right.range.count && bytes[left.range].elementsEqual(bytes[right.range])
    }

    package func isEqual(_ text: Text, _ name: StaticString) -> Bool {
        text.hasEscapes ? string(text) == name.description : isEqual(text.range, name)
    }

    /// Whether the bytes are those of the name.
    package func isEqual(_ range: Range<Int>, _ name: StaticString) -> Bool {
        guard range.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<range.count where bytes[range.lowerBound + index] != name.utf8Start[index] { return false }
        return true
    }

    /// Reads from the backslash on.
    private mutating func readEscape() throws(TileDecodingError) -> Unicode.Scalar {
        let start = position
        guard let scalar = takeEscape() else { throw error(at: start, expected: "an escape of JSON") }
        return scalar
    }

    private mutating func takeEscape() -> Unicode.Scalar? {
        guard position + 1 < bytes.count else { return nil }
        let letter = bytes[position + 1]
        advance(2)
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: return nil
        }
        guard let unit = takeHexUnit() else { return nil }
        guard (0xd800...0xdbff).contains(unit) else { return Unicode.Scalar(unit) }
        // A high surrogate needs a low one after it.
        guard position + 1 < bytes.count, isEqual(position..<position + 2, "\\u") else { return nil }
        advance(2)
        guard let low = takeHexUnit(), (0xdc00...0xdfff).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
    }

    /// Four hexadecimal digits.
    private mutating func takeHexUnit() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        advance(4)
        return unit
    }

    /// Checks one character by the table of well-formed sequences (Unicode, table 3-7).
    private mutating func skipMultibyteCharacter() throws(TileDecodingError) {
        let lead = bytes[position]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xbf
        switch lead {
        case 0xc2...0xdf: length = 2
        case 0xe0...0xef:
            length = 3
            if lead == 0xe0 { second = 0xa0...0xbf }
            if lead == 0xed { second = 0x80...0x9f }
        case 0xf0...0xf4:
            length = 4
            if lead == 0xf0 { second = 0x90...0xbf }
            if lead == 0xf4 { second = 0x80...0x8f }
        default: throw error(expected: "valid UTF-8")
        }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]) else {
            throw error(expected: "valid UTF-8")
        }
        for index in position + 2..<max(position + 2, position + length) where bytes[index] & 0xc0 != 0x80 {
            throw error(expected: "valid UTF-8")
        }
        advance(length)
    }
}
