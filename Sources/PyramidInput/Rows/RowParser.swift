import PyramidTiles

/// Finds and checks the rows of an input in a certain format. ``RowReader`` does
/// everything that doesn't depend on the format.
package protocol RowParser: Sendable {
    associatedtype Columns: ColumnKinds

    var noColumns: Columns { get }

    /// Reads the rows that begin before `end`, from `collected.end` on.
    /// - Parameters:
    ///   - bytes: of the whole input; or, ahead of the other rows, the first of them. Then the first row that may go on
    ///     after them is the end.
    /// - Returns: whether something follows that isn't a row, and that the caller has to read.
    /// - Throws: ``InputError`` if the rest of the input can't be read; not if `isAhead`.
    mutating func read(
        until end: Int, of bytes: Span<UInt8>, isAhead: Bool, into collected: inout CollectedRows<Columns>
    ) throws(InputError) -> Bool

    /// Adds an accepted row to another survey.
    mutating func survey(rowAt start: Int, in bytes: Span<UInt8>, into survey: inout RowSurvey<Columns>)

    /// The text of an accepted row's id; empty without one.
    mutating func id(ofRowAt start: Int, in bytes: Span<UInt8>) -> [UInt8]

    /// Counts an accepted row as a duplicate.
    mutating func countDuplicate(rowAt start: Int, in bytes: Span<UInt8>, into log: inout BadRowLog)
}

/// What the accepted rows tell about the columns.
package protocol ColumnKinds: Sendable {
    /// The number of different columns.
    var count: Int { get }

    /// Adds the rows that come next.
    mutating func append(_ next: Self)
}

/// A summary of the accepted rows.
package struct RowSurvey<Columns: ColumnKinds>: Sendable {
    /// Doesn't depend on the order of the rows.
    package private(set) var digest: UInt64 = 0
    /// Of the rows that have a cell.
    package private(set) var cellDigests = CellDigests()
    package var columns: Columns

    init(_ columns: Columns) { self.columns = columns }

    /// Adds a row, besides its columns.
    /// - Parameters:
    ///   - isCounted: whether the row counts in the digest.
    ///   - node: its cell in ``cellDigests``, if it has one.
    package mutating func add(_ digest: RowDigest, isCounted: Bool = true, node: UInt64? = nil) {
        if isCounted { self.digest &+= digest.hash }
        if let node { cellDigests.add(digest, toNode: node) }
    }

    package mutating func append(_ next: RowSurvey) {
        digest &+= next.digest
        cellDigests.append(next.cellDigests)
        columns.append(next.columns)
    }
}

/// The rows read from an input, or from a chunk of it.
package struct CollectedRows<Columns: ColumnKinds>: Sendable {
    package var rows = ReadRows()
    package var survey: RowSurvey<Columns>
    /// Where the next row begins.
    package var end: Int
    /// How many of the rows come before the collection that is read.
    package var rowsBefore = 0

    init(from start: Int, _ columns: Columns) {
        end = start
        survey = RowSurvey(columns)
    }

    /// Appends the rows that come next, in the same collection.
    package mutating func append(_ next: CollectedRows) {
        rows.append(next.rows, after: rows.seenCount - rowsBefore)
        survey.append(next.survey)
        end = next.end
    }
}
