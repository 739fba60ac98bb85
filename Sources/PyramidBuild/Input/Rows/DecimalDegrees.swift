import PyramidTiles

/// Reads decimal degrees as whole microdegrees, exactly, for any number of digits: the nearest microdegree, halves
/// rounded away from zero.
enum DecimalDegrees {
    /// The result for any number farther from zero than this.
    static let beyondRange = 1_000_000_000

    /// Microdegrees, at most ``beyondRange`` from zero; `nil` if the text isn't a decimal number.
    /// - Parameters:
    ///   - range: the text, without blanks around it.
    ///   - allowsComma: whether the decimal point may be a comma.
    static func microdegrees(_ bytes: Span<UInt8>, _ range: Range<Int>, allowsComma: Bool = false) -> Int? {
        if let number = DecimalLiteral(bytes, in: range) { return microdegrees(number, bytes) }
        guard allowsComma, let number = DecimalLiteral(bytes, in: range, point: UInt8(ascii: ",")) else { return nil }
        return microdegrees(number, bytes)
    }

    @inline(__always)
    static func microdegrees(_ number: DecimalLiteral, _ bytes: Span<UInt8>) -> Int {
        let magnitude = number.microdegrees(bytes, below: beyondRange) ?? beyondRange
        return number.isNegative ? -magnitude : magnitude
    }

    /// Whether coordinates out of range would be in range if swapped; in microdegrees.
    static func areSwapped(latitude: Int?, longitude: Int?) -> Bool {
        guard let latitude, let longitude else { return false }
        return abs(latitude) > Axis.latitude.limitMicrodegrees && abs(latitude) <= Axis.longitude.limitMicrodegrees
            && abs(longitude) <= Axis.latitude.limitMicrodegrees
    }
}

/// One of the two numbers of a coordinate.
enum Axis: String, Sendable {
    case longitude, latitude

    /// The greatest allowed distance from zero.
    var limitMicrodegrees: Int { self == .longitude ? 180_000_000 : 90_000_000 }

    /// For messages.
    var expected: String { self == .longitude ? "degrees from -180 to 180" : "degrees from -90 to 90" }
}
