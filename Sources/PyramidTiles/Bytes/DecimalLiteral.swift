/// A number in decimal notation in bytes: `[+-] digits [. digits] [e [+-] digits]`, with at least one digit before or
/// after the point.
///
/// The only parser of decimals in the project, used for coordinates, exact sums, JSON numbers and the types of CSV
/// columns. No locale, no binary fraction.
package struct DecimalLiteral: Sendable {
    /// The whole literal, with its sign.
    package let range: Range<Int>
    /// The digits before the point.
    package let whole: Range<Int>
    /// The digits after the point.
    package let fraction: Range<Int>
    package let hasPoint: Bool
    package let hasExponent: Bool
    package let isNegative: Bool
    /// Cut to ``exponentLimit``, which is more digits than any row has.
    package let exponent: Int

    private static let exponentLimit = 1_000_000_000

    /// Reads the longest literal that begins at `start`, up to `end`; `nil` if there is none, or if its exponent has no
    /// digits.
    /// - Parameter point: the byte of the decimal point.
    @inline(__always)
    package init?(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, point: UInt8 = UInt8(ascii: ".")
    ) {
        var position = start
        guard position < end else { return nil }
        isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative || bytes[position] == UInt8(ascii: "+") { position += 1 }
        whole = bytes.digits(from: position, to: end)
        position = whole.upperBound
        hasPoint = position < end && bytes[position] == point
        fraction = hasPoint ? bytes.digits(from: position + 1, to: end) : position..<position
        position = fraction.upperBound
        guard whole.count + fraction.count > 0 else { return nil }
        hasExponent = position < end && bytes[position] | 0x20 == UInt8(ascii: "e")
        if hasExponent {
            guard let (digits, exponent) = DecimalLiteral.exponent(bytes, from: position + 1, to: end) else {
                return nil
            }
            self.exponent = exponent
            position = digits.upperBound
        } else {
            exponent = 0
        }
        range = start..<position
    }

    /// Reads a literal that fills the range; `nil` if other bytes follow it.
    package init?(_ bytes: Span<UInt8>, in range: Range<Int>, point: UInt8 = UInt8(ascii: ".")) {
        self.init(bytes, from: range.lowerBound, to: range.upperBound, point: point)
        guard self.range.upperBound == range.upperBound else { return nil }
    }

    /// Whether it has neither point nor exponent.
    package var isInteger: Bool { !hasPoint && !hasExponent }

    /// The number times a power of ten, without its sign, rounded to the nearest whole number, halves up; `nil` for
    /// `limit` or more. Of the digits dropped, only the first one counts.
    /// - Parameters:
    ///   - decimals: the power of ten, at most 12.
    ///   - limit: ten times this must fit the type.
    func magnitude<Number: FixedWidthInteger>(
        _ bytes: Span<UInt8>, decimals: Int, below limit: Number
    ) -> Number? {
        if !hasExponent, whole.count <= 6, fraction.count <= min(decimals, 8) {
            var unit = 1
            for _ in fraction.count..<decimals { unit *= 10 }
            let part = bytes.number(ofDigits: fraction) * unit
            for _ in fraction { unit *= 10 }
            let number = Number(bytes.number(ofDigits: whole)) * Number(unit) + Number(part)
            return number < limit ? number : nil
        }
        // The power of ten of each digit.
        var power = whole.count - 1 + exponent + decimals
        var number: Number = 0
        for position in whole.lowerBound..<fraction.upperBound where position != whole.upperBound || !hasPoint {
            guard power >= -1 else { break }
            let digit = Number(bytes[position] &- UInt8(ascii: "0"))
            if power >= 0 { number = number * 10 + digit } else if digit >= 5 { number += 1 }
            guard number < limit else { return nil }
            power -= 1
        }
        while power >= 0, number > 0 {
            number *= 10
            guard number < limit else { return nil }
            power -= 1
        }
        return number
    }

    /// Degrees as whole microdegrees, without the sign; `nil` for `limit` or more.
    package func microdegrees(_ bytes: Span<UInt8>, below limit: Int) -> Int? {
        magnitude(bytes, decimals: 6, below: limit)
    }

    private static func exponent(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> (
        digits: Range<Int>, value: Int
    )? {
        guard start < end else { return nil }
        let isNegative = bytes[start] == UInt8(ascii: "-")
        let hasSign = isNegative || bytes[start] == UInt8(ascii: "+")
        let digits = bytes.digits(from: hasSign ? start + 1 : start, to: end)
        guard !digits.isEmpty else { return nil }
        var value = 0
        for position in digits { value = min(value * 10 + Int(bytes[position] &- UInt8(ascii: "0")), exponentLimit) }
        return (digits, isNegative ? -value : value)
    }
}

extension Span<UInt8> {
    /// The longest run of digits from `start`.
    @inline(__always)
    func digits(from start: Int, to end: Int) -> Range<Int> {
        var position = start
        while position < end, self[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        return Range(uncheckedBounds: (start, position))
    }

    /// The value of at most 18 digits; 0 for an empty range.
    @inline(__always)
    package func number(ofDigits range: Range<Int>) -> Int {
        if range.isEmpty { return 0 }
        if range.count <= 8, range.lowerBound + 8 <= count {
            return EightBytes(word: bytes.word(at: range.lowerBound)).number(ofDigits: range.count)
        }
        var number = 0
        for position in range { number = number * 10 + Int(self[position] &- UInt8(ascii: "0")) }
        return number
    }

    /// The range without the spaces and tabs around it.
    package func trimmingBlanks(_ range: Range<Int>) -> Range<Int> {
        range.trimming { self[$0] == UInt8(ascii: " ") || self[$0] == UInt8(ascii: "\t") }
    }
}
