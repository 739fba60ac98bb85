/// A decimal number with 12 decimals, exact, whose sums do not depend on their order.
public struct FixedDecimal: Hashable, Comparable, Sendable {
    /// The number times 10¹².
    public let scaled: Int128

    private static let decimals = 12
    private static let one: Int128 = 1_000_000_000_000
    /// Numbers are below 10¹⁵, so that four billion of them can be added up.
    private static let limit: Int128 = 1_000_000_000_000_000 * one

    public init(scaled: Int128) { self.scaled = scaled }

    /// The largest weight of a point.
    public static let weightLimit = 1_000_000_000

    /// The number as the weight of a point; `nil` where it is no whole number from 0 to ``weightLimit``.
    public var pointWeight: UInt32? {
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: FixedDecimal.one)
        return rest == 0 && (0...Int128(FixedDecimal.weightLimit)).contains(whole) ? UInt32(whole) : nil
    }

    public static let zero = FixedDecimal(scaled: 0)

    package init(_ whole: Int) { scaled = Int128(whole) * FixedDecimal.one }

    /// Reads `[+-] digits [. digits] [e [+-] digits]` with blanks around it; what is beyond 12 decimals is rounded, halves
    /// away from zero. `nil` for any other text, and for numbers from 10¹⁵ on.
    public init?(_ text: UnsafeRawBufferPointer) {
        self.init(text, below: FixedDecimal.limit)
    }

    /// The same for a sum of such numbers, which can be four billion times as large.
    package init?(sum text: UnsafeRawBufferPointer) {
        self.init(text, below: FixedDecimal.limit << 32)
    }

    private init?(_ text: UnsafeRawBufferPointer, below limit: Int128) {
        var (start, end) = (0, text.count)
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        while start < end, isBlank(text[start]) { start += 1 }
        while start < end, isBlank(text[end - 1]) { end -= 1 }
        guard start < end else { return nil }
        let isNegative = text[start] == UInt8(ascii: "-")
        if isNegative || text[start] == UInt8(ascii: "+") { start += 1 }

        // Digits as they stand, up to the first that is certain not to matter, and the place of the last of them.
        var digits: Int128 = 0
        var place = 0
        var digitCount = 0
        var isBehindPoint = false
        while start < end {
            let byte = text[start]
            if byte == UInt8(ascii: "."), !isBehindPoint {
                isBehindPoint = true
            } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                digitCount += 1
                if digits < limit {
                    digits = digits * 10 + Int128(byte - UInt8(ascii: "0"))
                    if isBehindPoint { place -= 1 }
                } else if !isBehindPoint {
                    place += 1
                }
            } else {
                break
            }
            start += 1
        }
        guard digitCount > 0 else { return nil }
        if start < end {
            guard let exponent = FixedDecimal.exponent(UnsafeRawBufferPointer(rebasing: text[start..<end])) else {
                return nil
            }
            place += exponent
        }
        guard let scaled = FixedDecimal.shifted(digits, by: place + FixedDecimal.decimals, below: limit) else {
            return nil
        }
        self.scaled = isNegative ? -scaled : scaled
    }

    public static func < (left: FixedDecimal, right: FixedDecimal) -> Bool { left.scaled < right.scaled }

    /// The sum; it can't overflow for numbers that were read.
    public static func + (left: FixedDecimal, right: FixedDecimal) -> FixedDecimal {
        FixedDecimal(scaled: left.scaled &+ right.scaled)
    }

    /// The nearest to the quotient, halves away from zero.
    public func divided(by count: Int) -> FixedDecimal {
        let half = Int128(count / 2)
        return FixedDecimal(scaled: (scaled + (scaled < 0 ? -half : half)) / Int128(count))
    }

    /// `digits` times a power of ten, rounded; `nil` from the limit on.
    private static func shifted(_ digits: Int128, by places: Int, below limit: Int128) -> Int128? {
        var number = digits
        if places >= 0 {
            for _ in 0..<min(places, 64) where number > 0 {
                if number >= limit / 10 { return nil }
                number *= 10
            }
        } else {
            for step in 0..<min(-places, 64) {
                // Only the last digit that is dropped decides, or a carry would be rounded twice.
                let isLast = step == min(-places, 64) - 1
                number = (number + (isLast ? 5 : 0)) / 10
            }
        }
        return number < limit ? number : nil
    }

    private static func exponent(_ text: UnsafeRawBufferPointer) -> Int? {
        guard text.count >= 2, text[0] | 0x20 == UInt8(ascii: "e") else { return nil }
        var index = 1
        let isNegative = text[1] == UInt8(ascii: "-")
        if isNegative || text[1] == UInt8(ascii: "+") { index += 1 }
        guard index < text.count else { return nil }
        var value = 0
        for byte in text[index...] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000)
        }
        return isNegative ? -value : value
    }
}

extension FixedDecimal: CustomStringConvertible {
    public init?(_ text: String) {
        var text = text
        guard let value = text.withUTF8({ FixedDecimal(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = value
    }

    /// A JSON number without zeros at the end.
    public var description: String {
        let magnitude = scaled.magnitude
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: UInt128(FixedDecimal.one))
        var decimals = String(rest)
        decimals = String(repeating: "0", count: FixedDecimal.decimals - decimals.count) + decimals
        while decimals.last == "0" { decimals.removeLast() }
        return (scaled < 0 ? "-" : "") + "\(whole)" + (decimals.isEmpty ? "" : ".\(decimals)")
    }
}
