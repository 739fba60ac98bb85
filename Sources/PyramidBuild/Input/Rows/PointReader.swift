import PyramidTiles

/// Reads the points of one input, whose format it knows: ``CSVPointReader`` or ``GeoJSONPointReader``.
protocol PointReader {
    var input: InputBytes { get }
    /// Once the reader is done, the accepted ones may be taken away.
    var rows: ReadRows { get set }
    /// What is known of the columns so far.
    var columns: InputColumns { get }
    var syntax: RowSyntax { get }
    /// Of the accepted rows, whatever their order.
    var rowsDigest: UInt64 { get }

    /// Reads all rows.
    /// - Parameters:
    ///   - cutting: what is read at once.
    ///   - progress: is told from time to time how many bytes are read.
    /// - Throws: ``InputError`` where the input can't be read on, or with its first bad row if it is to be strict.
    mutating func read(_ cutting: InputCutting, progress: (_ bytesRead: Int) -> Void) throws(InputError)

    /// Counts accepted rows as duplicates; their numbers are ascending.
    mutating func skipDuplicates(_ dropped: [Int]) throws(InputError)

    /// The text of an accepted row's id.
    mutating func id(ofRowAt start: Int) -> [UInt8]
}

/// The columns of one input.
struct InputColumns {
    var names: [String]
    /// By column.
    var kinds: [ValueKinds]
    /// Empty for GeoJSON.
    var coordinateColumns: [Int] = []
    /// `nil` if the input lacks the column of ids that was asked for, or if none was.
    var idColumn: Int?
    /// The names of columns that could not be kept.
    var renamed: [InputReport.RenamedColumn] = []
    /// The order of the columns is that of a header.
    var isOrdered: Bool

    /// Whether a column is a property only if the options name it: coordinates and the id are not by themselves.
    func isPropertyOnlyIfNamed(_ column: Int) -> Bool { column == idColumn || coordinateColumns.contains(column) }
}

/// Which kinds of values a column has.
struct ValueKinds: OptionSet, Sendable {
    let rawValue: UInt8

    /// A cell that is a canonical number (``CanonicalNumber``), or a number of JSON.
    static let number = ValueKinds(rawValue: 1)
    static let boolean = ValueKinds(rawValue: 2)
    /// Any other cell or string, and arrays and objects.
    static let text = ValueKinds(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// None for null.
    init(_ kind: JSONValue.Kind) {
        switch kind {
        case .number: self = .number
        case .boolean: self = .boolean
        case .null: self = []
        case .text, .object, .array: self = .text
        }
    }
}

/// How the rows of an input are written: what it takes to find the end of one, and to tell rows of the same bytes and
/// different meaning apart.
enum RowSyntax: Hashable, Sendable {
    case geoJSON
    /// - Parameter names: those of the header.
    case csv(delimiter: UInt8, names: [String])

    /// `nil` for GeoJSON.
    var delimiter: UInt8? {
        switch self {
        case .geoJSON: nil
        case .csv(let delimiter, _): delimiter
        }
    }

    /// The rank of each by its key; equal ones have the same rank.
    static func ranks(_ all: [RowSyntax]) -> [Int] {
        let keys = all.map(\.key)
        let order = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
        return keys.map { order.firstIndex(of: $0) ?? 0 }
    }

    /// For an order by content, and for digests; empty for GeoJSON.
    var key: [UInt8] {
        switch self {
        case .geoJSON: []
        case .csv(let delimiter, let names): Array(names.joined(separator: "\0").utf8) + [0, delimiter]
        }
    }
}
