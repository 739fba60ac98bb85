/// What JSON makes of a number.
extension DecimalLiteral {
    private static let safeDigits = 17
    private static let safeInteger = 1 << 53

    /// Whether it is a number of JSON: no plus sign, no leading zeros, and digits on both sides of a point.
    @inline(__always)
    package func isJSON(_ bytes: Span<UInt8>) -> Bool {
        !whole.isEmpty && (whole.count == 1 || bytes[whole.lowerBound] != UInt8(ascii: "0"))
            && (whole.lowerBound == range.lowerBound || isNegative) && !(hasPoint && fraction.isEmpty)
    }

    /// Whether up to eight bytes are digits, perhaps with a point between them, as most numbers are; `nil` if that doesn't
    /// tell. It halves the time that a column of numbers takes.
    @inline(__always)
    private static func isShort(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool? {
        guard (1...8).contains(range.count), range.lowerBound + 8 <= bytes.count else { return nil }
        let text = EightBytes(word: bytes.bytes.word(at: range.lowerBound))
        let marks = text.nonDigits(among: range.count)
        let hasZero = bytes[range.lowerBound] == UInt8(ascii: "0")
        if marks == 0 { return !hasZero || range.count == 1 }
        let place = marks.trailingZeroBitCount / 8
        guard marks & (marks - 1) == 0, bytes[range.lowerBound + place] == UInt8(ascii: ".") else { return nil }
        return place > 0 && place < range.count - 1 && (!hasZero || place == 1)
    }

    /// Whether the bytes are a number of JSON from which every reader gets the same: at most 17 significant digits (zeros
    /// at either end aside), finite as a 64-bit float, and, if it is whole, at most 2⁵³.
    package static func isSafe(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool {
        if let isShort = isShort(bytes, in: range) { return isShort }
        guard let number = DecimalLiteral(bytes, in: range), number.isJSON(bytes) else { return false }
        if !number.hasExponent, number.whole.count < 16, number.whole.count + number.fraction.count <= safeDigits {
            return true
        }
        guard let digits = SignificantDigits(number, bytes) else { return true }
        guard digits.count <= safeDigits else { return false }
        // Fractions of so few digits are far from infinite.
        guard digits.wholeCount >= digits.count else { return true }
        guard digits.wholeCount < 17 else { return false }
        var value = 0
        for position in digits.range where bytes[position] != UInt8(ascii: ".") {
            value = value * 10 + Int(bytes[position] &- UInt8(ascii: "0"))
        }
        for _ in digits.count..<digits.wholeCount { value *= 10 }
        return value <= safeInteger
    }
}
