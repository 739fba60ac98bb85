import PyramidTiles

/// One coordinate in a cell, in any notation.
extension DecimalDegrees {
    /// Microdegrees, at most ``beyondRange`` from zero; `nil` if the text isn't a coordinate on the axis.
    ///
    /// Besides decimal numbers, whose point may be a comma, it reads all that ``AngleText`` does.
    /// - Parameter range: the text, without spaces and tabs around it.
    @inline(__always)
    static func microdegrees(_ bytes: Span<UInt8>, _ range: Range<Int>, axis: Axis) -> Int? {
        if let number = DecimalLiteral(bytes, in: range) { return microdegrees(number, bytes) }
        return angle(bytes, withoutFormula(bytes, range))?.value(on: axis)
    }

    /// The text within `="48.1374"`, by which spreadsheets keep a number as it is.
    private static func withoutFormula(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        let quote = UInt8(ascii: "\"")
        guard range.count > 3, bytes[range.lowerBound] == UInt8(ascii: "="), bytes[range.lowerBound + 1] == quote,
            bytes[range.upperBound - 1] == quote
        else { return range }
        return range.lowerBound + 2..<range.upperBound - 1
    }

    /// Whether a cell says that there is no coordinate: it is empty, or has one of the words that databases, data frames
    /// and spreadsheets write then. A pair has two of them, perhaps in brackets.
    static func isMissing(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var cursor = TextCursor(range)
        if cursor.isAtEnd(in: bytes) { return true }
        guard cursor.end - cursor.position <= longestMissing else { return false }
        var words = String(decoding: (cursor.position..<cursor.end).map { bytes[$0] }, as: UTF8.self).lowercased()
            .filter { !$0.isWhitespace }[...]
        if words.hasPrefix("(") && words.hasSuffix(")") || words.hasPrefix("[") && words.hasSuffix("]") {
            words = words.dropFirst().dropLast()
        }
        let pair = words.split(separator: ",", omittingEmptySubsequences: false)
        return pair.count <= 2 && pair.allSatisfy { ColumnNames.missing.contains(String($0)) }
    }

    /// More bytes than such a cell has.
    private static let longestMissing = 64

    /// Why a text isn't a coordinate on the axis although it looks like one, as a clause for a message.
    static func hint(_ bytes: Span<UInt8>, _ range: Range<Int>, axis: Axis) -> String? {
        guard let angle = angle(bytes, range), let direction = angle.direction else { return nil }
        if direction == .eastOrWest { return AngleText.hintAtO }
        if angle.hasMinus { return "it has both a minus sign and a direction" }
        guard direction.axis != axis else { return nil }
        return axis == .latitude ? "E and W are for longitudes" : "N and S are for latitudes"
    }

    @inline(never)
    static func angle(_ bytes: Span<UInt8>, _ range: Range<Int>) -> AngleText? {
        angle(bytes, range, point: UInt8(ascii: ".")) ?? angle(bytes, range, point: UInt8(ascii: ","))
    }

    private static func angle(_ bytes: Span<UInt8>, _ range: Range<Int>, point: UInt8) -> AngleText? {
        var cursor = TextCursor(range)
        let angle = AngleText(&cursor, in: bytes, point: point)
        return cursor.isAtEnd(in: bytes) ? angle : nil
    }
}
