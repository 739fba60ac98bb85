import PyramidTiles

/// One coordinate in the cells of several columns, or in a column whose name says how it is written. The cells are read as
/// one text: `40`, `42`, `46.1` and `N` as `40° 42' 46.1 N`.
struct AngleCells {
    private let axis: Axis
    private let power: Int
    /// The direction that the column's name or a cell states.
    private var letter: AngleText.Direction?
    private var isLetterInCell: Bool
    private let hasDirectionColumn: Bool
    /// Whether the degrees have no minutes beside them, so that their cell can have all of an angle.
    private let isAlone: Bool
    /// The numbers, with the signs of degrees and minutes between them.
    private var text: [UInt8] = []
    private var numberCount = 0
    /// All cells, with blanks between them.
    private(set) var shown: [UInt8] = []
    private var hasUnknownWord = false

    init(_ columns: AngleColumns, _ fields: [CSVField], of bytes: Span<UInt8>, _ axis: Axis) {
        (self.axis, power, letter) = (axis, columns.power, columns.letter)
        hasDirectionColumn = columns.hasDirection
        isLetterInCell = false
        isAlone = columns.columns.count == (columns.hasDirection ? 2 : 1)
        var cell: [UInt8] = []
        let cells = columns.columns
        var emptyCount = 0
        for index in cells.indices {
            bytes.unquote(fields[cells[index]], into: &cell)
            let range = cell.span.trimmingBlanks(cell.indices)
            guard !range.isEmpty else {
                if index == 0 { return }
                emptyCount += 1
                continue
            }
            if !shown.isEmpty { shown.append(UInt8(ascii: " ")) }
            shown += cell[range]
            let isDirection = columns.hasDirection && index == cells.count - 1
            if index > 0, isDirection || cell[range.lowerBound] > UInt8(ascii: "9") {
                isLetterInCell = true
                letter = CoordinateName.direction(String(decoding: cell[range], as: UTF8.self), on: axis)
                if letter == nil { hasUnknownWord = true }
            } else {
                // Minutes that are left out before seconds.
                for _ in 0..<emptyCount { append(zero) }
                emptyCount = 0
                append(cell[range])
            }
        }
    }

    private let zero = [UInt8(ascii: "0")][...]

    private mutating func append(_ number: ArraySlice<UInt8>) {
        if numberCount > 0 { text += numberCount == 1 ? "° ".utf8 : "' ".utf8 }
        // Signs are put between the numbers anyway, and spreadsheets write whole numbers as 40.0.
        var number = numberCount == 0 && isAlone ? number : number.dropLastSigns
        let zeros = number.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        if zeros > 0, let point = number.dropLast(zeros).last, point == UInt8(ascii: ".") || point == UInt8(ascii: ",")
        {
            number = number.dropLast(zeros + 1)
        }
        text += number
        numberCount += 1
    }

    /// - Parameter isPacked: becomes true if degrees and minutes are one number, as in NMEA's `4807.038`, `N`.
    /// - Returns: `nil` if the cells aren't a coordinate on the axis.
    func microdegrees(_ isPacked: inout Bool) -> Int? {
        guard power == 0 else { return scaled }
        if let packed {
            isPacked = true
            return AngleCells.value(of: packed).flatMap { directed($0, on: axis) }
        }
        guard !hasUnknownWord, !lacksDirection else { return nil }
        return AngleCells.value(of: text).flatMap { directed($0, on: axis) }
    }

    private static func value(of text: [UInt8]) -> AngleText? { DecimalDegrees.angle(text.span, text.indices) }

    private func directed(_ angle: AngleText, on axis: Axis) -> Int? {
        guard let letter else { return angle.value(on: axis) }
        guard let magnitude = angle.magnitude(directed: letter) else { return nil }
        // "°N" above a column says what is positive. A cell that says south of a negative number says the same twice.
        if angle.hasMinus { return letter.isNegative == isLetterInCell ? -magnitude : nil }
        return letter.isNegative ? -magnitude : magnitude
    }

    /// Whether a direction column says nothing of a number that isn't zero and has no sign.
    private var lacksDirection: Bool {
        guard hasDirectionColumn, letter == nil, let angle = AngleCells.value(of: text) else { return false }
        return angle.direction == nil && !angle.hasMinus && angle.value(on: axis) != 0
    }

    /// The degrees and minutes of a number without anything between them: four digits before the point in latitudes,
    /// five in longitudes (NMEA 0183). Only beside a direction.
    private var packed: [UInt8]? {
        let digits = text.prefix { $0 &- UInt8(ascii: "0") < 10 }.count
        guard isLetterInCell, numberCount == 1, digits == (axis == .latitude ? 4 : 5) else { return nil }
        return text[..<(digits - 2)] + Array("° ".utf8) + text[(digits - 2)...]
    }

    /// Degrees times a power of ten, in whole numbers.
    private var scaled: Int? {
        guard let number = DecimalLiteral(text.span, in: text.indices), number.isInteger else { return nil }
        guard number.whole.count <= 12 else { return DecimalDegrees.beyondRange }
        var value = text.span.number(ofDigits: number.whole)
        for _ in 0..<max(6 - power, 0) { value *= 10 }
        if power > 6 { value = (value + 5) / 10 }
        value = min(value, DecimalDegrees.beyondRange)
        return number.isNegative ? -value : value
    }

    /// Why the cells aren't a coordinate, as a clause for a message.
    var hint: String? {
        if hasUnknownWord { return axis == .latitude ? "its direction is not N or S" : "its direction is not E or W" }
        if lacksDirection { return "its direction is missing" }
        if power > 0 { return "its column has whole numbers, degrees times 10^\(power)" }
        guard let angle = AngleCells.value(of: text) else { return nil }
        return angle.hasMinus && letter != nil ? "it has both a minus sign and a direction" : nil
    }
}

extension ArraySlice<UInt8> {
    /// Without the signs of degrees, minutes and seconds at its end.
    fileprivate var dropLastSigns: ArraySlice<UInt8> {
        for sign in ["°", "'", "\"", "′", "″"] where Array(suffix(sign.utf8.count)) == Array(sign.utf8) {
            return dropLast(sign.utf8.count).dropLastSigns
        }
        return self
    }
}
