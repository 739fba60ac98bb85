import PyramidTiles

/// One coordinate as people write it: degrees (`-73.97`, `73,97° W`), or degrees, minutes and seconds (`73°58'05.2"W`,
/// `W 73 58.0867`, `-73:58:05.2`), with a minus sign or a direction.
struct AngleText {
    enum Direction: UInt8 {
        case north = 0x4e  // N
        case south = 0x53
        case east = 0x45
        case west = 0x57
        /// The letter O: east in German, west in French, Italian, Portuguese and Spanish.
        case eastOrWest = 0x4f

        var isNegative: Bool { self == .south || self == .west }
        var axis: Axis { self == .north || self == .south ? .latitude : .longitude }
    }

    /// In microdegrees, at most ``DecimalDegrees/beyondRange``.
    private let magnitude: Int
    let hasMinus: Bool
    let direction: Direction?
    /// Whether the last byte is a digit or a point, so that a comma behind it may belong to the number.
    let endsInNumber: Bool
    /// Whether the degrees have decimals.
    let hasFraction: Bool

    static let hintAtO = "O is east in German and west in other languages: write E or W"

    /// In microdegrees; `nil` if the direction doesn't fit the axis or isn't clear, or if there is a minus sign too.
    func value(on axis: Axis) -> Int? {
        guard let direction else { return hasMinus ? -magnitude : magnitude }
        guard !hasMinus, direction.axis == axis, direction != .eastOrWest else { return nil }
        return direction.isNegative ? -magnitude : magnitude
    }

    /// Without its sign; `nil` if the text has another direction than this one.
    func magnitude(directed letter: Direction) -> Int? { direction == nil || direction == letter ? magnitude : nil }

    /// Consumes a coordinate; `nil` if there is none.
    /// - Parameter point: the byte of the decimal point.
    init?(_ cursor: inout TextCursor, in bytes: Span<UInt8>, point: UInt8) {
        // The shortest way for most of them.
        var next = cursor
        if let number = next.takeNumber(in: bytes, point: point), next.isAtSeparator(in: bytes) {
            magnitude = abs(DecimalDegrees.microdegrees(number, bytes))
            (hasMinus, direction, endsInNumber, hasFraction) = (number.isNegative, nil, true, !number.fraction.isEmpty)
            cursor = next
            return
        }
        let prefix = AngleText.takeDirection(&cursor, in: bytes)
        hasMinus = cursor.take("-", in: bytes) || cursor.take("\u{2212}", in: bytes)
        if !hasMinus, !cursor.take("+", in: bytes) { cursor.skipBlanks(bytes) }
        let start = cursor.position
        guard let degrees = cursor.takeNumber(in: bytes, point: point, isPlain: prefix != nil),
            degrees.range.lowerBound == start, degrees.whole.lowerBound == start
        else { return nil }
        var angle = Sexagesimal(degrees)
        var numberEnd = cursor.position
        let hasDegreeSign = AngleText.takeDegreeSign(&cursor, in: bytes)
        let afterDegrees = cursor
        var suffix: Direction?
        if degrees.isInteger {
            angle.takeMinutes(&cursor, in: bytes, point: point, afterSign: hasDegreeSign)
            if angle.minutes != nil { numberEnd = angle.last.range.upperBound }
        }
        if prefix == nil { suffix = AngleText.takeDirection(&cursor, in: bytes) }
        // `1 2` may be anything.
        if angle.needsDirection, prefix == nil, suffix == nil {
            cursor = afterDegrees
            angle = Sexagesimal(degrees)
            numberEnd = degrees.range.upperBound
        }
        magnitude = angle.microdegrees(bytes)
        direction = prefix ?? suffix
        hasFraction = !degrees.fraction.isEmpty
        endsInNumber = cursor.position == numberEnd
    }

    private static func takeDirection(_ cursor: inout TextCursor, in bytes: Span<UInt8>) -> Direction? {
        cursor.takeLetter(in: bytes) { Direction(rawValue: $0) != nil }.flatMap { Direction(rawValue: $0) }
    }

    /// Besides the degree sign, the signs that look like it, and words.
    fileprivate static func takeDegreeSign(_ cursor: inout TextCursor, in bytes: Span<UInt8>) -> Bool {
        cursor.takeAny(["°", "º", "˚"], in: bytes) || cursor.takeWord("DEGREES", in: bytes)
            || cursor.takeWord("DEG", in: bytes)
    }
}

