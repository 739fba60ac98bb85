/// JSON's rules for numbers.
extension DecimalLiteral {
    private static let safeDigits = 17
    private static let safeInteger = 1 << 53

    /// Whether it is a valid JSON number: no plus sign, no leading zeros, and digits on both sides of a point.
    @inline(__always)
    package func isJSON(_ bytes: Span<UInt8>) -> Bool {
        !whole.isEmpty && (whole.count == 1 || bytes[whole.lowerBound] != UInt8(ascii: "0"))
            && (whole.lowerBound == range.lowerBound || isNegative) && !(hasPoint && fraction.isEmpty)
    }

    /// The result of ``isSafe(_:in:)`` for up to eight digits, perhaps with a point between them; `nil` for anything
    /// else. It halves the time for a column of numbers.
    @inline(__always)
    private static func isSafeIfShort(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool? {
        guard (1...8).contains(range.count), range.lowerBound + 8 <= bytes.count else { return nil }
        let text = EightBytes(word: bytes.bytes.word(at: range.lowerBound))
        let marks = text.nonDigits(among: range.count)
        let hasZero = bytes[range.lowerBound] == UInt8(ascii: "0")
        if marks == 0 { return !hasZero || range.count == 1 }
        let place = marks.trailingZeroBitCount / 8
        guard marks & (marks - 1) == 0, bytes[range.lowerBound + place] == UInt8(ascii: ".") else { return nil }
        return place > 0 && place < range.count - 1 && (!hasZero || place == 1)
    }

    /// Whether the bytes are a JSON number that all readers read alike: at most 17 significant digits (without zeros at
    /// either end), finite as a 64-bit float, and, if whole, at most 2⁵³.
    package static func isSafe(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool {
        if let isSafe = isSafeIfShort(bytes, in: range) { return isSafe }
        return DecimalLiteral(bytes, in: range)?.isSafe(bytes) ?? false
    }

    /// Whether the literal is such a number, if its decimal point is written as one.
    package func isSafe(_ bytes: Span<UInt8>) -> Bool {
        guard isJSON(bytes) else { return false }
        if !hasExponent, whole.count < 16, whole.count + fraction.count <= DecimalLiteral.safeDigits { return true }
        guard let digits = SignificantDigits(self, bytes) else { return true }
        guard digits.count <= DecimalLiteral.safeDigits else { return false }
        // A fraction of at most 17 digits is finite.
        guard digits.wholeCount >= digits.count else { return true }
        guard digits.wholeCount < 17 else { return false }
        var value = 0
        for position in digits.range where position != digits.point {
            value = value * 10 + Int(bytes[position] &- UInt8(ascii: "0"))
        }
        for _ in digits.count..<digits.wholeCount { value *= 10 }
        return value <= DecimalLiteral.safeInteger
    }
}
