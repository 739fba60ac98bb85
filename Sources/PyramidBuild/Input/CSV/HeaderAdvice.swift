import PyramidTiles

/// What is wrong with a CSV input in which the columns of the coordinates can't be found, or don't fit the rows: says so
/// if it is something that people often have, with a cure for just this input.
struct HeaderAdvice {
    private let input: InputBytes
    /// The first byte of the header.
    private let start: Int
    let options: InputOptions
    let isOnlyInput: Bool

    /// How many lines may stand before the header.
    private static let preambleLines = 50
    /// How many lines after the header are looked at.
    private static let sampleLines = 10
    /// Longer lines are no header.
    private static let lineBytes = 1 << 20

    init(_ input: InputBytes, headerAt start: Int, options: InputOptions, isOnlyInput: Bool) {
        self.input = input
        self.start = start
        self.options = options
        self.isOnlyInput = isOnlyInput
    }

    /// The problem if the line at the start has no columns of coordinates; `nil` if it is unknown.
    var problem: InputError? { preamble ?? blanks ?? quotedLines }

    /// Lines before the header.
    private var preamble: InputError? {
        let lines = lines(HeaderAdvice.preambleLines + HeaderAdvice.sampleLines)
        for index in lines.indices.dropFirst().prefix(HeaderAdvice.preambleLines) {
            for delimiter in CSVHeaderReading.delimiters {
                let names = lines[index].cells(delimiter)
                guard names.count > 1, let columns = columns(names) else { continue }
                // A row can have a cell such as "point", but then the next one has no coordinates in that place.
                let rows = lines[(index + 1)...].prefix(3).map { $0.cells(delimiter) }
                guard rows.contains(where: { hasCoordinates($0, columns.coordinates) }) else { continue }
                return error(
                    .usage,
                    "has no columns for latitude and longitude, but line \(lines[index].number) looks like the header "
                        + "(\(shown(names))): use \(.skipLines) \(lines[index].number - 1)")
            }
        }
        return nil
    }

    /// Columns separated by blanks, perhaps in a table of R with names of rows.
    private var blanks: InputError? {
        let lines = lines(1 + HeaderAdvice.sampleLines).map(\.words)
        guard let names = lines.first, names.count > 1, let columns = columns(names) else { return nil }
        let rows = Array(lines.dropFirst())
        let hasRowNames = haveRowNames(rows, columns)
        guard
            hasRowNames
                || rows.allSatisfy({ $0.count == names.count })
                    && rows.first.map({ hasCoordinates($0, columns.coordinates) }) != false
        else { return nil }
        let command =
            "perl -pe '\(hasRowNames ? "s/^/row / if $. == 1; " : "")"
            + #"s/^[ \t]+//; s/("[^"]*")|[ \t]+/$1 || "\t"/ge' FILE"#
        return error(
            .badData,
            "blanks separate the columns (\(shown(names))), expected a comma, a semicolon, a tab or a bar; put tabs "
                + "between them: \(.buildFromOutput(of: input.command(command)))")
    }

    /// Every line in one pair of quotes.
    private var quotedLines: InputError? {
        let lines = lines(1 + HeaderAdvice.sampleLines)
        let inner = lines.map(\.withoutQuotes)
        guard let header = inner.first ?? nil, !inner.contains(where: { $0 == nil }) else { return nil }
        for (delimiter, name) in [(";", "semicolons"), (",", "commas"), ("\t", "tabs"), ("|", "bars")] {
            let names = header.cells(delimiter.utf8.first ?? 0)
            guard names.count > 1, columns(names) != nil else { continue }
            return outerQuotes("every line is one cell in quotes, probably of a file with \(name) that was saved again")
        }
        return nil
    }

    /// What is wrong with the rows under a header that has columns of coordinates; `nil` if nothing is known to be.
    /// - Parameter bodyStart: where the rows begin.
    func problem(of columns: CSVColumns, delimiter: UInt8, bodyStart: Int) -> InputError? {
        let rows = lines(HeaderAdvice.sampleLines, from: bodyStart)
        return rowNames(rows, columns, delimiter) ?? quotedRows(rows, columns, delimiter)
    }

    /// Rows in one pair of quotes under a header without: those whose numbers have commas.
    private func quotedRows(_ rows: [Line], _ columns: CSVColumns, _ delimiter: UInt8) -> InputError? {
        let inner = rows.map { $0.withoutQuotes ?? $0 }
        let quotedCount = rows.count { $0.withoutQuotes != nil }
        guard columns.count > 1, !rows.isEmpty, quotedCount > 1 || rows[0].bytes.contains(UInt8(ascii: ",")),
            quotedCount * 2 >= rows.count,
            inner.allSatisfy({ $0.cells(delimiter).count == columns.count }),
            zip(rows, inner).allSatisfy({ $0.bytes != $1.bytes || !$0.bytes.contains(UInt8(ascii: "\"")) })
        else { return nil }
        return outerQuotes("rows are one cell in quotes, probably of a file that was saved again with other delimiters")
    }

