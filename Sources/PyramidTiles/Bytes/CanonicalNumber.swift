/// One text for all spellings of a number, so that numbers can be compared as bytes: `24`, `24.0` and `2.4e1` become
/// `24`, and `-0` becomes `0`.
///
/// Exact for any number of digits, without binary fractions. The canonical text is decimal, without needless zeros at
/// either end. It has an exponent only to avoid more than 21 digits before the point or 11 zeros after it: as
/// JavaScript prints numbers, except very small ones.
package enum CanonicalNumber {
    private static let mostWholeDigits = 21
    private static let mostZerosBehindPoint = 11

    /// Writes the canonical text of a number.
    /// - Parameter text: replaced if the result is `true`.
    /// - Returns: `false` if the bytes are a canonical whole number or not a decimal number; use them as they are.
    package static func write(
        _ bytes: Span<UInt8>, _ range: Range<Int>, into text: inout [UInt8]
    ) -> Bool {
        guard let number = DecimalLiteral(bytes, in: range), !isInteger(number, bytes) else { return false }
        text.removeAll(keepingCapacity: true)
        append(number, bytes, to: &text)
        return true
    }

    package static func write(_ number: UnsafeRawBufferPointer, into text: inout [UInt8]) -> Bool {
        write(number.assumingMemoryBound(to: UInt8.self).span, 0..<number.count, into: &text)
    }

    /// Whether the bytes are text or a canonical whole number, to be used as they are. `false` for any fraction.
    package static func isWritten(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        // Most texts begin with a letter.
        guard !range.isEmpty, bytes[range.lowerBound] <= UInt8(ascii: "9"),
            let number = DecimalLiteral(bytes, in: range)
        else { return true }
        return isInteger(number, bytes)
    }

    /// Whether it is a canonical whole number.
    private static func isInteger(_ number: DecimalLiteral, _ bytes: Span<UInt8>) -> Bool {
        number.isInteger && number.isJSON(bytes) && number.whole.count <= mostWholeDigits
            && !(number.isNegative && bytes[number.whole.lowerBound] == UInt8(ascii: "0"))
    }

    private static func append(_ number: DecimalLiteral, _ bytes: Span<UInt8>, to text: inout [UInt8]) {
        guard let significant = SignificantDigits(number, bytes) else {
            text.append(UInt8(ascii: "0"))
            return
        }
        if number.isNegative { text.append(UInt8(ascii: "-")) }
        let pointAfter = significant.wholeCount
        let hasExponent = pointAfter > mostWholeDigits || pointAfter < -mostZerosBehindPoint
        let zeros = { (count: Int) in repeatElement(UInt8(ascii: "0"), count: max(count, 0)) }
        if pointAfter <= 0, !hasExponent {
            text += [UInt8(ascii: "0"), UInt8(ascii: ".")]
            text += zeros(-pointAfter)
        }
        var written = 0
        for position in significant.range where position != significant.point {
            if written > 0, written == (hasExponent ? 1 : pointAfter) { text.append(UInt8(ascii: ".")) }
            text.append(bytes[position])
            written += 1
        }
        if hasExponent {
            text.append(UInt8(ascii: "e"))
            text += Array(String(pointAfter - 1).utf8)
        } else {
            text += zeros(pointAfter - written)
        }
    }
}

/// The digits of a number from the first to the last that isn't 0.
package struct SignificantDigits {
    /// The position of the digits; the point may be among them.
    package let range: Range<Int>
    /// The position of the point, of whatever byte; after the whole number if there is none.
    package let point: Int
    package let count: Int
    /// The number of digits before the point without an exponent: the number is 0.ddd · 10 to the power of this.
    package let wholeCount: Int

    /// `nil` for zero.
    package init?(_ number: DecimalLiteral, _ bytes: Span<UInt8>) {
        let point = number.whole.upperBound
        func isDigit(_ position: Int) -> Bool { bytes[position] != UInt8(ascii: "0") && position != point }
        var (first, end) = (number.whole.lowerBound, number.fraction.upperBound)
        while first < end, !isDigit(first) { first += 1 }
        guard first < end else { return nil }
        while !isDigit(end - 1) { end -= 1 }
        self.point = point
        range = first..<end
        count = range.count - (range.contains(point) ? 1 : 0)
        wholeCount = number.exponent + (first < point ? point - first : point + 1 - first)
    }
}
