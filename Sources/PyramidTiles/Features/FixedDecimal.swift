/// An exact decimal number with 12 decimals, so sums don't depend on the order of adding.
public struct FixedDecimal: Hashable, Comparable, Sendable {
    /// The number times 10¹².
    public let scaled: Int128

    private static let decimals = 12
    private static let one: Int128 = 1_000_000_000_000
    /// Numbers are less than 10¹⁵, so four billion of them can be added up.
    private static let limit: Int128 = 1_000_000_000_000_000 * one

    public init(scaled: Int128) { self.scaled = scaled }

    /// The largest weight of a point.
    public static let weightLimit = 1_000_000_000

    /// The number as a point's weight; `nil` unless it is a whole number from 0 to ``weightLimit``.
    public var pointWeight: UInt32? {
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: FixedDecimal.one)
        return rest == 0 && (0...Int128(FixedDecimal.weightLimit)).contains(whole) ? UInt32(whole) : nil
    }

    public static let zero = FixedDecimal(scaled: 0)

    package init(_ whole: Int) { scaled = Int128(whole) * FixedDecimal.one }

    /// Reads a number as JSON writes it, rounded to 12 decimals, halves away from zero. `nil` for any other text, and for
    /// numbers of 10¹⁵ or more.
    public init?(_ text: UnsafeRawBufferPointer) {
        self.init(text, below: FixedDecimal.limit)
    }

    /// Reads a sum of such numbers, which can be four billion times as large.
    package init?(sum text: UnsafeRawBufferPointer) {
        self.init(text, below: FixedDecimal.limit << 32)
    }

    /// Whether it can be a sum of `count` numbers.
    package func isSum(ofNumbers count: Int) -> Bool {
        scaled.magnitude <= FixedDecimal.limit.magnitude * UInt128(count)
    }

    private init?(_ text: UnsafeRawBufferPointer, below limit: Int128) {
        let bytes = text.assumingMemoryBound(to: UInt8.self).span
        guard let number = DecimalLiteral(bytes, in: 0..<bytes.count), number.isJSON(bytes),
            let magnitude = number.magnitude(bytes, decimals: FixedDecimal.decimals, below: limit)
        else { return nil }
        scaled = number.isNegative ? -magnitude : magnitude
    }

    public static func < (left: FixedDecimal, right: FixedDecimal) -> Bool { left.scaled < right.scaled }

    /// The sum, which can't overflow if all numbers were read from text.
    public static func + (left: FixedDecimal, right: FixedDecimal) -> FixedDecimal {
        FixedDecimal(scaled: left.scaled &+ right.scaled)
    }

    /// The quotient, rounded to the nearest, halves away from zero.
    public func divided(by count: Int) -> FixedDecimal {
        let half = Int128(count / 2)
        return FixedDecimal(scaled: (scaled + (scaled < 0 ? -half : half)) / Int128(count))
    }
}

extension FixedDecimal: CustomStringConvertible {
    public init?(_ text: String) {
        var text = text
        guard let value = text.withUTF8({ FixedDecimal(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = value
    }

    package init?(sum text: String) {
        var text = text
        guard let value = text.withUTF8({ FixedDecimal(sum: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = value
    }

    /// A JSON number without needless zeros at the end.
    public var description: String {
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt128(FixedDecimal.one))
        let sign = scaled < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        var (digits, count) = (UInt64(rest), FixedDecimal.decimals)
        while digits % 10 == 0 { (digits, count) = (digits / 10, count - 1) }
        let text = String(digits)
        return "\(sign)\(whole).\(String(repeating: "0", count: count - text.count))\(text)"
    }
}
