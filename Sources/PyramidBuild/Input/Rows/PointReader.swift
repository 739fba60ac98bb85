import PyramidTiles

/// Reads the points of an input in a certain format: ``CSVPointReader`` or ``GeoJSONPointReader``.
protocol PointReader {
    associatedtype Parser: RowParser

    var reader: RowReader<Parser> { get set }
    /// The columns, as far as they are known.
    var columns: InputColumns { get }
    /// What the summary says of the columns that are read; `nil` if they are the expected ones.
    var note: OptionMessage? { get }
    /// The name of a GeoJSON collection with the escapes of JSON; `nil` if it has none.
    var collectionName: String? { get }
    /// What a GeoJSON collection says of features that it lacks.
    var completeness: StatedCompleteness { get }

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
    var input: InputBytes { reader.input }
    /// Once the reader is done, the accepted rows may be moved out.
    var rows: ReadRows {
        get { reader.collected.rows }
        set { reader.collected.rows = newValue }
    }
    /// A digest of the accepted rows that doesn't depend on their order.
    var rowsDigest: UInt64 { reader.collected.survey.digest }
    /// Of the rows near the border of a part.
    var cellDigests: CellDigests { reader.collected.survey.cellDigests }

    mutating func countDuplicate(rowAt start: Int) { reader.countDuplicate(rowAt: start) }
    mutating func beginSurvey() { reader.beginSurvey() }
    mutating func survey(rowAt start: Int) { reader.survey(rowAt: start) }
    mutating func id(ofRowAt start: Int) -> [UInt8] { reader.id(ofRowAt: start) }

    var collectionName: String? { nil }
    var completeness: StatedCompleteness { StatedCompleteness() }
    var note: OptionMessage? { nil }
}

/// The columns of one input.
struct InputColumns {
    var names: [String]
    /// By column.
    var kinds: [ValueKinds]
    /// By column: the type declared in the options; empty for GeoJSON.
    var declaredTypes: [ColumnType?] = []
    /// Cells left out because they don't fit their column's declared type.
    var unfitCells: [UnfitCells] = []
    /// Empty for GeoJSON.
    var coordinateColumns: [Int] = []
    /// `nil` if the options name no id column, or if the input lacks it.
    var idColumn: Int?
    /// The columns that had to be renamed.
    var renamed: [InputReport.RenamedColumn] = []
    /// Whether the columns are in the order of a header.
    var isOrdered: Bool

    /// Whether a column is a property only if the options name it: the coordinates and the id.
    func isPropertyOnlyIfNamed(_ column: Int) -> Bool { column == idColumn || coordinateColumns.contains(column) }
}

/// The cells of a column that don't fit its declared type.
struct UnfitCells {
    var column: String
    var type: ColumnType
    var count: Int
    /// The start of the row with the first of them.
    var firstRowStart: Int
    /// The text of the first of them, for a message.
    var firstFound: String
    /// Whether they are numbers like `1,234`, which fit if the column has decimal commas in any input.
    var areGrouped = false
}

/// The kinds of values in a column.
struct ValueKinds: OptionSet, Sendable {
    let rawValue: UInt8

    static let number = ValueKinds(rawValue: 1)
    static let boolean = ValueKinds(rawValue: 2)
    /// Strings, and all other CSV cells.
    static let text = ValueKinds(rawValue: 4)
    /// Arrays and objects.
    static let nested = ValueKinds(rawValue: 8)
    /// CSV cells that are numbers if a comma is the decimal point: `2,5`. With ``number``.
    static let decimalComma = ValueKinds(rawValue: 16)
    /// Such cells with three digits after the comma, which may be thousands: `1,234`.
    static let groupComma = ValueKinds(rawValue: 32)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Whether all values are numbers. With a comma they are, unless every comma may be one of thousands.
    var areNumbers: Bool {
        subtracting([.decimalComma, .groupComma]) == .number && (contains(.decimalComma) || !contains(.groupComma))
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
