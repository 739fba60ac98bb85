import PyramidTiles

/// What is wrong with a CSV input in which the columns of the coordinates can't be found, or don't fit the rows: says so
/// if it is something that people often have, with a cure for just this input.
struct HeaderAdvice {
    let input: InputBytes
    /// The first byte of the header.
    let start: Int
    let options: InputOptions
    let isOnlyInput: Bool

    /// How many lines may stand before the header.
    private static let preambleLines = 50
    /// How many rows are looked at.
    private static let sampleLines = 10
    /// How many lines after the header these rows are chosen from.
    private static let firstLines = 100
    private static let otherDelimiters = Array(":^~#&/ ".utf8)
    /// Longer lines aren't headers.
    private static let lineBytes = 1 << 20

    /// The problem if the line at the start has no columns of coordinates; `nil` if it is unknown.
    var problem: InputError? { hiddenHeader ?? quotedLines ?? missingHeader ?? pointColumn }

    /// A header under other lines, or with a delimiter that the options have to name.
    private var hiddenHeader: InputError? {
        let lines = lines(HeaderAdvice.preambleLines + HeaderAdvice.sampleLines)
        for index in lines.indices.prefix(1 + HeaderAdvice.preambleLines) {
            for delimiter in index == 0 ? HeaderAdvice.otherDelimiters : CSVHeaderReading.delimiters {
                let names = lines[index].cells(delimiter)
                guard names.count > 1, let columns = try? columns(names) else { continue }
                // A row can have a cell such as "point", but then the next one has no coordinates in that place.
                let rows = lines[(index + 1)...].prefix(3).map { $0.cells(delimiter) }
                guard rows.contains(where: { hasCoordinates($0, columns.coordinates) }) else { continue }
                let (sign, number) = (String(UnicodeScalar(delimiter)), lines[index].number)
                let problem: OptionMessage =
                    index == 0
                    ? "\"\(sign)\" seems to separate the columns (\(shown(names))): use \(.delimiter) \(ShellWord.quoted(sign))"
                    : "has no columns for latitude and longitude, but line \(number) looks like the header "
                        + "(\(shown(names))): use \(.skipLines) \(number - 1)"
                return error(.usage, problem)
            }
        }
        return nil
    }

