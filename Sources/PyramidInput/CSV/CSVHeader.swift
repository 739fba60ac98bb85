import PyramidTiles

/// The first row of a CSV input: the delimiter and the purpose of each column. The line before it may state the
/// delimiter as `sep=;`, which Excel reads and writes.
struct CSVHeader {
    private(set) var rule: CSVRowRule
    let names: [String]
    private(set) var columns: CSVColumns
    let start, rowEnd: Int
    /// Where the rows begin.
    let bodyStart: Int
    /// Whether a quote at the beginning of a name is text.
    let hasQuoteAsText: Bool
    /// The cells of some of the first rows.
    private let rows: [[String]]

    /// Reads the header. The delimiter is the one that splits it into the most fields, respecting quotes; a delimiter
    /// that gives columns of coordinates is preferred.
    /// - Parameter isOnlyInput: whether the id column must be here, because there is no other input.
    init(_ input: InputBytes, options: InputOptions, isOnlyInput: Bool = true) throws(InputError) {
        let elements = input.elements
        let bytes = elements.span
        let (start, statedDelimiter) = try CSVHeader.start(
            of: bytes, skippingLines: options.skipLines, name: input.name)
        let advice = HeaderAdvice(input: input, start: start, options: options, isOnlyInput: isOnlyInput)
        let delimiters = options.delimiter?.utf8.first ?? statedDelimiter
        let widest = (delimiters.map { [$0] } ?? CSVHeaderReading.delimiters).map { delimiter in
            // Longer headers are refused.
            let known = bytes.extracting(..<min(bytes.count, start + InputLimits.rowBytes + 1))
            return CSVHeaderReading(known, at: start, delimiter, acrossLines: true)
        }.enumerated().sorted {
            ($1.element.names.count, $0.offset) < ($0.element.names.count, $1.offset)
        }.map(\.element)
        guard let first = widest.first else { preconditionFailure("there is a delimiter") }
        func check(_ end: Int) throws(InputError) {
            guard end - start <= InputLimits.rowBytes else {
                throw advice.error(.badData, "header has more than \(InputLimits.rowBytes) bytes")
            }
            guard !RowDigest(bytes.extracting(start..<end).bytes).hasNULByte else {
                throw advice.error(.badData, "header has NUL bytes, expected text in UTF-8")
            }
            guard bytes.isValidUTF8(start..<end) else {
                throw advice.error(.badData, "header is not valid UTF-8; \(input.latin1Advice)")
            }
        }
        try check(min(first.rowEnd, bytes.nextLine(after: start)))
        guard first.names.count <= InputLimits.columns else {
            throw advice.error(
                .badData, "header has over \(InputLimits.columns) columns, expected at most \(InputLimits.columns)")
        }

        var firstError: InputError?
        for reading in widest where reading.names.count > 1 || reading.delimiter == first.delimiter {
            let header: CSVHeader
            do throws(InputError) {
                header = try CSVHeader(reading, from: start, in: bytes, advice)
            } catch {
                firstError = firstError ?? error
                continue
            }
            try check(header.rowEnd)
            let problem = advice.problem(
                of: header.columns, delimiter: header.rule.delimiter, bodyStart: header.bodyStart)
            if let problem { throw problem }
            self = header
            return
        }
        throw advice.problem ?? firstError ?? advice.error(.badData, "header can't be read")
    }

    /// - Parameter reading: its quotes may enclose line ends; but not if one of those lines is a row.
    private init(
        _ reading: CSVHeaderReading, from start: Int, in bytes: Span<UInt8>, _ advice: HeaderAdvice
    ) throws(InputError) {
        let line = CSVHeaderReading(bytes, at: start, reading.delimiter, acrossLines: false)
        var buffer: [UInt8] = []
        // If a row is among the other lines, the quote in the first one is text.
        if line.rowEnd < reading.rowEnd, let header = try? CSVHeader(line, advice),
            header.rule.hasRow(among: line.nextRow..<reading.rowEnd, of: bytes, &buffer)
        {
            self = header
        } else {
            try self.init(reading, advice)
        }
    }

    private init(_ reading: CSVHeaderReading, _ advice: HeaderAdvice) throws(InputError) {
        names = reading.names
        rows = advice.rows(reading.delimiter, from: reading.nextRow, fieldCount: names.count)
        columns = try advice.columns(names, rows)
        rule = CSVRowRule(
            delimiter: reading.delimiter, fieldCount: names.count,
            namedFieldCount: (names.lastIndex { !$0.allSatisfy(\.isWhitespace) } ?? -1) + 1,
            place: CSVPlace(columns: columns.coordinates, order: columns.pointOrder))
        (start, rowEnd, bodyStart) = (reading.start, reading.rowEnd, reading.nextRow)
        hasQuoteAsText = reading.hasQuoteAsText
    }

    /// The same header, with the coordinates in other columns.
    /// - Parameter names: empty for columns that don't count.
    /// - Returns: `nil` if it isn't certain which columns they have beside them.
    func with(_ coordinates: CoordinateColumns, among names: [String]) -> CSVHeader? {
        var header = self
        let (columns, doubts) = coordinates.withParts(among: names, rows: rows)
        guard doubts.isEmpty else { return nil }
        header.columns.coordinates = columns
        header.rule.place.columns = columns
        return header
    }

    /// The first byte of the header: skips a byte order mark, as many lines as the options say, empty lines, and a line
    /// that states the delimiter.
    private static func start(
        of bytes: Span<UInt8>, skippingLines skippedLines: Int, name: String
    ) throws(InputError) -> (offset: Int, delimiter: UInt8?) {
        func afterEmptyLines(_ start: Int) -> Int {
            var start = start
            while start < bytes.count, bytes[start].isLineEnd { start += 1 }
            return start
        }
        var start = bytes.afterByteOrderMark()
        // A line has at least one byte.
        for _ in 0..<min(skippedLines, bytes.count) where start < bytes.count { start = bytes.nextLine(after: start) }
        start = afterEmptyLines(start)
        let delimiter = statedDelimiter(of: bytes, at: start)
        if delimiter != nil { start = afterEmptyLines(bytes.nextLine(after: start)) }
        guard start < bytes.count else {
            guard skippedLines > 0 else { throw InputError(.badData, in: name, "is empty, expected a header and rows") }
            throw InputError(.usage, in: name, "has no header after the lines that \(.skipLines) \(skippedLines) skips")
        }
        return (start, delimiter)
    }

    /// The delimiter that the line at `start` states: `sep=;`, with any blanks and quotes. `nil` for any other line.
    private static func statedDelimiter(of bytes: Span<UInt8>, at start: Int) -> UInt8? {
        let marks = (start..<min(start + sepLineLimit, bytes.count)).map { bytes[$0] }.prefix { !$0.isLineEnd }
            .filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\"") }
        guard marks.count == 5, String(decoding: marks.prefix(4), as: UTF8.self).lowercased() == "sep=" else {
            return nil
        }
        return marks[4]
    }

    /// More than the length of any line that states a delimiter.
    private static let sepLineLimit = 32
}
