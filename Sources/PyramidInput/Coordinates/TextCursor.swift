import PyramidTiles

/// Consumes a text piece by piece, with any blanks before each piece. What isn't there costs no blanks either.
struct TextCursor {
    private(set) var position: Int
    let end: Int

    init(_ range: Range<Int>) { (position, end) = (range.lowerBound, range.upperBound) }

    /// Skips spaces, tabs and the spaces of typesetting: U+00A0, U+2000 to U+200A, and U+202F.
    @inline(__always)
    mutating func skipBlanks(_ bytes: Span<UInt8>) {
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): position += 1
            case 0xc2 where position + 1 < end && bytes[position + 1] == 0xa0: position += 2
            case 0xe2
            where position + 2 < end && bytes[position + 1] == 0x80
                && (0x80...0x8a ~= bytes[position + 2] || bytes[position + 2] == 0xaf):
                position += 3
            default: return
            }
        }
    }

    /// Whether there were blanks.
    mutating func takeBlanks(in bytes: Span<UInt8>) -> Bool {
        let start = position
        skipBlanks(bytes)
        return position > start
    }

    mutating func isAtEnd(in bytes: Span<UInt8>) -> Bool {
        skipBlanks(bytes)
        return position == end
    }

    /// Whether the text ends here, or a comma, a semicolon or a closing bracket comes next.
    @inline(__always)
    func isAtSeparator(in bytes: Span<UInt8>) -> Bool {
        guard position < end else { return true }
        return switch bytes[position] {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ")"), UInt8(ascii: "]"): true
        default: false
        }
    }

    /// Consumes a text if it comes next.
    @inline(__always)
    mutating func take(_ text: StaticString, in bytes: Span<UInt8>) -> Bool {
        take(text.utf8CodeUnitCount, in: bytes) { bytes[$1] == text.utf8Start[$0] }
    }

    mutating func takeAny(_ texts: [StaticString], in bytes: Span<UInt8>) -> Bool {
        texts.contains { take($0, in: bytes) }
    }

    /// - Parameter word: in upper case; any case matches.
    mutating func takeWord(_ word: StaticString, in bytes: Span<UInt8>) -> Bool {
        take(word.utf8CodeUnitCount, in: bytes) { index, position in
            let letter = word.utf8Start[index]
            return bytes[position] == letter || letter >= UInt8(ascii: "A") && bytes[position] == letter | 0x20
        }
    }

    /// Consumes a letter that isn't the first of a word.
    /// - Returns: the letter in upper case.
    mutating func takeLetter(in bytes: Span<UInt8>, where isWanted: (UInt8) -> Bool) -> UInt8? {
        let end = end
        let isTaken = take(1, in: bytes) { _, position in
            guard isWanted(bytes[position] & 0xdf) else { return false }
            guard position + 1 < end else { return true }
            let next = bytes[position + 1]
            return !(0x41...0x5a ~= next & 0xdf || 0xc3...0xe1 ~= next)
        }
        return isTaken ? bytes[position - 1] & 0xdf : nil
    }

    @inline(__always)
    private mutating func take(
        _ count: Int, in bytes: Span<UInt8>, where isWanted: (_ index: Int, _ position: Int) -> Bool
    ) -> Bool {
        let start = position
        skipBlanks(bytes)
        let first = position
        guard end - first >= count, (0..<count).allSatisfy({ isWanted($0, first + $0) }) else {
            position = start
            return false
        }
        position = first + count
        return true
    }

    /// Consumes a decimal number.
    /// - Parameters:
    ///   - point: the byte of the decimal point.
    ///   - isPlain: whether it has neither a sign nor an exponent. Then an `e` after it may be a direction.
    @inline(__always)
    mutating func takeNumber(
        in bytes: Span<UInt8>, point: UInt8 = UInt8(ascii: "."), isPlain: Bool = false
    ) -> DecimalLiteral? {
        let start = position
        skipBlanks(bytes)
        var number = isPlain ? nil : DecimalLiteral(bytes, from: position, to: end, point: point)
        if number == nil {
            var stop = position
            while stop < end, bytes[stop] &- UInt8(ascii: "0") < 10 || bytes[stop] == point { stop += 1 }
            number = DecimalLiteral(bytes, from: position, to: stop, point: point)
        }
        position = number?.range.upperBound ?? start
        return number
    }
}
