import PyramidTiles

/// Reads the points of an input in a certain format: ``CSVPointReader`` or ``GeoJSONPointReader``.
protocol PointReader {
    var input: InputBytes { get }
    /// Once the reader is done, the accepted rows may be moved out.
    var rows: ReadRows { get set }
    /// The columns, as far as they are known.
    var columns: InputColumns { get }
    var syntax: RowSyntax { get }
    /// The name of a GeoJSON collection with the escapes of JSON; `nil` if it has none.
    var collectionName: String? { get }
    /// A digest of the accepted rows that doesn't depend on their order.
    var rowsDigest: UInt64 { get }
    /// Of the rows near the border of a part.
    var cellDigests: CellDigests { get }

    /// Reads all rows.
    /// - Parameters:
    ///   - cutting: how much is read at once.
    ///   - store: takes rows if they become too many; `nil` to keep all.
    ///   - progress: called from time to time with the number of bytes read.
    /// - Throws: ``InputError`` if the rest of the input can't be read or, in strict reading, for the first bad row.
    mutating func read(
        _ cutting: InputCutting, store: (any RowStore)?, progress: (_ bytesRead: Int) -> Void
    ) throws(InputError)

    /// Counts an accepted row as a duplicate. Call it in the order of the input.
    mutating func countDuplicate(rowAt start: Int) throws(InputError)

    /// Forgets the columns' types and the digest of the accepted rows, to survey the remaining ones.
    mutating func beginSurvey()

    /// Adds an accepted row to the columns' types and the digest.
    mutating func survey(rowAt start: Int)

    /// The text of an accepted row's id.
    mutating func id(ofRowAt start: Int) -> [UInt8]
}

extension PointReader {
    /// CSV can't be read in parts.
    var cellDigests: CellDigests { CellDigests() }
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

    init(rawValue: UInt8) { self.rawValue = rawValue }

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

/// The syntax of an input's rows: enough to find a row's end, and to tell apart rows with the same bytes but different
/// meanings.
enum RowSyntax: Hashable, Sendable {
    case geoJSON
    /// - Parameter names: the names in the header.
    case csv(delimiter: UInt8, names: [String])

    /// `nil` for GeoJSON.
    var delimiter: UInt8? {
        switch self {
        case .geoJSON: nil
        case .csv(let delimiter, _): delimiter
        }
    }

    /// The rank of each syntax by its key; equal ones have equal ranks.
    static func ranks(_ all: [RowSyntax]) -> [Int] {
        let keys = all.map(\.key)
        let order = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
        return keys.map { order.firstIndex(of: $0) ?? 0 }
    }

    /// Bytes for ordering by content, and for digests; empty for GeoJSON.
    var key: [UInt8] {
        switch self {
        case .geoJSON: []
        case .csv(let delimiter, let names): Array(names.joined(separator: "\0").utf8) + [0, delimiter]
        }
    }
}