    /// Every line in one pair of quotes.
    private var quotedLines: InputError? {
        let inner = lines(1 + HeaderAdvice.sampleLines).map(\.withoutQuotes)
        guard let header = inner.first ?? nil, !inner.contains(where: { $0 == nil }) else { return nil }
        for (delimiter, name) in [(";", "semicolons"), (",", "commas"), ("\t", "tabs"), ("|", "bars")] {
            let names = header.cells(delimiter.utf8.first ?? 0)
            guard names.count > 1, (try? columns(names)) != nil else { continue }
            let command = input.command(#"sed 's/"\(.*\)"/\1/; s/""/"/g' FILE"#)
            return error(
                .badData,
                "every line is one cell in quotes, probably of a file with \(name) that was saved again; remove the outer "
                    + "quotes: \(.buildFromOutput(of: command))")
        }
        return nil
    }

    /// A first line of coordinates instead of names.
    private var missingHeader: InputError? {
        // The comma comes last, because it may be a decimal comma. A line without a delimiter is one cell.
        let delimiters: [UInt8] = CSVHeaderReading.delimiters.reversed() + HeaderAdvice.otherDelimiters
        for delimiter in options.delimiter.map({ Array($0.utf8) }) ?? delimiters {
            guard let cells = lines(1).first?.cells(delimiter), cells.count > 1 || delimiter == UInt8(ascii: ","),
                !cells.allSatisfy({ Int($0) != nil }),
                cells.flatMap(coordinates).count(where: { abs($0) <= Axis.longitude.limitMicrodegrees }) > 1
            else { continue }
            let problem: OptionMessage =
                "first line is data (\(shown(cells))), expected names; put a line with "
                + "\(NumberText.counted(cells.count, "name")) (NAMES) before it: "
                + "\(.buildFromOutput(of: "(echo NAMES; \(input.shownText))"))"
            guard HeaderAdvice.otherDelimiters.contains(delimiter) else { return error(.badData, problem) }
            return error(.badData, "\(problem) \(.delimiter) \(ShellWord.quoted(String(UnicodeScalar(delimiter))))")
        }
        return nil
    }

    /// The problem that one column has both coordinates, though its name doesn't say so.
    private var pointColumn: InputError? {
        let lines = lines(1 + HeaderAdvice.sampleLines)
        guard let header = lines.first, !options.namesCoordinates else { return nil }
        for delimiter in options.delimiter.map({ Array($0.utf8) }) ?? CSVHeaderReading.delimiters {
            let (names, rows) = (header.cells(delimiter), lines.dropFirst().map { $0.cells(delimiter) })
            guard names.count > 1, CoordinateColumns.candidates(among: names).isEmpty,
                CoordinateColumns.pointCandidates(among: names).isEmpty
            else { continue }
            let column = names.indices.first { column in
                let cells = rows.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
                return !cells.isEmpty
                    && cells.allSatisfy { coordinates($0).count > 1 && $0.wholeMatch(of: /-?[0-9]+,[0-9]+/) == nil }
            }
            guard let column else { continue }
            return error(
                .usage,
                "no columns for latitude and longitude among \(InputError.list(names)); \(InputError.list([names[column]])) "
                    + "seems to have both: use \(.pointColumn) \(ShellWord.quoted(names[column]))")
        }
        return nil
    }

    /// What is wrong with the rows under a header that has columns of coordinates; `nil` if nothing is known to be.
    ///
    /// They have a cell more than the header, the first one: R's `write.table` writes the names of the rows, but no name for
    /// their column. They are numbers from 1 unless somebody named the rows.
    /// - Parameter bodyStart: where the rows begin.
    func problem(of columns: CSVColumns, delimiter: UInt8, bodyStart: Int) -> InputError? {
        let lines = lines(HeaderAdvice.sampleLines, from: bodyStart)
        let shifted = CoordinateColumns(
            longitude: AngleColumns(columns.coordinates.longitude.degrees + 1),
            latitude: AngleColumns(columns.coordinates.latitude.degrees + 1))
        let haveNames = lines.enumerated().allSatisfy { index, line in
            let cells = line.cells(delimiter)
            return cells.count == columns.count + 1 && cells.last?.isEmpty == false && hasCoordinates(cells, shifted)
                && (cells[0] == String(index + 1)
                    && (haveDecimals(cells, shifted) || !haveDecimals(cells, columns.coordinates))
                    || !hasCoordinates(cells, columns.coordinates))
        }
        // Quotes with backslashes make rows longer, too.
        guard options.delimiter == nil, lines.count > 1, haveNames,
            !lines.contains(where: { HeaderAdvice.hasBackslashedQuote($0.bytes.span, $0.bytes.indices) })
        else { return nil }
        let sign = delimiter == UInt8(ascii: "\t") ? "\\t" : String(UnicodeScalar(delimiter))
        let elements = input.elements
        let text =
            options.skipLines > 0
            ? input.command("tail -n +\(options.skipLines + 1) FILE")
            : elements.span.afterByteOrderMark() == 0 ? input.shownText : input.command("tail -c +4 FILE")
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

    func error(_ kind: InputError.Kind, _ problem: OptionMessage) -> InputError {
        InputError(kind, in: input.name, line: input.line(at: start), problem)
    }

    private func shown(_ names: [String]) -> String {
        InputError.list(Array(names.prefix(6))) + (names.count > 6 ? ", …" : "")
    }

    func columns(_ names: [String], _ rows: [[String]] = []) throws(InputError) -> CSVColumns {
        try CSVColumns(header: names, rows: rows, options: options, isOnlyInput: isOnlyInput) { error(.usage, $0) }
    }

    private func hasCoordinates(_ cells: [String], _ columns: CoordinateColumns) -> Bool {
        [columns.latitude.degrees, columns.longitude.degrees].allSatisfy {
            $0 < cells.count && coordinates(cells[$0]).count > (columns.isPoint ? 1 : 0)
        }
    }

    /// Whether both coordinates have decimals, so that they can't be ids, row numbers or halves of a decimal number.
    private func haveDecimals(_ cells: [String], _ columns: CoordinateColumns) -> Bool {
        [columns.latitude.degrees, columns.longitude.degrees].allSatisfy {
            $0 < cells.count && cells[$0].contains { ".,".contains($0) }
        }
    }

    /// The coordinates in a cell, in microdegrees.
    private func coordinates(_ cell: String) -> [Int] {
        let bytes = Array(cell.utf8)
        if let point = PointText(bytes.span, bytes.indices) { return [point.latitude, point.longitude] }
        guard let angle = DecimalDegrees.angle(bytes.span, bytes.indices) else { return [] }
        return [angle.value(on: .latitude) ?? angle.value(on: .longitude) ?? 0]
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
            CSVHeaderReading(bytes.span, at: 0, delimiter, acrossLines: true).names.map {
                String($0.trimmingBlanks)
            }
        }

        /// The text of a line that is a single cell in quotes.
        var withoutQuotes: Line? {
            guard bytes.count > 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
                return nil
            }
            let inner = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self).replacing("\"\"", with: "\0")
            return inner.contains("\"")
                ? nil : Line(number: number, bytes: Array(inner.replacing("\0", with: "\"").utf8))
        }
    }

    /// The cells of a few of the first rows, those with the most values: rows without coordinates say nothing about them.
    func rows(_ delimiter: UInt8, from bodyStart: Int, fieldCount: Int) -> [[String]] {
        let rows = lines(HeaderAdvice.firstLines, from: bodyStart).map { line in
            let cells = line.cells(delimiter)
            let count = cells.count { !ColumnNames.missing.contains($0.lowercased()) }
            return (cells: cells, valueCount: min(count, fieldCount))
        }.enumerated()
        let fullest = rows.sorted { ($1.element.valueCount, $0.offset) < ($0.element.valueCount, $1.offset) }
        return fullest.prefix(HeaderAdvice.sampleLines).map(\.element.cells)
    }

    /// The next lines; ends before one that is very long.
    /// - Parameter start: `nil` for the header.
    private func lines(_ count: Int, from start: Int? = nil) -> [Line] {
        let elements = input.elements
        let bytes = elements.span
        var (lines, counter, position) = ([Line](), LineCounter(), start ?? self.start)
        while position < bytes.count, lines.count < count {
            let known = bytes.extracting(position..<min(position + HeaderAdvice.lineBytes, bytes.count))
            let length = known.lineEnd(from: 0)
            guard length < HeaderAdvice.lineBytes else { break }
            let line = Array(elements[position..<position + length])
            if !line.isEmpty { lines.append(Line(number: counter.line(at: position, in: bytes), bytes: line)) }
            position = bytes.afterLineEnd(at: position + line.count)
        }
        return lines
    }
}
