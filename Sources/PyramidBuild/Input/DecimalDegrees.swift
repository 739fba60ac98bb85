/// Reads degrees in decimal notation as whole microdegrees, exactly.
///
/// `[+-] digits [. digits] [e [+-] digits]` with at least one digit before the exponent, spaces and tabs around it. The
/// result is the nearest microdegree, halves away from zero, however many digits there are: only the first digit that
/// is dropped decides. No locale, no binary fraction.
enum DecimalDegrees {
    /// Stands for everything that is further from zero than any coordinate.
    static let beyondRange: Int64 = 1_000_000_000

    /// The range without the blanks around it.
    static func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while start < end, isBlank(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Microdegrees, at most ``beyondRange`` from zero; `nil` where the text is no number in decimal notation.
    /// - Parameter range: the text without blanks around it.
    static func microdegrees(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        var position = range.lowerBound
        let end = range.upperBound
        guard position < end else { return nil }
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative || bytes[position] == UInt8(ascii: "+") { position += 1 }

        let digitsStart = position
        var value: Int64 = 0
        while position < end, let digit = digit(bytes[position]) {
            if value < beyondRange { value = value * 10 + digit }
            position += 1
        }
        var digitCount = position - digitsStart
        value = min(value, 1_000) * 1_000_000
        let pointPlace = position
        if position < end, bytes[position] == UInt8(ascii: ".") {
            position += 1
            let decimalsStart = position
            if let decimals = sixDecimals(bytes, position..<end) {
                value += decimals
                position = end
            }
            var unit: Int64 = 100_000
            var isRoundedUp = false
            while position < end, let digit = digit(bytes[position]) {
                if unit > 0 { value += digit * unit } else { isRoundedUp = isRoundedUp || digit >= 5 }
                if unit == 0 { break }
                unit /= 10
                position += 1
            }
            if isRoundedUp { value += 1 }
            while position < end, digit(bytes[position]) != nil { position += 1 }
            digitCount += position - decimalsStart
        }
        guard digitCount > 0 else { return nil }
        if position < end {
            guard let exponent = exponent(bytes, position..<end) else { return nil }
            value = scaled(bytes, digitsStart..<position, pointPlace: pointPlace, exponent: exponent)
        }
        value = min(value, beyondRange)
        return isNegative ? -value : value
    }

    /// The number that up to six digits behind the point make, in millionths; `nil` where it takes another look.
    @inline(__always)
    private static func sixDecimals(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        guard (1...6).contains(range.count), range.lowerBound + 8 <= bytes.count,
            let decimals = EightBytes(word: bytes.bytes.word(at: range.lowerBound)).digits(range.count).decimal
        else { return nil }
        return Int64(decimals / 100)
    }

    /// Whether coordinates that are out of range would not be if they were swapped; in microdegrees.
    static func areSwapped(latitude: Int64?, longitude: Int64?) -> Bool {
        guard let latitude, let longitude else { return false }
        return abs(latitude) > Axis.latitude.limitMicrodegrees && abs(latitude) <= Axis.longitude.limitMicrodegrees
            && abs(longitude) <= Axis.latitude.limitMicrodegrees
    }

    /// The number after an `e`, as far as it matters: no row has that many digits.
    private static func exponent(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var position = range.lowerBound
        guard bytes[position] | 0x20 == UInt8(ascii: "e") else { return nil }
        position += 1
        guard position < range.upperBound else { return nil }
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative || bytes[position] == UInt8(ascii: "+") { position += 1 }
        guard position < range.upperBound else { return nil }
        var value = 0
        while position < range.upperBound {
            guard let digit = digit(bytes[position]) else { return nil }
            value = min(value * 10 + Int(digit), 1_000_000_000)
            position += 1
        }
        return isNegative ? -value : value
    }

    /// The digits read again with the decimal point moved.
    private static func scaled(
        _ bytes: Span<UInt8>, _ range: Range<Int>, pointPlace: Int, exponent: Int
    ) -> Int64 {
        // Each digit's power of ten, in microdegrees.
        var power = pointPlace - range.lowerBound - 1 + exponent + 6
        var value: Int64 = 0
        for position in range {
            guard let digit = digit(bytes[position]) else { continue }
            if power >= 0 {
                value = value * 10 + digit
                if value > beyondRange { return beyondRange }
            } else if power == -1, digit >= 5 {
                value += 1
            }
            power -= 1
            if power < -1 { return value }
        }
        while power >= 0, value > 0 {
            value *= 10
            if value > beyondRange { return beyondRange }
            power -= 1
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        let value = byte &- UInt8(ascii: "0")
        return value < 10 ? Int64(value) : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
