extension Span<UInt8> {
    /// Whether a range of bytes is well-formed UTF-8.
    package func isValidUTF8(_ range: Range<Int>) -> Bool { firstInvalidUTF8(in: range) == nil }

    /// The start of the first sequence that is not well-formed UTF-8; `nil` if all are.
    ///
    /// Source: [Unicode, table 3-7](https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G27506).
    package func firstInvalidUTF8(in range: Range<Int>) -> Int? {
        var position = range.lowerBound
        while position < range.upperBound {
            if position + 8 <= count {
                // ASCII, up to eight bytes at a time.
                let length = Swift.min(range.upperBound - position, 8)
                if EightBytes(word: bytes.word(at: position)).isASCII(among: length) {
                    position += length
                    continue
                }
            }
            let start = position
            let lead = self[position]
            position += 1
            if lead < 0x80 { continue }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xbf
            switch lead {
            case 0xc2...0xdf: length = 1
            case 0xe0: (length, second) = (2, 0xa0...0xbf)
            case 0xed: (length, second) = (2, 0x80...0x9f)
            case 0xe1...0xef: length = 2
            case 0xf0: (length, second) = (3, 0x90...0xbf)
            case 0xf1...0xf3: length = 3
            case 0xf4: (length, second) = (3, 0x80...0x8f)
            default: return start
            }
            guard position + length <= range.upperBound, second.contains(self[position]) else { return start }
            for index in position + 1..<position + length where self[index] & 0xc0 != 0x80 { return start }
            position += length
        }
        return nil
    }
}
