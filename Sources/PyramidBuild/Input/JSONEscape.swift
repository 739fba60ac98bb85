/// An escape in a JSON string, or two that make up one character.
struct JSONEscape {
    let scalar: Unicode.Scalar
    let byteCount: Int
    /// It stands for no character; the scalar is U+FFFD.
    var isLoneSurrogate = false

    /// Reads the escape whose backslash stands at `start`; `nil` where it is none of JSON's.
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

    /// `\u` and four digits.
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
}

extension Span<UInt8> {
    /// The text that a string stands for, into a reused buffer.
    func unescape(_ text: JSONText, into result: inout [UInt8]) {
        result.removeAll(keepingCapacity: true)
        var position = text.start
        while position < text.end {
            if self[position] == UInt8(ascii: "\\"), let escape = JSONEscape(self, at: position) {
                result.append(contentsOf: String(escape.scalar).utf8)
                position += escape.byteCount
            } else {
                result.append(self[position])
                position += 1
            }
        }
    }

    /// Appends the JSON of a value that was scanned, the same for all ways to write it: no white space outside of
    /// strings, and in strings no escapes but those that JSON demands. Numbers keep their digits.
    func appendCanonicalJSON(_ value: JSONValue, to result: inout [UInt8]) {
        var position = value.range.lowerBound
        while position < value.range.upperBound {
            let byte = self[position]
            position += 1
            switch byte {
            case 0x20, 0x0a, 0x0d, 0x09: continue
            case UInt8(ascii: "\""):
                result.append(byte)
                position = appendCanonicalText(from: position, to: &result)
            default: result.append(byte)
            }
        }
    }

    /// Appends a string from behind its opening quote on.
    /// - Returns: the place behind its closing quote.
    private func appendCanonicalText(from start: Int, to result: inout [UInt8]) -> Int {
        var position = start
        while position < count, self[position] != UInt8(ascii: "\"") {
            if self[position] == UInt8(ascii: "\\"), let escape = JSONEscape(self, at: position) {
                position += escape.byteCount
                Self.appendCanonical(escape.scalar, to: &result)
            } else {
                result.append(self[position])
                position += 1
            }
        }
        result.append(UInt8(ascii: "\""))
        return position + 1
    }

    private static func appendCanonical(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
        switch scalar {
        case "\"": result.append(contentsOf: "\\\"".utf8)
        case "\\": result.append(contentsOf: "\\\\".utf8)
        case "\n": result.append(contentsOf: "\\n".utf8)
        case "\r": result.append(contentsOf: "\\r".utf8)
        case "\t": result.append(contentsOf: "\\t".utf8)
        case ..<" ":
            let digits = String(scalar.value, radix: 16)
            result.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
        default: result.append(contentsOf: String(scalar).utf8)
        }
    }
}
