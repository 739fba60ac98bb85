import PyramidTiles

/// Both coordinates of a point in one CSV cell: `48.1, 11.5` (latitude first), with or without brackets, or WKT
/// (`POINT (11.5 48.1)`, longitude first), also with PostGIS's prefix (`SRID=4326;POINT(11.5 48.1)`).
struct PointText {
    /// In microdegrees, at most ``DecimalDegrees/beyondRange`` from zero.
    let longitude, latitude: Int

    static let expected = "\"latitude, longitude\" or \"POINT (longitude latitude)\""

    /// `nil` if the text is neither.
    /// - Parameter range: the text, without blanks around it.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        var cursor = Cursor(position: range.lowerBound, end: range.upperBound)
        guard let isWKT = cursor.takeStart(in: bytes) else { return nil }
        var close: Unicode.Scalar?
        if cursor.take("(", in: bytes) { close = ")" } else if cursor.take("[", in: bytes) { close = "]" }
        guard !isWKT || close == ")", let first = cursor.number(in: bytes) else { return nil }
        let isBlank = cursor.takeBlank(in: bytes)
        let isSeparated = !isWKT && (cursor.take(",", in: bytes) || cursor.take(";", in: bytes))
        guard isBlank || isSeparated, let second = cursor.number(in: bytes) else { return nil }
        // An altitude, a measure, or both.
        while isWKT, cursor.takeBlank(in: bytes), cursor.number(in: bytes) != nil {}
        if let close { guard cursor.take(close, in: bytes) else { return nil } }
        guard cursor.isAtEnd(in: bytes) else { return nil }
        (longitude, latitude) = isWKT ? (first, second) : (second, first)
    }

    /// Whether a text that is not a point means "no point": an empty text, or `POINT EMPTY`, which PostGIS and
    /// geopandas write.
    static func isMissing(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var cursor = Cursor(position: range.lowerBound, end: range.upperBound)
        if cursor.isAtEnd(in: bytes) { return true }
        return cursor.takeStart(in: bytes) == true && cursor.takeWord("EMPTY", in: bytes) && cursor.isAtEnd(in: bytes)
    }

    /// Consumes a text piece by piece, with any blanks before each piece.
    private struct Cursor {
        var position: Int
        let end: Int

        /// Consumes the text before the brackets of WKT.
        /// - Returns: whether it is WKT; `nil` for any other coordinate system, which would need a conversion.
        mutating func takeStart(in bytes: Span<UInt8>) -> Bool? {
            if takeWord("SRID", in: bytes) {
                guard take("=", in: bytes), takeWord("4326", in: bytes), take(";", in: bytes) else { return nil }
            }
            guard takeWord("POINT", in: bytes) else { return false }
            // "Z", "M" or "ZM".
            _ = takeWord("Z", in: bytes)
            _ = takeWord("M", in: bytes)
            return true
        }

        mutating func takeBlank(in bytes: Span<UInt8>) -> Bool {
            let start = position
            skipBlanks(bytes)
            return position > start
        }

        mutating func take(_ scalar: Unicode.Scalar, in bytes: Span<UInt8>) -> Bool {
            skipBlanks(bytes)
            guard position < end, bytes[position] == UInt8(ascii: scalar) else { return false }
            position += 1
            return true
        }

        /// - Parameter word: in upper case; any case matches.
        mutating func takeWord(_ word: StaticString, in bytes: Span<UInt8>) -> Bool {
            skipBlanks(bytes)
            guard end - position >= word.utf8CodeUnitCount else { return false }
            for index in 0..<word.utf8CodeUnitCount {
                let (byte, letter) = (bytes[position + index], word.utf8Start[index])
                guard byte == letter || letter >= UInt8(ascii: "A") && byte == letter | 0x20 else { return false }
            }
            position += word.utf8CodeUnitCount
            return true
        }

        mutating func number(in bytes: Span<UInt8>) -> Int? {
            skipBlanks(bytes)
            guard let number = DecimalLiteral(bytes, from: position, to: end) else { return nil }
            position = number.range.upperBound
            return DecimalDegrees.microdegrees(number, bytes)
        }

        mutating func isAtEnd(in bytes: Span<UInt8>) -> Bool {
            skipBlanks(bytes)
            return position == end
        }

        private mutating func skipBlanks(_ bytes: Span<UInt8>) {
            while position < end, bytes[position] == UInt8(ascii: " ") || bytes[position] == UInt8(ascii: "\t") {
                position += 1
            }
        }
    }
}
