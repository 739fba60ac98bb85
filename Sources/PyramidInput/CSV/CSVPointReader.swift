import PyramidTiles

/// Reads comma-separated values (RFC 4180) as found in practice, in one pass; in another one if ids repeat, and
/// for each other pair of columns if the coordinates are empty.
///
/// The first row that isn't empty is the header. Empty lines are not rows. A row's missing fields are empty, and spare
/// ones are left out if its coordinates are certain.
struct CSVPointReader: PointReader {
    static let isGeoJSON = false

    var reader: RowReader<CSVRowParser>

    private(set) var header: CSVHeader
    private let options: InputOptions

    /// Reads the header.
    /// - Parameter isOnlyInput: whether the id column must be here, because there is no other input.
    init(_ input: InputBytes, options: InputOptions, isOnlyInput: Bool) throws(InputError) {
        let header = try CSVHeader(input, options: options, isOnlyInput: isOnlyInput)
        self.header = header
        self.options = options
        reader = CSVPointReader.reader(input, header, options)
    }

    private static func reader(
        _ input: InputBytes, _ header: CSVHeader, _ options: InputOptions
    ) -> RowReader<CSVRowParser> {
        var reader = RowReader(input, CSVRowParser(header, options: options), from: header.bodyStart)
        if header.hasQuoteAsText { reader.collected.rows.remarks.add(.quoteAsText, rowAt: header.start) }
        return reader
    }

    var columns: InputColumns {
        let columns = header.columns
        return InputColumns(
            names: columns.names,
            kinds: reader.collected.survey.columns.kinds,
            declaredTypes: columns.types, oddCells: reader.collected.survey.columns.oddCells,
            coordinateColumns: columns.coordinates.columns, idColumn: columns.id,
            renamed: columns.renamed, isOrdered: true)
    }

    mutating func read(
        _ cutting: InputCutting, store: (any RowStore)?, progress: (_ bytesRead: Int) -> Void
    ) throws(InputError) {
        try readRows(cutting, store: store, progress: progress)
        if hasOnlyEmptyCoordinates, !options.namesCoordinates {
            try readOtherColumns(cutting, progress: progress)
        }
        progress(input.bytes.count)
    }

    /// Reads all rows, those with fewer or more cells than the header last.
    private mutating func readRows(
        _ cutting: InputCutting, store: (any RowStore)?, progress: (_ bytesRead: Int) -> Void
    ) throws(InputError) {
        try reader.readRows(cutting, store: store, progress: progress)
        guard !rows.ragged.isEmpty else { return }
        let elements = input.elements
        let kinds = reader.parser.kindsOfCompleteRows(elements.span)
        for start in rows.ragged {
            reader.parser.judge(raggedRowAt: start, kinds, in: elements.span, into: &reader.collected)
            try rows.move(to: store)
        }
        rows.ragged = []
    }

    /// Whether there are rows, and their coordinates are empty.
    private var hasOnlyEmptyCoordinates: Bool {
        rows.count > 0 && Set(rows.log.counts.keys).isSubset(of: [.missingCoordinate, .raggedRow, .units, .cutOff])
            && rows.acceptedCount == 0
    }

    /// Reads all rows again, with the coordinates in other columns whose names fit, until some have any. The caller moves
    /// them to a store.
    private mutating func readOtherColumns(
        _ cutting: InputCutting, progress: (_ bytesRead: Int) -> Void
    ) throws(InputError) {
        let found = header.columns.coordinates
        let degrees = [found.latitude.degrees, found.longitude.degrees]
        let names = header.names.enumerated().map { degrees.contains($0) ? "" : $1 }
        for columns in CoordinateColumns.alternatives(to: found, among: names) {
            guard let header = header.with(columns, among: names) else { continue }
            var other = self
            other.header = header
            other.reader = CSVPointReader.reader(input, other.header, options)
            try other.readRows(cutting, store: nil, progress: progress)
            guard other.rows.acceptedCount > 0 else { continue }
            func list(_ columns: [Int]) -> String {
                InputError.list(Set(columns).sorted().map { header.columns.names[$0] })
            }
            other.rows.note =
                "coordinates are read from \(list(header.columns.coordinates.columns)), because \(list(degrees)) "
                + "\(found.isPoint ? "is" : "are") empty in every row"
            self = other
            return
        }
    }
}
