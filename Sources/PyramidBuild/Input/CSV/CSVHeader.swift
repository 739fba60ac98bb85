import PyramidTiles

/// The first row of a CSV input: the delimiter and the purpose of each column. The line before it may state the
/// delimiter as `sep=;`, which Excel reads and writes.
struct CSVHeader {
    let delimiter: UInt8
    let names: [String]
    let columns: CSVColumns
    /// Where the rows begin.
    let bodyStart: Int

    /// In order of preference, for headers that several of them split into equally many fields.
    static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

    /// Reads the header. The delimiter is the one that splits it into the most fields, respecting quotes; a delimiter
    /// that gives columns of coordinates is preferred.
    /// - Parameter isOnlyInput: whether the id column must be here, because there is no other input.
    init(_ input: InputBytes, options: InputOptions, isOnlyInput: Bool = true) throws(InputError) {
        let elements = input.elements
        let bytes = elements.span
        let (start, givenDelimiter) = try CSVHeader.start(of: bytes, name: input.name)
        var lines = LineCounter()
        let line = lines.line(at: start, in: bytes)
        func fail(_ kind: InputError.Kind, _ problem: OptionMessage) -> InputError {
            InputError(kind, in: input.name, line: line, problem)
        }

        let scans = (givenDelimiter.map { [$0] } ?? CSVHeader.delimiters).map { delimiter in
            // No room for fields: counting them is enough.
            var scanner = CSVRowScanner(delimiter: delimiter, roomForFields: 0)
            scanner.scan(bytes, from: start)
            return scanner
        }
        let sound = scans.filter { $0.quoting == .sound }.enumerated().sorted {
            ($1.element.fieldCount, $0.offset) < ($0.element.fieldCount, $1.offset)
        }.map(\.element)
        guard let widest = sound.first else {
            throw fail(.badData, "header has an unterminated quote or text after a closing quote")
        }
        guard widest.rowEnd - start <= InputLimits.rowBytes else {
            throw fail(.badData, "header has \(widest.rowEnd - start) bytes, expected at most \(InputLimits.rowBytes)")
        }
        guard widest.fieldCount <= InputLimits.columns else {
            throw fail(.badData, "header has \(widest.fieldCount) columns, expected at most \(InputLimits.columns)")
        }
        let digest = RowDigest(bytes.extracting(start..<widest.rowEnd).bytes)
        guard !digest.hasNULByte else { throw fail(.badData, "header has NUL bytes, expected text in UTF-8") }
        guard bytes.isValidUTF8(start..<widest.rowEnd) else {
            throw fail(.badData, "header is not valid UTF-8; \(input.latin1Advice)")
        }

        var firstError: InputError?
        for scan in sound where scan.fieldCount > 1 || scan.delimiter == widest.delimiter {
            let names = CSVHeader.names(scan, from: start, in: bytes)
            do throws(InputError) {
                columns = try CSVColumns(header: names, options: options, isOnlyInput: isOnlyInput) { fail(.usage, $0) }
                self.names = names
                delimiter = scan.delimiter
                bodyStart = scan.nextRow
                return
            } catch {
                firstError = firstError ?? error
            }
        }
        let names = CSVHeader.names(widest, from: start, in: bytes)
        if names.count(where: CSVHeader.isDegrees) >= 2 {
            let advice = "(echo NAMES; cat \(input.shellWord))"
            throw fail(
                .badData,
                "first line is data (\(InputError.list(Array(names.prefix(4))))), expected the names of the "
                    + "\(names.count) columns; put a line with them (NAMES) before it: \(.buildFromOutput(of: advice))"
            )
        }
        throw firstError ?? fail(.badData, "header can't be read")
    }

    /// Whether a name looks like a coordinate: degrees with decimals. Then the header is probably missing.
    private static func isDegrees(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        let range = bytes.span.trimmingBlanks(0..<bytes.count)
        guard let degrees = DecimalDegrees.microdegrees(bytes.span, range, allowsComma: true) else { return false }
        return abs(degrees) <= Axis.longitude.limitMicrodegrees && (name.contains(".") || name.contains(","))
    }

    /// The first byte of the header: skips a byte order mark, empty lines, and a line that states the delimiter.
    private static func start(
        of bytes: Span<UInt8>, name: String
    ) throws(InputError) -> (offset: Int, delimiter: UInt8?) {
        func afterEmptyLines(_ start: Int) -> Int {
            var start = start
            while start < bytes.count, bytes[start] == UInt8(ascii: "\n") || bytes[start] == UInt8(ascii: "\r") {
                start += 1
            }
            return start
        }
        var start = afterEmptyLines(bytes.afterByteOrderMark)
        let delimiter = try givenDelimiter(of: bytes, at: start, name: name)
        if delimiter != nil { start = afterEmptyLines(bytes.nextLine(after: start)) }
        guard start < bytes.count else { throw InputError(.badData, in: name, "is empty, expected a header and rows") }
        return (start, delimiter)
    }

    /// The delimiter that the line at `start` states (`sep=;`, in quotes or not); `nil` for any other line.
    private static func givenDelimiter(
        of bytes: Span<UInt8>, at start: Int, name: String
    ) throws(InputError) -> UInt8? {
        // The longest such line is `"sep=;"`.
        var line = (start..<min(start + 8, bytes.count)).map { bytes[$0] }.prefix {
            $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
        }
        if line.count == 8 { return nil }
        if line.first == UInt8(ascii: "\""), line.last == UInt8(ascii: "\"") { line = line.dropFirst().dropLast() }
        guard line.count == 5, String(decoding: line.dropLast(), as: UTF8.self).lowercased() == "sep=",
            let delimiter = line.last
        else { return nil }
        guard delimiters.contains(delimiter) else {
            throw InputError(
                .badData, in: name, line: 1,
                "the delimiter of sep= is \(InputError.quoted([delimiter])), expected a comma, a semicolon, a tab or "
                    + "a bar")
        }
        return delimiter
    }

    private static func names(_ scan: CSVRowScanner, from start: Int, in bytes: Span<UInt8>) -> [String] {
        var scanner = CSVRowScanner(delimiter: scan.delimiter, roomForFields: scan.fieldCount)
        scanner.scan(bytes, from: start)
        var text: [UInt8] = []
        var names: [String] = []
        for field in scanner.fields {
            bytes.unquote(field, into: &text)
            names.append(String(decoding: text, as: UTF8.self))
        }
        return names
    }
}
