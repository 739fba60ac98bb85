import PyramidTiles

/// Reads the points of an input in a certain format: ``CSVPointReader`` or ``GeoJSONPointReader``.
protocol PointReader {
    var input: InputBytes { get }
    /// The accepted rows may be taken away once the reader is done.
    var rows: ReadRows { get set }
    /// What is known about the columns so far.
    var columns: InputColumns { get }
    var syntax: RowSyntax { get }
    /// The name of a GeoJSON collection with the escapes of JSON; `nil` if it has none.
    var collectionName: String? { get }
    /// A digest of the accepted rows that doesn't depend on their order.
    var rowsDigest: UInt64 { get }

    /// Reads all rows.
    /// - Parameters:
    ///   - cutting: how much is read at once.
    ///   - progress: called from time to time with the number of bytes read.
    /// - Throws: ``InputError`` if the rest of the input can't be read or, in strict reading, for the first bad row.
    mutating func read(_ cutting: InputCutting, progress: (_ bytesRead: Int) -> Void) throws(InputError)

    /// Gives all spellings of a number the same hash, for ids that have turned out to be numbers.
    mutating func hashIDsAsNumbers()

    /// Counts accepted rows as duplicates. Their numbers are in ascending order.
    mutating func skipDuplicates(_ dropped: [Int]) throws(InputError)

    /// The text of an accepted row's id.
    mutating func id(ofRowAt start: Int) -> [UInt8]
}

extension PointReader {
    /// GeoJSON says at once what is a number.
    mutating func hashIDsAsNumbers() {}
}

/// The columns of one input.
struct InputColumns {
    var names: [String]
    /// By column.
    var kinds: [ValueKinds]
    /// By column, the type that the options say; empty for GeoJSON, whose values have types.
    var declaredTypes: [ColumnType?] = []
    /// Cells that are left out because they don't fit the type.
    var unfitCells: [UnfitCells] = []
    /// Empty for GeoJSON.
    var coordinateColumns: [Int] = []
    /// `nil` if no column of ids is wanted, or if the input lacks it.
    var idColumn: Int?
    /// The columns that had to be renamed.
    var renamed: [InputReport.RenamedColumn] = []
    /// Whether the columns are in the order of a header.
    var isOrdered: Bool

    /// Whether a column becomes a property only if the options name it, as those of the coordinates and the id do.
    func isPropertyOnlyIfNamed(_ column: Int) -> Bool { column == idColumn || coordinateColumns.contains(column) }
}

/// The cells of a column that don't fit the type that it is said to have.
struct UnfitCells {
    var column: String
    var type: ColumnType
    var count: Int
    /// Where the row of the first one begins.
    var firstRowStart: Int
    /// Its text, for a message.
    var firstFound: String
}

/// The kinds of values in a column.
struct ValueKinds: OptionSet, Sendable {
    let rawValue: UInt8

    static let number = ValueKinds(rawValue: 1)
    static let boolean = ValueKinds(rawValue: 2)
    /// Any other cell, and a string.
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

/// How the rows of an input are written: enough to find the end of one, and to distinguish rows that have the same
/// bytes but different meanings.
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

    /// The rank of each by its key; equal ones have equal ranks.
    static func ranks(_ all: [RowSyntax]) -> [Int] {
        let keys = all.map(\.key)
        let order = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
        return keys.map { order.firstIndex(of: $0) ?? 0 }
    }

    /// For ordering by content, and for digests; empty for GeoJSON.
    var key: [UInt8] {
        switch self {
        case .geoJSON: []
        case .csv(let delimiter, let names): Array(names.joined(separator: "\0").utf8) + [0, delimiter]
        }
    }
}
