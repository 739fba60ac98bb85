import PyramidTiles

/// The first row of a CSV input: the delimiter and the purpose of the columns.
struct CSVHeader {
    let delimiter: UInt8
    let names: [String]
    let columns: CSVColumns
    /// Where the rows begin.
    let bodyStart: Int

    /// In the order of preference if several split the header into equally many fields.
    static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

    /// Reads the header. The delimiter is the one that splits it into the most fields, respecting quotes; one that
    /// reveals the coordinates takes precedence.
    /// - Parameter isOnlyInput: whether no other input could have the column of ids.
    init(_ input: InputBytes, options: InputOptions, isOnlyInput: Bool = true) throws(InputError) {
        let elements = input.elements
        let bytes = elements.span
        let start = try CSVHeader.start(of: bytes, name: input.name)
        var lines = LineCounter()
        let line = lines.line(at: start, in: bytes)
        func fail(_ kind: InputError.Kind, _ problem: OptionMessage) -> InputError {
            InputError(kind, in: input.name, line: line, problem)
        }

        let scans = CSVHeader.delimiters.map { delimiter in
            // No room for fields: their number is enough to choose.
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
        guard bytes.isValidUTF8(start..<widest.rowEnd) else { throw fail(.badData, "header is not valid UTF-8") }

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
        throw firstError ?? fail(.badData, "header can't be read")
    }

    /// The first byte that is neither a byte order mark nor part of an empty line.
    private static func start(of bytes: Span<UInt8>, name: String) throws(InputError) -> Int {
        var start = bytes.afterByteOrderMark
        while start < bytes.count, bytes[start] == UInt8(ascii: "\n") || bytes[start] == UInt8(ascii: "\r") {
            start += 1
        }
        guard start < bytes.count else { throw InputError(.badData, in: name, "is empty, expected a header and rows") }
        return start
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
