/// Tells which texts a JSON reader gives back unchanged when they are written as numbers.
enum CanonicalNumber {
    /// A 64-bit float keeps this many decimal digits.
    private static let digits = 15
    /// A number below 10⁻⁶ comes back with an exponent.
    private static let zerosAfterPoint = 5

    /// Whether the text is `-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?`, not `-0`, of at most 15 significant digits, and not
    /// nearer to zero than 10⁻⁶: what JavaScript prints for the number that it reads.
    static func matches(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var position = range.lowerBound
        let end = range.upperBound
        let isNegative = position < end && bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        // Anything longer has too many digits; this also bounds the work.
        guard position < end, end - position <= digits + 2 + zerosAfterPoint, isDigit(bytes[position]) else {
            return false
        }
        let isBelowOne = bytes[position] == UInt8(ascii: "0")
        let wholeStart = position
        repeat { position += 1 } while position < end && isDigit(bytes[position])
        let wholeDigits = position - wholeStart
        if isBelowOne, wholeDigits > 1 { return false }
        if position == end { return !(isNegative && isBelowOne) && wholeDigits <= digits }

        guard bytes[position] == UInt8(ascii: "."), position + 1 < end, bytes[end - 1] != UInt8(ascii: "0") else {
            return false
        }
        position += 1
        var leadingZeros = 0
        while isBelowOne, bytes[position] == UInt8(ascii: "0") {
            leadingZeros += 1
            position += 1
        }
        let decimals = end - position
        while position < end {
            guard isDigit(bytes[position]) else { return false }
            position += 1
        }
        return leadingZeros <= zerosAfterPoint && decimals + (isBelowOne ? 0 : wholeDigits) <= digits
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
