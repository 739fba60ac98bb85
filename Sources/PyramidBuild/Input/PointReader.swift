/// Reads the points of one input, whose format it knows: ``CSVPointReader`` or ``GeoJSONPointReader``.
///
/// Invariant: `rowsRead` is the number of accepted rows plus the sum of the counts in `log`.
protocol PointReader {
    var input: InputBytes { get }
    /// Whoever is done with the reader may take them away.
    var rows: AcceptedRows { get set }
    var rowsRead: Int { get }
    var log: BadRowLog { get }
    /// What is known of the columns so far.
    var columns: InputColumns { get }
    var syntax: RecordSyntax { get }
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

    /// How the records are read again, once the columns of all inputs are known.
    func format(_ columns: TableColumns) -> RecordFormat
}

/// The columns of one input.
struct InputColumns {
    var names: [String]
    /// By column.
    var kinds: [ValueKinds]
    /// Columns that are properties only where that is asked for: coordinates and the id.
    var places: Set<Int> = []
    /// The names of columns that could not be kept.
    var renamed: [InputReport.RenamedColumn] = []
    /// The order of the columns is that of a header.
    var isOrdered: Bool
    /// Whether the column of ids that was asked for is there.
    var hasIDColumn: Bool
}
