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
    /// The cells of the first rows.
    private let rows: [[String]]

    /// Reads the header. The delimiter is the one that splits it into the most fields, respecting quotes; a delimiter
    /// that gives columns of coordinates is preferred.
    /// - Parameter isOnlyInput: whether the id column must be here, because there is no other input.
    init(_ input: InputBytes, options: InputOptions, isOnlyInput: Bool = true) throws(InputError) {
        let elements = input.elements
        let bytes = elements.span
        let (start, givenDelimiter) = try CSVHeader.start(of: bytes, skippingLines: options.skipLines, name: input.name)
        var lines = LineCounter()
        let line = lines.line(at: start, in: bytes)
        func fail(_ kind: InputError.Kind, _ problem: OptionMessage) -> InputError {
            InputError(kind, in: input.name, line: line, problem)
        }

        let advice = HeaderAdvice(input, headerAt: start, options: options, isOnlyInput: isOnlyInput)
        let widest = (givenDelimiter.map { [$0] } ?? CSVHeaderReading.delimiters).map { delimiter in
            // Longer headers are refused.
            let known = bytes.extracting(..<min(bytes.count, start + InputLimits.rowBytes + 1))
            return CSVHeaderReading(known, at: start, delimiter, options.quotes, acrossLines: true)
        }.enumerated().sorted {
            ($1.element.names.count, $0.offset) < ($0.element.names.count, $1.offset)
        }.map(\.element)
        guard let first = widest.first else { preconditionFailure("there is a delimiter") }
        func check(_ end: Int) throws(InputError) {
            guard end - start <= InputLimits.rowBytes else {
                throw fail(.badData, "header has more than \(InputLimits.rowBytes) bytes")
            }
            let digest = RowDigest(bytes.extracting(start..<end).bytes)
            guard !digest.hasNULByte else { throw fail(.badData, "header has NUL bytes, expected text in UTF-8") }
            guard bytes.isValidUTF8(start..<end) else {
                throw fail(.badData, "header is not valid UTF-8; \(input.latin1Advice)")
            }
        }
        try check(min(first.rowEnd, bytes.nextLine(after: start)))
        guard first.names.count <= InputLimits.columns else {
            throw fail(
                .badData, "header has over \(InputLimits.columns) columns, expected at most \(InputLimits.columns)")
        }

        var firstError: InputError?
        for reading in widest where reading.names.count > 1 || reading.delimiter == first.delimiter {
            let found = Result { () throws(InputError) in
                try CSVHeader(reading, from: start, in: bytes, advice) { fail(.usage, $0) }
            }
            switch found {
            case .failure(let error): firstError = firstError ?? error
            case .success(let header):
                try check(header.rowEnd)
                if let problem = advice.problem(
                    of: header.columns, delimiter: header.rule.delimiter, bodyStart: header.bodyStart)
                {
                    throw problem
                }
                self = header
                return
            }
        }
        if let problem = advice.problem { throw problem }
        let names = first.names
        if names.count(where: CSVHeader.isDegrees) >= 2 {
            let command = "(echo NAMES; \(input.shownText))"
            throw fail(
                .badData,
                "first line is data (\(InputError.list(Array(names.prefix(4))))), expected the names of the "
                    + "\(names.count) columns; put a line with them (NAMES) before it: \(.buildFromOutput(of: command))"
            )
        }
        throw firstError ?? fail(.badData, "header can't be read")
    }

    /// - Parameter reading: its quotes may enclose line ends; but not if one of those lines is a row.
    private init(
        _ reading: CSVHeaderReading, from start: Int, in bytes: Span<UInt8>, _ advice: HeaderAdvice,
        fail: (OptionMessage) -> InputError
    ) throws(InputError) {
        let quotes = advice.options.quotes
        let line = CSVHeaderReading(bytes, at: start, reading.delimiter, quotes, acrossLines: false)
        var buffer: [UInt8] = []
        // If a row is among the other lines, the quote in the first one is text.
        if quotes == .auto, line.rowEnd < reading.rowEnd,
            case .success(let header) = Result(catching: { () throws(InputError) in
                try CSVHeader(line, advice, fail: fail)
            }), header.rule.hasRow(among: line.nextRow..<reading.rowEnd, of: bytes, &buffer)
        {
            self = header
        } else {
            try self.init(reading, advice, fail: fail)
        }
    }

    private init(
        _ reading: CSVHeaderReading, _ advice: HeaderAdvice, fail: (OptionMessage) -> InputError
    ) throws(InputError) {
        names = reading.names
        rows = advice.rows(reading.delimiter, from: reading.nextRow)
        columns = try CSVColumns(
            header: names, rows: rows, options: advice.options,
            isOnlyInput: advice.isOnlyInput, fail: fail)
        rule = CSVRowRule(
            delimiter: reading.delimiter, quotes: advice.options.quotes, fieldCount: names.count,
            namedFieldCount: (names.lastIndex { !$0.allSatisfy(\.isWhitespace) } ?? -1) + 1,
            place: CSVPlace(columns: columns.coordinates, order: columns.pointOrder))
        (start, rowEnd, bodyStart) = (reading.start, reading.rowEnd, reading.nextRow)
        hasQuoteAsText = reading.hasQuoteAsText
    }

    /// The same header, with the coordinates in other columns.
    /// - Returns: `nil` if it isn't certain which columns they have beside them.
    func with(_ coordinates: CoordinateColumns) -> CSVHeader? {
        var header = self
        let (columns, doubtful) = coordinates.withParts(among: names, rows: rows) { _ in false }
        guard doubtful.isEmpty else { return nil }
        header.columns.coordinates = columns
        header.rule.place.columns = header.columns.coordinates
        return header
    }

    /// Whether a name looks like a coordinate: degrees with decimals. Then the header is probably missing.
    private static func isDegrees(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        let range = bytes.span.trimmingBlanks(0..<bytes.count)
        guard let degrees = DecimalDegrees.microdegrees(bytes.span, range, axis: .longitude) else { return false }
        return abs(degrees) <= Axis.longitude.limitMicrodegrees && (name.contains(".") || name.contains(","))
    }

    /// The first byte of the header: skips a byte order mark, as many lines as the options say, empty lines, and a line
    /// that states the delimiter.
    private static func start(
        of bytes: Span<UInt8>, skippingLines skippedLines: Int, name: String
    ) throws(InputError) -> (offset: Int, delimiter: UInt8?) {
        func afterEmptyLines(_ start: Int) -> Int {
            var start = start
            while start < bytes.count, bytes[start] == UInt8(ascii: "\n") || bytes[start] == UInt8(ascii: "\r") {
                start += 1
            }
            return start
        }
        var start = bytes.afterByteOrderMark
        var lineCount = 0
        while lineCount < skippedLines, start < bytes.count {
            start = bytes.nextLine(after: start)
            lineCount += 1
        }
        guard skippedLines == 0 || start < bytes.count else {
            let lines = NumberText.counted(lineCount, "line")
            throw InputError(.usage, in: name, "has \(lines), expected more than \(skippedLines) (\(.skipLines))")
        }
        start = afterEmptyLines(start)
        let delimiter = try givenDelimiter(of: bytes, at: start, name: name)
        if delimiter != nil { start = afterEmptyLines(bytes.nextLine(after: start)) }
        guard start < bytes.count else {
            let skipped = skippedLines == 0 ? "" : " after \(NumberText.counted(skippedLines, "skipped line"))"
            throw InputError(.badData, in: name, "is empty\(skipped), expected a header and rows")
        }
        return (start, delimiter)
    }

    /// The delimiter that the line at `start` states: `sep=;`, with any blanks and quotes. `nil` for any other line.
    private static func givenDelimiter(
        of bytes: Span<UInt8>, at start: Int, name: String
    ) throws(InputError) -> UInt8? {
        let line = (start..<min(start + sepLineLimit, bytes.count)).map { bytes[$0] }.prefix {
            $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
        }
        let marks = line.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\"") }
        guard line.count < sepLineLimit, line.count > 4, (4...5).contains(marks.count),
            String(decoding: marks.prefix(4), as: UTF8.self).lowercased() == "sep="
        else { return nil }
        guard let delimiter = marks.dropFirst(4).first, CSVHeaderReading.delimiters.contains(delimiter) else {
            let stated = Array(line.drop { $0 != UInt8(ascii: "=") }.dropFirst())
            var lines = LineCounter()
            throw InputError(
                .badData, in: name, line: lines.line(at: start, in: bytes),
                "the delimiter of sep= is \(InputError.quoted(stated)), expected a comma, a semicolon, a tab or a bar")
        }
        return delimiter
    }

    /// More than the length of any line that states a delimiter.
    private static let sepLineLimit = 32
}
