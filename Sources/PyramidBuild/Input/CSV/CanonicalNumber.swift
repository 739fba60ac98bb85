import PyramidTiles

/// Tells which texts a JSON reader gives back unchanged when they are written as numbers.
enum CanonicalNumber {
    /// A 64-bit float keeps this many decimal digits.
    private static let digits = 15
    /// A number below 10⁻⁶ comes back with an exponent.
    private static let zerosAfterPoint = 5

    /// Whether the text is `-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?`, not `-0`, of at most 15 significant digits, and not
    /// nearer to zero than 10⁻⁶: what JavaScript prints for the number that it reads.
    static func matches(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        // Anything longer has too many digits; this also bounds the work.
        guard range.count <= digits + 3 + zerosAfterPoint, let number = DecimalLiteral(bytes, in: range),
            !number.hasExponent, !number.whole.isEmpty, bytes[range.lowerBound] != UInt8(ascii: "+")
        else { return false }
        let isBelowOne = bytes[number.whole.lowerBound] == UInt8(ascii: "0")
        if isBelowOne, number.whole.count > 1 { return false }
        guard number.hasPoint else { return !(number.isNegative && isBelowOne) && number.whole.count <= digits }
        guard let last = number.fraction.last, bytes[last] != UInt8(ascii: "0") else { return false }
        guard isBelowOne else { return number.whole.count + number.fraction.count <= digits }
        let zeros = number.fraction.prefix { bytes[$0] == UInt8(ascii: "0") }.count
        return zeros <= zerosAfterPoint && number.fraction.count - zeros <= digits
    }
}
