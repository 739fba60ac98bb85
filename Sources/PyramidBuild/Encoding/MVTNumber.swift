import PyramidTiles

/// A number in one of the types of MVT.
enum MVTNumber {
    case unsigned(UInt64)
    /// Less than 0.
    case negative(Int64)
    case double(Double)
    /// Not a number that a double can hold.
    case none

    private static let one: Int128 = 1_000_000_000_000
    /// Whole numbers of this many digits and powers of ten up to 10²² are exact as doubles, so their quotient is the double
    /// nearest to the number.
    private static let exactDigits = 15

    /// Reads a JSON number. `5`, `5.0` and `5e0` are the same whole number, if 64 bits can hold it; other numbers become
    /// the nearest double.
    init(_ text: UnsafeRawBufferPointer) {
        let bytes = text.assumingMemoryBound(to: UInt8.self).span
        guard let number = DecimalLiteral(bytes, in: 0..<bytes.count) else {
            self = .none
            return
        }
        if number.isInteger, number.whole.count <= 18 {
            self.init(magnitude: UInt64(bytes.number(ofDigits: number.whole)), isNegative: number.isNegative)
            return
        }
        guard let digits = SignificantDigits(number, bytes) else {
            self = .unsigned(0)
            return
        }
        if digits.wholeCount >= digits.count, digits.wholeCount <= 20,
            let magnitude = MVTNumber.magnitude(digits, bytes),
            !number.isNegative || magnitude <= Int64.min.magnitude
        {
            self.init(magnitude: magnitude, isNegative: number.isNegative)
            return
        }
        let decimals = digits.count - digits.wholeCount
        if digits.count <= MVTNumber.exactDigits, (1...22).contains(decimals) {
            var significand = 0
            for position in digits.range where bytes[position] != UInt8(ascii: ".") {
                significand = significand * 10 + Int(bytes[position] &- UInt8(ascii: "0"))
            }
            let value = Double(significand) / MVTNumber.powersOfTen[decimals]
            self = .double(number.isNegative ? -value : value)
            return
        }
        let value = bytes.double(number)
        self = value.isFinite ? .double(value) : .none
    }

    init(_ number: FixedDecimal) {
        let (whole, rest) = number.scaled.quotientAndRemainder(dividingBy: MVTNumber.one)
        if rest == 0, let magnitude = UInt64(exactly: whole.magnitude), whole >= Int128(Int64.min) {
            self.init(magnitude: magnitude, isNegative: whole < 0)
        } else if number.scaled.magnitude < 1 << 53 {
            self = .double(Double(number.scaled) / 1e12)
        } else {
            self = Double(number.description).map { .double($0) } ?? .none
        }
    }

    private init(magnitude: UInt64, isNegative: Bool) {
        self = isNegative && magnitude > 0 ? .negative(Int64(truncatingIfNeeded: 0 &- magnitude)) : .unsigned(magnitude)
    }

    /// The whole number of these digits; `nil` if it is too large.
    private static func magnitude(_ digits: SignificantDigits, _ bytes: Span<UInt8>) -> UInt64? {
        var magnitude: UInt64 = 0
        func append(_ digit: UInt64) -> Bool {
            let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, isTooLarge) = product.addingReportingOverflow(digit)
            magnitude = sum
            return !overflows && !isTooLarge
        }
        for position in digits.range where bytes[position] != UInt8(ascii: ".") {
            guard append(UInt64(bytes[position] &- UInt8(ascii: "0"))) else { return nil }
        }
        for _ in digits.count..<digits.wholeCount { guard append(0) else { return nil } }
        return magnitude
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
