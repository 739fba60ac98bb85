/// The rows read from a CSV input, or from a chunk of it.
struct CSVRows: Sendable {
    var rows = ReadRows()
    var survey: CSVRowSurvey
    /// Bytes read twice, because a malformed row was ended early.
    var bytesReadAgain = 0
    /// Where the next row begins.
    var end: Int

    init(from start: Int, survey: CSVRowSurvey) {
        end = start
        self.survey = survey
    }

    /// Appends the rows that come next.
    mutating func append(_ next: CSVRows) {
        rows.append(next.rows)
        survey.formUnion(next.survey)
        bytesReadAgain += next.bytesReadAgain
        end = next.end
    }
}

/// A summary of the accepted rows: a digest that doesn't depend on their order, and the columns' types.
struct CSVRowSurvey: Sendable {
    private(set) var digest: UInt64 = 0
    private(set) var types: ColumnTypes

    init(_ columns: CSVColumns, options: InputOptions) {
        // Coordinates are properties only if the options name the columns.
        let coordinates = options.include == nil ? columns.coordinates.columns : []
        types = ColumnTypes(
            columns: (0..<columns.count).filter { !coordinates.contains($0) }, declared: columns.types)
    }

    /// Adds the accepted row at `start`.
    mutating func add(_ digest: RowDigest, _ fields: [CSVField], of bytes: Span<UInt8>, rowAt start: Int) {
        self.digest &+= digest.hash
        types.add(fields, of: bytes, rowAt: start)
    }

    mutating func formUnion(_ other: CSVRowSurvey) {
        digest &+= other.digest
        types.formUnion(other.types)
    }
}
