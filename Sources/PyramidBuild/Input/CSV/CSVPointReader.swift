import PyramidTiles

/// Reads comma-separated values (RFC 4180) as found in practice, in one pass, and a second one if ids repeat.
///
/// The first row that isn't empty is the header. Empty lines are not rows. Every row needs as many fields as the
/// header; one more delimiter at its very end is tolerated.
struct CSVPointReader: PointReader {
    let input: InputBytes

    private let header: CSVHeader
    private let options: InputOptions
    private var reader: CSVRowReader
    private var collected: CSVRows

    /// Reads the header.
    /// - Parameter isOnlyInput: whether the id column must be here, because there is no other input.
    init(_ input: InputBytes, options: InputOptions, isOnlyInput: Bool) throws(InputError) {
        let header = try CSVHeader(input, options: options, isOnlyInput: isOnlyInput)
        self.header = header
        self.input = input
        self.options = options
        reader = CSVRowReader(header, options: options)
        collected = CSVRows(from: header.bodyStart, survey: CSVRowSurvey(header.columns, options: options))
    }

    var rows: ReadRows {
        get { collected.rows }
        set { collected.rows = newValue }
    }
    var syntax: RowSyntax { .csv(delimiter: header.delimiter, names: header.names) }
    var collectionName: String? { nil }
    var rowsDigest: UInt64 { collected.survey.digest }

    var columns: InputColumns {
        let columns = header.columns
        return InputColumns(
            names: columns.names, kinds: (0..<columns.count).map { collected.survey.types.kinds(ofColumn: $0) },
            declaredTypes: columns.types, unfitCells: unfitCells,
            coordinateColumns: columns.coordinates.columns, idColumn: columns.id,
            renamed: columns.renamed, isOrdered: true)
    }

    private var unfitCells: [UnfitCells] {
        let elements = input.elements
        return collected.survey.types.columnsWithUnfitCells.compactMap { column in
            guard let start = column.firstUnfitRow else { return nil }
            var reader = reader
            let text = reader.text(ofColumn: column.column, rowAt: start, in: elements.span)
            return UnfitCells(
                column: header.columns.names[column.column], type: column.type, count: column.unfitCount,
                firstRowStart: start, firstFound: InputError.quoted(text))
        }
    }

    /// Several threads read chunks of the input ahead. A chunk's rows are used if the rows before it end where it
    /// begins; otherwise the chunk is read again. The unread rest of any chunk is read again too.
    mutating func read(
        _ cutting: InputCutting, store: (any RowStore)?, progress: (_ bytesRead: Int) -> Void
    ) throws(InputError) {
        let elements = input.elements
        let bytes = elements.span
        while collected.end < bytes.count {
            let chunks = cutting.nextChunks(of: bytes, from: collected.end)
            let ahead = readAhead(chunks, cutting, of: bytes)
            for (index, chunk) in chunks.enumerated() {
                if index < ahead.count, collected.end == chunk.lowerBound,
                    collected.bytesReadAgain + ahead[index].bytesReadAgain <= bytes.count
                {
                    collected.append(ahead[index])
                }
                reader.read(until: chunk.upperBound, of: bytes, into: &collected)
                if options.isStrict { try rows.log.requireNone(in: input) }
                try rows.requireNumberable(in: input.name)
                if chunk.lowerBound == header.bodyStart {
                    collected.rows.reserveRoom(
                        inputBytes: bytes.count, bytesRead: collected.end - header.bodyStart,
                        limit: store?.rowLimit ?? InputLimits.points)
                }
                try collected.rows.move(to: store)
            }
            progress(collected.end)
        }
        progress(bytes.count)
    }

    private func readAhead(_ chunks: [Range<Int>], _ cutting: InputCutting, of bytes: Span<UInt8>) -> [CSVRows] {
        guard chunks.count > 1 else { return [] }
        let survey = CSVRowSurvey(header.columns, options: options)
        return SharedWork(jobs: cutting.jobs).map(chunks) { [reader] chunk in
            var reader = reader
            return reader.readAhead(chunk, lookahead: cutting.chunkBytes, of: bytes, survey: survey)
        }
    }

    mutating func countDuplicate(rowAt start: Int) throws(InputError) {
        let elements = input.elements
        reader.countDuplicate(at: start, in: elements.span, into: &collected.rows.log)
        if options.isStrict { try rows.log.requireNone(in: input) }
    }

    mutating func beginSurvey() { collected.survey = CSVRowSurvey(header.columns, options: options) }

    mutating func survey(rowAt start: Int) {
        let elements = input.elements
        reader.survey(rowAt: start, in: elements.span, into: &collected.survey)
    }

    mutating func id(ofRowAt start: Int) -> [UInt8] {
        let elements = input.elements
        return reader.id(ofRowAt: start, in: elements.span)
    }
}
