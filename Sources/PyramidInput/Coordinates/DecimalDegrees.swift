import PyramidTiles

/// Reads degrees as whole microdegrees, exactly, for any number of digits: the nearest microdegree, halves rounded away
/// from zero.
enum DecimalDegrees {
    /// The result for any number farther from zero than this.
    static let beyondRange = 1_000_000_000

    /// Microdegrees, at most ``beyondRange`` from zero; `nil` if the text isn't a decimal number.
    /// - Parameter range: the text, without blanks around it.
    static func microdegrees(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        DecimalLiteral(bytes, in: range).map { microdegrees($0, bytes) }
    }

    @inline(__always)
    static func microdegrees(_ number: DecimalLiteral, _ bytes: Span<UInt8>) -> Int {
        let magnitude = number.microdegrees(bytes, below: beyondRange) ?? beyondRange
        return number.isNegative ? -magnitude : magnitude
    }

    /// A binary fraction as microdegrees; `nil` if it isn't finite.
    static func microdegrees(_ degrees: Double) -> Int? {
        guard degrees.isFinite else { return nil }
        let sign = degrees < 0 ? -1 : 1
        guard degrees.magnitude < 1_000 else { return sign * beyondRange }
        // The number is the significand divided by a power of two.
        let power = 1_075 - Int(degrees.exponentBitPattern)
        let significand = UInt128(degrees.significandBitPattern | 1 << 52)
        // The product is less than half of greater powers.
        guard power < 75 else { return 0 }
        let microdegrees = (significand * 1_000_000 + 1 << (power - 1)) >> power
        return sign * Int(microdegrees)
    }

    /// Whether coordinates out of range would be in range if swapped; in microdegrees.
    static func areSwapped(latitude: Int, longitude: Int) -> Bool {
        abs(latitude) > Axis.latitude.limitMicrodegrees && abs(latitude) <= Axis.longitude.limitMicrodegrees
            && abs(longitude) <= Axis.latitude.limitMicrodegrees
    }
}

/// One of the two numbers of a coordinate.
package enum Axis: String, Sendable {
    case longitude, latitude

    /// The greatest allowed distance from zero.
    var limitMicrodegrees: Int { self == .longitude ? 180_000_000 : 90_000_000 }

    /// For messages.
    package var expected: String { self == .longitude ? "degrees from -180 to 180" : "degrees from -90 to 90" }
}