    private func outerQuotes(_ problem: OptionMessage) -> InputError {
        let command = input.command(#"sed 's/"\(.*\)"/\1/; s/""/"/g' FILE"#)
        return error(.badData, "\(problem); remove the outer quotes: \(.buildFromOutput(of: command))")
    }

    /// Whether the rows have a cell more than the header, the first one: R's `write.table` writes the names of the rows,
    /// but no name for their column. They are numbers from 1 unless somebody named the rows.
    private func haveRowNames(_ rows: [[String]], _ columns: CSVColumns) -> Bool {
        let shifted = CoordinateColumns(
            longitude: AngleColumns(columns.coordinates.longitude.degrees + 1),
            latitude: AngleColumns(columns.coordinates.latitude.degrees + 1))
        return rows.count > 1
            && rows.enumerated().allSatisfy { index, cells in
                cells.count == columns.count + 1 && cells.last?.isEmpty == false && hasCoordinates(cells, shifted)
                    && (cells[0] == String(index + 1) || !hasCoordinates(cells, columns.coordinates))
            }
    }

    private func rowNames(_ lines: [Line], _ columns: CSVColumns, _ delimiter: UInt8) -> InputError? {
        // Quotes with backslashes make rows longer, too.
        guard haveRowNames(lines.map { $0.cells(delimiter) }, columns),
            !lines.contains(where: { HeaderAdvice.hasBackslashedQuote($0.bytes.span, $0.bytes.indices) })
        else { return nil }
        let sign = delimiter == UInt8(ascii: "\t") ? "\\t" : String(UnicodeScalar(delimiter))
        let elements = input.elements
        let text =
            options.skipLines > 0
            ? input.command("tail -n +\(options.skipLines + 1) FILE")
            : elements.span.afterByteOrderMark == 0 ? input.shownText : input.command("tail -c +4 FILE")
        return error(
            .badData,
            "the header has \(NumberText.counted(columns.count, "name")), one less than the rows have cells, as R's "
                + "write.table makes it; write it with col.names = NA, or name the first column here: "
                + "\(.buildFromOutput(of: "(printf 'row\(sign)'; \(text))"))")
    }

    /// Whether a backslash escapes a quote, and isn't escaped itself.
    static func hasBackslashedQuote(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var isEscaped = false
        for position in range {
            if isEscaped, bytes[position] == UInt8(ascii: "\"") { return true }
            isEscaped = !isEscaped && bytes[position] == UInt8(ascii: "\\")
        }
        return false
    }

    private func error(_ kind: InputError.Kind, _ problem: OptionMessage) -> InputError {
        let elements = input.elements
        var lines = LineCounter()
        return InputError(kind, in: input.name, line: lines.line(at: start, in: elements.span), problem)
    }

    private func shown(_ names: [String]) -> String {
        let limit = 6
        return InputError.list(Array(names.prefix(limit))) + (names.count > limit ? ", …" : "")
    }

    private func columns(_ names: [String]) -> CSVColumns? {
        try? CSVColumns(header: names, options: options, isOnlyInput: isOnlyInput) { error(.usage, $0) }
    }

    /// Whether the cells of the coordinates look like some: they have digits, and hardly any letters unless both are in
    /// one cell.
    private func hasCoordinates(_ cells: [String], _ columns: CoordinateColumns) -> Bool {
        [columns.latitude.degrees, columns.longitude.degrees].allSatisfy { column in
            guard column < cells.count else { return false }
            let cell = cells[column]
            return cell.contains(where: \.isNumber)
                && (columns.isPoint || cell.allSatisfy { !$0.isLetter || "NSEWOnsewo".contains($0) })
        }
    }
}

/// Lines of the input that aren't empty.
extension HeaderAdvice {
    private struct Line {
        /// Counted from 1.
        let number: Int
        let bytes: [UInt8]

        /// The cells, unquoted and without blanks around them.
        func cells(_ delimiter: UInt8) -> [String] {
            CSVHeaderReading(bytes.span, at: 0, delimiter, .auto, acrossLines: true).names.map {
                String($0.trimmingBlanks)
            }
        }

        /// What blanks separate, except within quotes, without the quotes around it.
        var words: [String] {
            var isQuoted = false
            return bytes.split { byte in
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                return !isQuoted && (byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t"))
            }.map { String(String(decoding: $0, as: UTF8.self).trimming { $0 == "\"" }) }
        }

        /// The text of a line that is a single cell in quotes.
        var withoutQuotes: Line? {
            let quote = UInt8(ascii: "\"")
            guard bytes.count > 2, bytes.first == quote, bytes.last == quote else { return nil }
            let inner = Array(String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self).utf8)
            var single: [UInt8] = []
            var index = 0
            while index < inner.count {
                single.append(inner[index])
                if inner[index] == quote {
                    guard index + 1 < inner.count, inner[index + 1] == quote else { return nil }
                    index += 1
                }
                index += 1
            }
            return Line(number: number, bytes: single)
        }
    }

    /// The cells of the first rows.
    func rows(_ delimiter: UInt8, from bodyStart: Int) -> [[String]] {
        lines(HeaderAdvice.sampleLines, from: bodyStart).map { $0.cells(delimiter) }
    }

    private func lines(_ count: Int) -> [Line] { lines(count, from: start) }

    /// The next lines; ends before one that is very long.
    private func lines(_ count: Int, from start: Int) -> [Line] {
        let elements = input.elements
        let bytes = elements.span
        var counter = LineCounter()
        var lines: [Line] = []
        var position = start
        while position < bytes.count, lines.count < count {
            let known = bytes.extracting(position..<min(position + HeaderAdvice.lineBytes, bytes.count))
            let length = known.indices.first { known[$0] == UInt8(ascii: "\n") || known[$0] == UInt8(ascii: "\r") }
            guard length != nil || known.count < HeaderAdvice.lineBytes else { break }
            let line = Array(elements[position..<position + (length ?? known.count)])
            if !line.isEmpty { lines.append(Line(number: counter.line(at: position, in: bytes), bytes: line)) }
            position = bytes.afterLineEnd(at: position + line.count)
        }
        return lines
    }
}
