import PyramidTiles

/// One coordinate in the cells of several columns, or in a column whose name says how it is written. The cells are read as
/// one text: `40`, `42`, `46.1` and `N` as `40° 42' 46.1 N`.
struct AngleCells {
    private let axis: Axis
    private let power: Int
    private let hasDirectionColumn: Bool
    /// The direction that the column's name or a cell states.
    private var letter: AngleText.Direction?
    private var isLetterInCell = false
    /// A cell where a direction of the axis is expected, but that says something else.
    private var unknownWord: String?
    /// Whether a cell and the column's name state different directions.
    private var contradictsName = false
    /// The numbers, with the signs of degrees and minutes between them.
    private var text: [UInt8] = []
    private var numberCount = 0
    /// All cells, with blanks between them.
    private(set) var shown: [UInt8] = []

    /// - Parameter cell: the text of a column.
    init(_ columns: AngleColumns, on axis: Axis, cell: (_ column: Int) -> [UInt8]) {
        (self.axis, power, letter, hasDirectionColumn) = (axis, columns.power, columns.letter, columns.hasDirection)
        let cells = columns.columns.map { column in
            let cell = cell(column)
            return cell[cell.span.trimmingBlanks(cell.indices)]
        }
        shown = Array(cells.filter { !$0.isEmpty }.joined(separator: " ".utf8))
        // Degrees without minutes beside them can have all of an angle.
        let isAlone = cells.count == (hasDirectionColumn ? 2 : 1)
        var numbers: [ArraySlice<UInt8>] = []
        // "48 N" beside minutes.
        let letters =
            isAlone ? [] : Array(cells[0].reversed().prefix { $0 > UInt8(ascii: "9") && $0 < 0x80 }.reversed())
        for (index, cell) in cells.enumerated() {
            let isDirection = hasDirectionColumn && index == cells.count - 1
            let isWord = cell.withoutMinus == nil && cell.first.map { $0 > UInt8(ascii: "9") } ?? false
            guard isDirection || index > 0 && isWord else {
                let number = index == 0 ? cell.dropLast(letters.count) : cell
                numbers.append(
                    (isAlone ? number : number[cell.span.trimmingBlanks(number.indices)].withoutSigns).withoutZeros)
                continue
            }
            let word = String(decoding: cell, as: UTF8.self)
            guard let direction = CoordinateName.direction(word), direction.axis == axis, direction != .eastOrWest
            else {
                if !isDirection || !ColumnNames.missing.contains(word.lowercased()) { unknownWord = word }
                continue
            }
            contradictsName = letter.map { $0 != direction } ?? false
            (letter, isLetterInCell) = (direction, true)
        }
        AngleCells.joinSigns(&numbers)
        guard numbers.first?.isEmpty == false else { return }
        // Minutes can be left out before seconds.
        while numbers.last?.isEmpty == true { numbers.removeLast() }
        numberCount = numbers.count
        for (number, separator) in zip(numbers, ["", "° ", "' ", "' "]) {
            text += separator.utf8
            text += number.isEmpty ? [UInt8(ascii: "0")][...] : number
        }
        text += letters
    }

    /// Moves minus signs of minutes and seconds, as formulas repeat them, to the degrees.
    private static func joinSigns(_ numbers: inout [ArraySlice<UInt8>]) {
        let zero = [UInt8(ascii: "0")][...]
        let unsigned = numbers.map(\.withoutMinus)
        guard let first = numbers.first, unsigned[0] != nil || first == zero,
            unsigned.dropFirst().contains(where: { $0 != nil }),
            zip(numbers, unsigned).dropFirst().allSatisfy({ $1 != nil || $0.isEmpty || $0 == zero })
        else { return }
        numbers = zip(numbers, unsigned).map { $1 ?? $0 }
        numbers[0] = [UInt8(ascii: "-")] + numbers[0]
    }

    init(_ columns: AngleColumns, _ fields: [CSVField], of bytes: Span<UInt8>, _ axis: Axis) {
        self.init(columns, on: axis) { column in
            var cell: [UInt8] = []
            bytes.unquote(fields[column], into: &cell)
            return cell
        }
    }

    /// In microdegrees, and whether degrees and minutes are one number, as in NMEA's `4807.038`, `N`; `nil` if the cells
    /// aren't a coordinate on the axis.
    var value: (microdegrees: Int, isPacked: Bool)? {
        guard unknownWord == nil, !contradictsName, !lacksDirection else { return nil }
        if power > 0 { return scaled.flatMap { directed(abs($0), hasMinus: $0 < 0) }.map { ($0, false) } }
        let packed = packed
        guard let angle = AngleCells.angle(packed ?? text) else { return nil }
        guard let letter else { return angle.value(on: axis).map { ($0, false) } }
        return angle.magnitude(directed: letter).flatMap { directed($0, hasMinus: angle.hasMinus) }
            .map { ($0, packed != nil) }
    }

    private static func angle(_ text: [UInt8]) -> AngleText? { DecimalDegrees.angle(text.span, text.indices) }

    private func directed(_ magnitude: Int, hasMinus: Bool) -> Int? {
        guard letter != .eastOrWest else { return nil }
        guard let letter else { return hasMinus ? -magnitude : magnitude }
        // "°N" above a column says what is positive. A cell that says south of a negative number says the same twice.
        if hasMinus { return letter.isNegative == isLetterInCell ? -magnitude : nil }
        return letter.isNegative ? -magnitude : magnitude
    }

    /// Whether a direction column says nothing of a number that isn't zero and has no sign.
    private var lacksDirection: Bool {
        guard hasDirectionColumn, letter == nil, let angle = AngleCells.angle(text) else { return false }
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
        if let unknownWord {
            if CoordinateName.direction(unknownWord) == .eastOrWest { return AngleText.hintAtO }
            return axis == .latitude ? "its direction is not N or S" : "its direction is not E or W"
        }
        if lacksDirection { return "its direction is missing" }
        if letter == .eastOrWest { return "the header says O: \(AngleText.hintAtO)" }
        if contradictsName { return "the header says another direction" }
        let angle = AngleCells.angle(text)
        guard let letter, let angle, angle.hasMinus || angle.direction != nil else {
            return power > 0 ? "its column has whole numbers, degrees times 10^\(power)" : nil
        }
        if isLetterInCell {
            return angle.hasMinus ? "it has both a minus sign and a direction" : "it has two directions"
        }
        return "the header says \(letter), which \(angle.hasMinus ? "a minus sign" : "its direction") contradicts"
    }
}

extension ArraySlice<UInt8> {
    /// Without the signs of degrees, minutes and seconds at its end, which are put between the numbers anyway.
    fileprivate var withoutSigns: ArraySlice<UInt8> {
        for sign in ["°", "'", "\"", "′", "″"] where Array(suffix(sign.utf8.count)) == Array(sign.utf8) {
            return dropLast(sign.utf8.count).withoutSigns
        }
        return self
    }

    /// `nil` for a number without a minus sign.
    fileprivate var withoutMinus: ArraySlice<UInt8>? {
        ["-", "\u{2212}"].first { starts(with: $0.utf8) }.map { dropFirst($0.utf8.count) }
    }

    /// A whole number as such: spreadsheets write 40.0.
    fileprivate var withoutZeros: ArraySlice<UInt8> {
        let zeros = reversed().prefix { $0 == UInt8(ascii: "0") }.count
        guard zeros > 0, let point = dropLast(zeros).last, point == UInt8(ascii: ".") || point == UInt8(ascii: ",")
        else {
            return self
        }
        return dropLast(zeros + 1)
    }
}
