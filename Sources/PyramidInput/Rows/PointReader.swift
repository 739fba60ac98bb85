import PyramidTiles

/// Reads the points of an input in a certain format: ``CSVPointReader`` or ``GeoJSONPointReader``.
package protocol PointReader {
    associatedtype Parser: RowParser

    var reader: RowReader<Parser> { get set }
    /// The columns, as far as they are known.
    var columns: InputColumns { get }
    static var isGeoJSON: Bool { get }

    /// Reads all rows.
    /// - Parameters:
    ///   - cutting: how much is read at once.
    ///   - store: takes rows if they become too many; `nil` to keep all.
    ///   - progress: called from time to time with the number of bytes read.
    /// - Throws: ``InputError`` if the rest of the input can't be read.
    mutating func read(
        _ cutting: InputCutting, store: (any RowStore)?, progress: (_ bytesRead: Int) -> Void
    ) throws(InputError)
}

extension PointReader {
    package var input: InputBytes { reader.input }
    /// Once the reader is done, the accepted rows may be moved out.
    package var rows: ReadRows {
        get { reader.collected.rows }
        set { reader.collected.rows = newValue }
    }
    /// A digest of the accepted rows that doesn't depend on their order.
    package var rowsDigest: UInt64 { reader.collected.survey.digest }
    /// Of the rows that have a cell.
    package var cellDigests: CellDigests { reader.collected.survey.cellDigests }

    /// Counts an accepted row as a duplicate. Call it in the order of the input.
    mutating func countDuplicate(rowAt start: Int) { reader.countDuplicate(rowAt: start) }

    /// Forgets the columns' types and the digest of the accepted rows, to survey the remaining ones.
    mutating func beginSurvey() { reader.collected.survey = RowSurvey(reader.parser.noColumns) }

    /// Adds an accepted row to the columns' types and the digest.
    package mutating func survey(rowAt start: Int) { reader.survey(rowAt: start) }

    /// The text of an accepted row's id.
    package mutating func id(ofRowAt start: Int) -> [UInt8] {
        let elements = input.elements
        return reader.parser.id(ofRowAt: start, in: elements.span)
    }
}

/// The columns of one input.
package struct InputColumns {
    package var names: [String]
    /// By column.
    package var kinds: [ValueKinds]
    /// By column: the type declared in the options; empty for GeoJSON.
    var declaredTypes: [ColumnType?] = []
    /// By column: CSV cells that may have to be told about.
    var oddCells: [Int: [CellOddity: FoundRows]] = [:]
    /// Empty for GeoJSON.
    var coordinateColumns: [Int] = []
    /// `nil` if the options name no id column, or if the input lacks it.
    package var idColumn: Int?
    /// The columns that had to be renamed.
    package var renamed: [InputReport.RenamedColumn] = []
    /// Whether the columns are in the order of a header.
    var isOrdered: Bool

    /// Whether a column is a property only if the options name it: the coordinates and the id.
    func isPropertyOnlyIfNamed(_ column: Int) -> Bool { column == idColumn || coordinateColumns.contains(column) }
}

/// Why a cell may have to be told about.
enum CellOddity: Hashable, Sendable {
    /// It doesn't fit the type that the options declare, and is left out.
    case unfit
    /// A number like `1,234`, which fits only if the column has decimal commas, in any input.
    case grouped
    /// A number with a point that isn't one of thousands.
    case decimalPoint
    /// A word for true or false, like all others in a column that options compare.
    case booleanWord
}

/// How the numbers of a CSV column are written.
enum NumberMarks: Sendable {
    case json
    /// The decimal point may be a comma.
    case decimalCommas
    /// It is a comma, and points are those of thousands.
    case thousands
}

extension ValueKinds {
    /// CSV cells that are numbers if a comma is the decimal point: `2,5`. With ``number``.
    static let decimalComma = ValueKinds(rawValue: 16)
    /// Such cells with three digits after the comma, which may be thousands: `1,234`.
    static let groupComma = ValueKinds(rawValue: 32)
    /// Such cells with points of thousands: `1.631,29`.
    static let bothMarks = ValueKinds(rawValue: 64)
    /// CSV cells that are numbers only if points are those of thousands: `1.631.000`. With ``number``.
    static let pointGroups = ValueKinds(rawValue: 128)
    /// Numbers in CSV with a point that can't be one of thousands: `2.5`. Only noted where a comma may be the decimal point.
    static let decimalPoint = ValueKinds(rawValue: 256)

    /// Numbers that aren't years (``DateNotation/years``), that aren't days (``DateNotation/days``), and that are too large for
    /// seconds since 1970. With ``number``.
    static let notYears = ValueKinds(rawValue: 512)
    static let notDays = ValueKinds(rawValue: 1024)
    static let notSeconds = ValueKinds(rawValue: 2048)

    /// Adds what a number can't be as a date.
    /// - Parameter range: of a JSON number.
    mutating func addDate(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        // Most columns have longer or shorter numbers from the first row on.
        let mayBeLarge = range.count > 11 || range.contains { bytes[$0] | 0x20 == UInt8(ascii: "e") }
        guard !isSuperset(of: [.notYears, .notDays]) || mayBeLarge, let literal = DecimalLiteral(bytes, in: range)
        else { return }
        var number = literal.hasExponent ? Double(String(decoding: range.map { bytes[$0] }, as: UTF8.self)) ?? 0 : 0
        if !literal.hasExponent {
            for position in literal.whole { number = number * 10 + Double(bytes[position] & 15) }
            // With a fraction it is neither a year nor a day, which negative numbers aren't either.
            if literal.isNegative || literal.fraction.contains(where: { bytes[$0] != UInt8(ascii: "0") }) {
                number = -number
            }
        }
        if DateNotation.years.date(ofNumber: number) == nil { insert(.notYears) }
        if DateNotation.days.date(ofNumber: number) == nil { insert(.notDays) }
        if number.magnitude >= 1e11 { insert(.notSeconds) }
    }

    /// How a column's numbers are written as dates.
    var dateNotation: DateNotation {
        !contains(.notYears) ? .years : !contains(.notDays) ? .days : !contains(.notSeconds) ? .seconds : .milliseconds
    }

    /// The kinds of values alone, without the ways in which numbers are written.
    var json: ValueKinds { intersection([.number, .boolean, .text, .nested]) }

    /// Whether all values are numbers. With a comma they are, unless every comma may be one of thousands; with points of
    /// thousands, if some value has both marks, and every point is before groups of three digits.
    var areNumbers: Bool {
        json == .number
            && (contains(.decimalComma) || !contains(.groupComma))
            && (contains(.bothMarks) ? !contains(.decimalPoint) : !contains(.pointGroups))
    }

    /// How numbers of CSV are written where commas don't separate the cells.
    var numberMarks: NumberMarks {
        contains(.bothMarks) && !contains(.decimalPoint) ? .thousands : contains(.decimalComma) ? .decimalCommas : .json
    }

    /// Empty for null.
    init(_ kind: JSONValue.Kind) {
        switch kind {
        case .number: self = .number
        case .boolean: self = .boolean
        case .null: self = []
        case .text: self = .text
        case .object, .array: self = .nested
        }
    }
}