/// Degrees, minutes and seconds. Only the last of them has a fraction.
private struct Sexagesimal {
    private let degrees: DecimalLiteral
    private(set) var minutes, seconds: DecimalLiteral?
    /// Whether only blanks separate the numbers.
    private(set) var needsDirection = false

    init(_ degrees: DecimalLiteral) { self.degrees = degrees }

    var last: DecimalLiteral { seconds ?? minutes ?? degrees }

    /// Consumes minutes, and seconds after them, if they come next.
    mutating func takeMinutes(
        _ cursor: inout TextCursor, in bytes: Span<UInt8>, point: UInt8, afterSign hasDegreeSign: Bool
    ) {
        let start = cursor
        let hasColon = !hasDegreeSign && cursor.take(":", in: bytes)
        guard hasDegreeSign || hasColon || cursor.takeBlanks(in: bytes),
            let minutes = Sexagesimal.takeSixtieth(&cursor, in: bytes, point: point),
            hasColon || !Sexagesimal.takeSecondSign(&cursor, in: bytes)
        else {
            cursor = start
            return
        }
        self.minutes = minutes
        let hasMinuteSign = !hasColon && Sexagesimal.takeMinuteSign(&cursor, in: bytes)
        needsDirection = !hasDegreeSign && !hasColon && !hasMinuteSign
        let afterMinutes = cursor
        guard minutes.isInteger,
            hasColon ? cursor.take(":", in: bytes) : cursor.takeBlanks(in: bytes) || hasMinuteSign,
            let seconds = Sexagesimal.takeSixtieth(&cursor, in: bytes, point: point)
        else {
            cursor = afterMinutes
            return
        }
        self.seconds = seconds
        if !hasColon { _ = Sexagesimal.takeSecondSign(&cursor, in: bytes) }
    }

    /// Consumes minutes or seconds: a number less than 60 that isn't the degrees of another coordinate.
    private static func takeSixtieth(
        _ cursor: inout TextCursor, in bytes: Span<UInt8>, point: UInt8
    ) -> DecimalLiteral? {
        guard let number = cursor.takeNumber(in: bytes, point: point, isPlain: true),
            (1...2).contains(number.whole.count),
            number.whole.lowerBound == number.range.lowerBound, bytes.number(ofDigits: number.whole) < 60
        else { return nil }
        var next = cursor
        return AngleText.takeDegreeSign(&next, in: bytes) ? nil : number
    }

    private static func takeMinuteSign(_ cursor: inout TextCursor, in bytes: Span<UInt8>) -> Bool {
        cursor.takeAny(["'", "′", "’", "‘", "´"], in: bytes)
    }

    private static func takeSecondSign(_ cursor: inout TextCursor, in bytes: Span<UInt8>) -> Bool {
        if cursor.takeAny(["\"", "″", "”", "“"], in: bytes) { return true }
        var next = cursor
        guard takeMinuteSign(&next, in: bytes), takeMinuteSign(&next, in: bytes) else { return false }
        cursor = next
        return true
    }

    /// The nearest microdegree, halves away from zero; at most ``DecimalDegrees/beyondRange``.
    func microdegrees(_ bytes: Span<UInt8>) -> Int {
        let limit = DecimalDegrees.beyondRange
        guard let minutes else { return degrees.microdegrees(bytes, below: limit) ?? limit }
        // Longer ones may begin with zeros, but nobody writes them.
        guard degrees.whole.count <= 4 else { return limit }
        let perDegree = 3_600_000_000
        var microseconds =
            bytes.number(ofDigits: degrees.whole) * perDegree + 60 * Sexagesimal.millionths(minutes, bytes)
        if let seconds { microseconds += Sexagesimal.millionths(seconds, bytes) }
        // A microdegree is 3,600 of these; the halves between are whole numbers, so that dropped decimals don't matter.
        return min((microseconds + 1_800) / 3_600, limit)
    }

    /// The number times a million, without further decimals.
    private static func millionths(_ number: DecimalLiteral, _ bytes: Span<UInt8>) -> Int {
        let decimals = number.fraction.prefix(6)
        var millionths = bytes.number(ofDigits: number.whole)
        for position in number.fraction.lowerBound..<number.fraction.lowerBound + 6 {
            let digit = decimals.contains(position) ? Int(bytes[position] &- UInt8(ascii: "0")) : 0
            millionths = millionths * 10 + digit
        }
        return millionths
    }
}
