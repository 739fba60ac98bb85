import PyramidBuild
import PyramidParts
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// Rows with quotes of all kinds, against a reader that tries every reading of every row.
@Suite(.tags(.slow)) struct QuoteTests {
    private static let roundCount = isCampaign ? 4_000 : 250
    private static let headers = ["n,lat,lon", "lat,lon,n", "lat,n,lon", "n,lat,lon,m", "m,n,lon,lat,"]

    /// What was found in some files, so that a test can say that it met what it is about.
    private struct Met {
        var cellsAcrossLines = 0
        var quotesAsText = 0
        var shortRows = 0
        var skippedRows = 0
    }

    /// A file whose first rows are sound, with anything after them.
    private static func file(_ header: String, _ delimiter: String, _ random: inout SeededRandom) -> String {
        let lineEnd = ["\n", "\n", "\r\n", "\r"][random.next(below: 4)]
        let names = header.split(separator: ",", omittingEmptySubsequences: false)
        func row(_ text: String) -> String {
            names.map { $0.hasPrefix("l") ? "\(1 + random.next(below: 77))" : text }.joined(separator: delimiter)
        }
        let pieces = [
            "a", "1", "-7", "\"", "\"", "\"\"", delimiter, delimiter, lineEnd, lineEnd, " ", "\"a", "a\"",
            "\(delimiter)1\(delimiter)7", "\"\(delimiter)", "\(delimiter)\"", "\"\(lineEnd)", "\"1\"",
        ]
        var text = names.joined(separator: delimiter) + lineEnd + row("a") + lineEnd + row("") + lineEnd
        for _ in 0..<random.next(below: 8) {
            switch random.next(below: 8) {
            case 0, 1: text += row(["a", "\"a\"", "\"a", "a\"", ""][random.next(below: 5)])
            // Across lines.
            case 2: text += row("\"a\(lineEnd)\(pieces[random.next(below: pieces.count)])\"")
            case 3: text += row("a").dropLast(random.next(below: 4))
            default:
                for _ in 0..<random.next(below: 12) { text += pieces[random.next(below: pieces.count)] }
                if random.next(below: 3) == 0 { text += row("a") }
            }
            text += lineEnd
        }
        if random.next(below: 3) == 0 { text.removeLast() }
        return text
    }

    /// Calls `body` with random files, of all headers, whose readings the rule fixes.
    private static func forEachFile(
        seed: UInt64, count: Int, _ body: (_ bytes: [UInt8], _ expected: QuoteOracle) throws -> Void
    ) rethrows {
        var random = SeededRandom(seed: seed)
        for round in 0..<count {
            let header = headers[round % headers.count]
            let delimiter = round % 3 == 0 ? "\t" : ","
            let bytes = Array(file(header, delimiter, &random).utf8)
            guard let expected = QuoteOracle(bytes, header: header, delimiter: Array(delimiter.utf8)[0]) else {
                continue
            }
            try body(bytes, expected)
        }
    }

    /// Text columns, whatever they hold.
    private static func options(_ expected: QuoteOracle) -> InputOptions {
        InputOptions(types: expected.names.filter { !$0.hasPrefix("l") }.map { .init(column: $0, type: .string) })
    }

    @Test(arguments: 0..<5)
    func `every row is what the first of its readings with a place says`(seed: UInt64) throws {
        var met = Met()
        try QuoteTests.forEachFile(seed: seed, count: QuoteTests.roundCount) { bytes, expected in
            let what: Comment = "\(String(reflecting: String(decoding: bytes, as: UTF8.self)))"
            let table = try CSVReading.table(bytes, QuoteTests.options(expected))
            let accepted = expected.accepted
            #expect(table.rowStarts.map { Int($0) } == accepted.map(\.range.lowerBound), what)
            #expect(table.report.rowsRead == expected.rows.count, what)
            #expect(table.latitudes.map { Int($0) } == accepted.map { $0.place.latitude }, what)
            #expect(table.longitudes.map { Int($0) } == accepted.map { $0.place.longitude }, what)
            // Read again, each from its start.
            for (index, row) in accepted.enumerated() where index < table.count {
                #expect(Array(table.rowBytes(of: index)) == Array(bytes[row.range]), what)
            }
            #expect(CSVReading.properties(table) == accepted.map { expected.properties(of: $0) }, what)
            let quotesAsText = accepted.count { $0.hasQuoteAsText }
            #expect(table.report.warnings.contains { $0.description.hasPrefix("quotes") } == (quotesAsText > 0), what)

            met.cellsAcrossLines += accepted.count { $0.cells.contains { $0.contains(0x0a) || $0.contains(0x0d) } }
            met.quotesAsText += quotesAsText
            met.shortRows += accepted.count { $0.cells.count < expected.namedCount }
            met.skippedRows += expected.rows.count - accepted.count
        }
        let least = QuoteTests.roundCount / 10
        #expect(met.cellsAcrossLines > least && met.quotesAsText > least && met.skippedRows > least, "\(met)")
        #expect(met.shortRows > 0, "\(met)")
    }

    @Test(arguments: 0..<3)
    func `chunks of any size and any number of jobs read the same rows`(seed: UInt64) throws {
        try QuoteTests.forEachFile(seed: 100 + seed, count: QuoteTests.roundCount / 4) { bytes, expected in
            let options = QuoteTests.options(expected).lenient
            let whole = try PointTable(
                reading: [InputBytes(bytes, name: "t")], options: options,
                cutting: InputCutting(jobs: 1, chunkBytes: .max >> 1))
            #expect(whole.rowStarts.map { Int($0) } == expected.accepted.map(\.range.lowerBound))
            for (jobs, chunkBytes) in [(1, 1), (2, 1), (2, 2), (2, 5), (3, 11), (2, 23), (2, 60)] {
                let what: Comment =
                    "\(jobs) jobs, \(chunkBytes) bytes of \(String(reflecting: String(decoding: bytes, as: UTF8.self)))"
                let cut = try PointTable(
                    reading: [InputBytes(bytes, name: "t")], options: options,
                    cutting: InputCutting(jobs: jobs, chunkBytes: chunkBytes))
                #expect(cut.rowStarts == whole.rowStarts, what)
                #expect(cut.longitudes == whole.longitudes && cut.latitudes == whole.latitudes, what)
                #expect(cut.report == whole.report, what)
            }
        }
    }

    /// Their copies don't have what comes after them in the input.
    @Test(arguments: 0..<3)
    func `copies of rows are read like the rows`(seed: UInt64) throws {
        try QuoteTests.forEachFile(seed: 200 + seed, count: QuoteTests.roundCount) { bytes, expected in
            try QuoteTests.expectSameCopies(bytes, QuoteTests.options(expected))
        }
    }

    /// The first quote closes on the next line, whose cells have so many readings that not all are tried.
    @Test(arguments: [1, 5, 6, 7, 9])
    func `copies of rows are read like the rows if there are more readings than are tried`(cellCount: Int) throws {
        let names = ["n", "lat", "lon", "m"] + (0..<26).map { "c\($0)" }
        let odd = "\"A,1.5,7.5,\"\"\nz" + String(repeating: "\",\"p,q", count: cellCount) + "\"\n"
        let text = names.joined(separator: ",") + "\n" + odd + "B,3.5,5.5\n" + odd
        let table = try CSVReading.table(text)
        #expect(table.latitudes == [1_500_000, 3_500_000, 1_500_000])
        try QuoteTests.expectSameCopies(Array(text.utf8), InputOptions())
    }

    private static func expectSameCopies(_ bytes: [UInt8], _ options: InputOptions) throws {
        let table = try CSVReading.table(bytes, options)
        let copies = try RowCopies(in: "/tmp")
        // Backwards, so that no copy has its row's neighbour behind it.
        let order = Array((0..<table.count).reversed())
        try copies.append(order.map { table.rowStarts[$0] }, of: table.comparableInputs[0], number: 0)
        try copies.finish()
        var rows = AcceptedRows()
        for (copy, row) in order.enumerated() {
            rows.append(
                start: Int(copies.start(ofRow: copy)), longitude: table.longitudes[row], latitude: table.latitudes[row])
        }
        let copied = try copies.table(like: table).with(rows)
        #expect(
            CSVReading.features(copied) == CSVReading.features(table).reversed(),
            "\(String(reflecting: String(decoding: bytes, as: UTF8.self)))")
    }

    @Test(arguments: 0..<3)
    func `a build in parts reads rows with odd quotes as a build in memory does`(seed: UInt64) throws {
        var random = SeededRandom(seed: 300 + seed)
        let notes = [
            "x", "\"x", "x\"", "\"x\"", "\"a\n\nb,\"\"c\"\"\n\"", "\"", " \"x, y\" ", "\"p\n1,2\n\"", "\"5\" pipe\"",
            "\"x\ny",
            "z\"",
        ]
        let rows = (0..<240).map { index in
            let (latitude, longitude) = (random.next(below: 160) - 80, random.next(below: 358) - 179)
            let note = notes[random.next(below: notes.count)]
            return "\(notes[random.next(below: 4)]),\(latitude),\(longitude).\(index),\(note)\n"
        }
        let folder = try TemporaryFolder()
        func build(_ name: String, _ rows: [String], _ limits: PartLimits?) throws -> BuildReport {
            var options = BuildOptions(
                inputPaths: [try folder.file("\(name).csv", "n,lat,lon,m\n" + rows.joined())],
                outputPath: folder.path(name), input: InputOptions(maxSkipped: .unlimited),
                clustering: ClusteringOptions(clusterDistance: PixelsByZoom(3), maxZoom: 6))
            options.memoryLimit = .bytes(1 << 40)
            options.syncs = false
            var builder = PyramidBuilder(options: options)
            builder.partLimits = limits
            return try builder.build()
        }
        let whole = try build("whole", rows, nil)
        #expect(whole.partwise == nil)
        let expected = try fileTree(at: folder.path("whole"))
        for copiesRows in [true, false] {
            let name = "parts-\(copiesRows)"
            let limits = PartLimits(rowsRead: 30, rowsPerPart: 60, joinMarkers: 1 << 14, copiesRows: copiesRows)
            let parts = try build(name, rows, limits)
            #expect((parts.partwise?.partCount ?? 0) > 1)
            #expect(parts.input.rowsSkipped == whole.input.rowsSkipped)
            #expect(try fileTree(at: folder.path(name)) == expected)
        }
    }

    /// Rows that the rule names.
    @Test(arguments: [
        InputCase(
            "a stray quote at the beginning of a cell, another at the end of one rows later",
            "n,lat,lon\n\"A,1,2\nB,3,4\nC\",5,6\n", "2000000/1000000, 4000000/3000000, 6000000/5000000"),
        InputCase(
            "the first and the last line of a cell are rows", "n,lat,lon\n\"A,1,2\nB\",3,4\n",
            "2000000/1000000, 4000000/3000000"),
        InputCase(
            "only the last line of a cell is a row", "n,lat,lon\n\"A\nB\",3,4\nC,5,6\n",
            "4000000/3000000, 6000000/5000000"),
        InputCase(
            "an inner line of a cell is a row with empty coordinates", "n,lat,lon\n\"A\nB,,\nC\",3,4\n",
            "4000000/3000000, missing coordinate 1, ragged row 1"),
        InputCase(
            "an inner line has an empty latitude and a longitude that is none", "n,lat,lon\n\"A\nB,,x\nC\",3,4\n",
            "4000000/3000000"),
        InputCase(
            "an inner line has a latitude that is none and an empty longitude", "n,lat,lon\n\"A\nB,x,\nC\",3,4\n",
            "4000000/3000000"),
        InputCase(
            "inner lines are empty, and one field of one column is a line of blanks",
            "point\n\"A\n\n \n(3, 4)\"\n\"1, 2\"\n", "4000000/3000000, 2000000/1000000"),
        InputCase(
            "a cell of two lines in a row without coordinates", "n;lat;lon;m\nA;1;2;x\nB;;;\"Z 1\nZ 2\"\nC;3;4;y\n",
            "2000000/1000000, 4000000/3000000, missing coordinate 1"),
        InputCase(
            "a cell of two lines in a row whose coordinates are none",
            "n;lat;lon;m\nB;tba;tba;\"Z 1\nZ 2\"\nC;3;4;y\n", "4000000/3000000, unreadable coordinate 1"),
        InputCase(
            "a cell of two lines in a short row",
            "n;lat;lon;m;k\nA;1.5;2.5;\"Z 1\nZ 2\"\nB;;;\"Z 1\nZ 2\"\nC;3;4,0;y;z\nD;3,1;4;y;z\n",
            "4000000/3000000, 4000000/3100000, 2500000/1500000, missing coordinate 1"),
        InputCase(
            "a short row is the last line of a cell in a row without coordinates",
            "n;lat;lon;m;k\nB;;;\"Z;1\nC;3;4;\"\nD;5;6;z;z\n",
            "6000000/5000000, 4000000/3000000, missing coordinate 1"),
        InputCase(
            "a short row only if no other reading gives a whole one", "n,lat,lon,a,b\n\"Hut, the\",48.3,11.5,1\n",
            "11500000/48300000"),
        InputCase(
            "other quotes of a row with one that is text", "id,n,lat,lon\n\"2\",\"5\" pipe\",\"48.2\",\"11.3\"\n",
            "11300000/48200000"),
        InputCase(
            "a quote in the header that closes rows later", "n,lat,lon,\"m\nA,1,2,x\nB,3,4,y\"\nC,5,6,z\n",
            "2000000/1000000, 4000000/3000000, 6000000/5000000"),
        InputCase(
            "a quote in the header that closes at the end of a cell in a row", "n,lat,lon,\"m\nA,1,2,x\nB\",3,4,y\n",
            "2000000/1000000, 4000000/3000000"),
        InputCase(
            "a quote in the header over short rows", "n,lat,lon,\"m,k\nA,1,2\nB,3,4,y\"\nC,5,6,z,k\n",
            "6000000/5000000, 2000000/1000000, 4000000/3000000"),
        InputCase("a name of two lines", "\"n\nm\",lat,lon\nA,1,2\n", "2000000/1000000"),
        InputCase(
            "a pasted table that is read as rows", "n,lat,lon\n\"A\nB,1,2\nC\",3,4\n",
            "2000000/1000000, 4000000/3000000, ragged row 1"),
    ])
    func `a row's quotes are what the rule says`(given: InputCase) {
        #expect(CSVReading.outcome(given.bytes, given.options) == given.outcome)
    }

    @Test func `blanks around a quoted name don't belong to it`() throws {
        let table = try CSVReading.table("\"n\" , \"lat\" , \"lon\"\nA,1,2\n")
        #expect(table.propertyNames == ["n"])
    }

    @Test func `the warning counts the rows and names the first`() throws {
        let report = try CSVReading.table("n,lat,lon\nA,1,2\n\"B,3,4\n\"C\",5,6\nD,7,8\n\"E,9,1\n").report
        let warning = try #require(report.warnings.map(\.description).first { $0.contains("quotes") })
        #expect(warning.contains("2 rows") && warning.contains("t.csv:3"))
        #expect(report.rowsAccepted == 5)
    }
}

/// Reads CSV by the rule of quotes: tries all readings of a row in turn, each cell as quoted first, then as text up to the next
/// delimiter. Takes any time, and looks at the whole file.
struct QuoteOracle {
    struct Row {
        let range: Range<Int>
        let cells: [[UInt8]]
        let hasQuoteAsText: Bool
        /// In microdegrees; out of range for none.
        var place = (latitude: Int.max, longitude: Int.max)
        var isAccepted = false

        var texts: [String] { cells.map { String(decoding: $0, as: UTF8.self) } }
    }

    let names: [String]
    /// The number of cells up to the last one with a name.
    let namedCount: Int
    private(set) var rows: [Row] = []
    /// Those whose cells may be in other columns last.
    var accepted: [Row] {
        rows.filter { $0.isAccepted && !isRagged($0) } + rows.filter { $0.isAccepted && isRagged($0) }
    }

    private let bytes: [UInt8]
    private let delimiter: UInt8
    private let columnCount: Int
    private let latitude, longitude: Int
    /// Whether a row has more readings than the program tries, or cells beyond one spare.
    private var isOutsideRule = false

    private static let quote = UInt8(ascii: "\"")
    private static let readingLimit = 60

    /// `nil` if the program may read the file in another way.
    init?(_ bytes: [UInt8], header: String, delimiter: UInt8) {
        let cells = header.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        names = cells.enumerated().map { $1.isEmpty ? "column_\($0 + 1)" : $1 }
        namedCount = (cells.lastIndex { !$0.isEmpty } ?? -1) + 1
        columnCount = cells.count
        (latitude, longitude) = (cells.firstIndex(of: "lat") ?? 0, cells.firstIndex(of: "lon") ?? 0)
        (self.bytes, self.delimiter) = (bytes, delimiter)

        var position = after(lineEnd(0))
        while position < bytes.count {
            if isLineEnd(position) {
                position += 1
                continue
            }
            let row = row(at: position)
            rows.append(row)
            position = after(row.range.upperBound)
        }
        if isOutsideRule { return nil }
        let oracle = CertaintyOracle(cells, rows: rows.filter(\.isAccepted).map(\.texts))
        for index in rows.indices where rows[index].isAccepted {
            rows[index].isAccepted = oracle.isComplete(rows[index].texts) || oracle.isCertain(rows[index].texts)
        }
    }

    private func isRagged(_ row: Row) -> Bool {
        let spareCount = max(row.cells.count - columnCount, 0)
        return row.cells.count < namedCount || hasSpareText(row.cells)
            || row.texts.prefix(columnCount).dropFirst(max(latitude, longitude) + 1).prefix(spareCount)
                .contains(where: CertaintyOracle.isNumber)
    }

    // MARK: Lines

    private func isLineEnd(_ position: Int) -> Bool {
        bytes[position] == UInt8(ascii: "\n") || bytes[position] == UInt8(ascii: "\r")
    }

    private func lineEnd(_ position: Int) -> Int {
        bytes[position...].indices.first { isLineEnd($0) } ?? bytes.count
    }

    /// The position after the line end at a position.
    private func after(_ position: Int) -> Int {
        let isPair = bytes[position...].starts(with: Array("\r\n".utf8))
        return min(position + (isPair ? 2 : 1), bytes.count)
    }

    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        return Array(Array(text.drop(while: isBlank).reversed()).drop(while: isBlank).reversed())
    }

    // MARK: Rows

    private func isWhole(_ cells: [[UInt8]]) -> Bool { cells.count >= namedCount && !hasSpareText(cells) }

    private func hasSpareText(_ cells: [[UInt8]]) -> Bool {
        cells.dropFirst(columnCount).contains { !QuoteOracle.trimmed($0).isEmpty }
    }

    /// Microdegrees; `nil` for what is no number.
    private static func microdegrees(_ cell: [UInt8]) -> Int? {
        var digits = trimmed(cell)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        let parts = digits.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }),
            parts.joined().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        let text = String(decoding: digits, as: UTF8.self).replacing(",", with: ".")
        guard let degrees = Double(text.hasSuffix(".") ? text + "0" : text.hasPrefix(".") ? "0" + text : text) else {
            return nil
        }
        let microdegrees = Int((min(degrees, 1_000) * 1e6).rounded())
        return isNegative ? -microdegrees : microdegrees
    }

    private func place(_ cells: [[UInt8]]) -> (latitude: Int, longitude: Int)? {
        guard latitude < cells.count, longitude < cells.count,
            let north = QuoteOracle.microdegrees(cells[latitude]),
            let east = QuoteOracle.microdegrees(cells[longitude]),
            abs(north) <= 90_000_000, east >= -180_000_000, east <= 360_000_000
        else { return nil }
        return (north, east >= 180_000_000 ? east - 360_000_000 : east)
    }

    /// Whether a line is a row if all its quotes are text.
    /// - Parameter mayBeShort: whether it is also a row with fewer cells, if it has coordinates.
    private func isRow(_ line: Range<Int>, mayBeShort: Bool = false) -> Bool {
        let text = Array(bytes[line])
        let cells = text.split(separator: delimiter, omittingEmptySubsequences: false).map(Array.init)
        guard !QuoteOracle.trimmed(text).isEmpty, !hasSpareText(cells), cells.count > max(latitude, longitude) else {
            return false
        }
        let mayBeEmpty = isWhole(cells)
        return (mayBeEmpty || mayBeShort)
            && [latitude, longitude].allSatisfy {
                mayBeEmpty && QuoteOracle.trimmed(cells[$0]).isEmpty || QuoteOracle.microdegrees(cells[$0]) != nil
            }
    }

    /// Whether a line of a reading after its first one is a row.
    private func hidesRow(_ row: Row) -> Bool {
        var start = after(lineEnd(row.range.lowerBound))
        while start < row.range.upperBound {
            let end = min(lineEnd(start), row.range.upperBound)
            if isRow(start..<end, mayBeShort: true) { return true }
            start = after(end)
        }
        return false
    }

    // MARK: Readings

    /// The text of a quoted cell, and the position of the delimiter or line end after it; `nil` if it can't be one.
    private func quotedCell(at quote: Int) -> (text: [UInt8], end: Int)? {
        var text: [UInt8] = []
        var position = quote + 1
        var lines = [quote]
        while true {
            guard position < bytes.count else { return nil }
            if bytes[position] == QuoteOracle.quote {
                guard position + 1 < bytes.count, bytes[position + 1] == QuoteOracle.quote else { break }
                position += 1
            } else if isLineEnd(position) {
                let next = after(position)
                text += bytes[position..<next]
                position = next
                lines.append(next)
                continue
            }
            text.append(bytes[position])
            position += 1
        }
        let end = afterBlanks(position + 1)
        guard end == bytes.count || bytes[end] == delimiter || isLineEnd(end) else { return nil }
        if lines.count > 1 {
            guard !lines.dropFirst().dropLast().contains(where: { isRow($0..<lineEnd($0)) }) else { return nil }
            let start = bytes[..<quote].indices.last { isLineEnd($0) }.map { $0 + 1 } ?? 0
            if isRow(start..<lineEnd(start)), isRow(lines[lines.count - 1]..<lineEnd(lines[lines.count - 1])) {
                return nil
            }
        }
        return (text, end)
    }

    /// If the closing quote is followed by text on its line: the cells up to each quote before a delimiter or the line's end.
    private func cellsWithQuotes(at quote: Int) -> [(text: [UInt8], end: Int)] {
        let line = quote + 1..<lineEnd(quote)
        var position = line.lowerBound
        while position < line.upperBound,
            bytes[position] != QuoteOracle.quote
                || position + 1 < line.upperBound && bytes[position + 1] == QuoteOracle.quote
        {
            position += bytes[position] == QuoteOracle.quote ? 2 : 1
        }
        guard position < line.upperBound, afterBlanks(position + 1) < line.upperBound,
            bytes[afterBlanks(position + 1)] != delimiter
        else { return [] }
        return line.filter { end in
            bytes[end] == QuoteOracle.quote && (end + 1 == line.upperBound || bytes[end + 1] == delimiter)
        }.map { (Array(bytes[quote + 1..<$0]), $0 + 1) }
    }

    private func afterBlanks(_ position: Int) -> Int {
        bytes[min(position, bytes.count)...].indices.first { index in
            bytes[index] == delimiter || bytes[index] != UInt8(ascii: " ") && bytes[index] != UInt8(ascii: "\t")
        } ?? bytes.count
    }

    /// All readings of the row from a cell on, in turn.
    private mutating func addReadings(
        _ start: Int, _ position: Int, _ cells: [[UInt8]], _ hasQuoteAsText: Bool, to readings: inout [Row]
    ) {
        guard readings.count < QuoteOracle.readingLimit else {
            isOutsideRule = true
            return
        }
        let textEnd = bytes[position...].indices.first { bytes[$0] == delimiter || isLineEnd($0) } ?? bytes.count
        let quote = afterBlanks(position)
        var ways: [(text: [UInt8], end: Int, isQuoteText: Bool)] = []
        let beginsWithQuote = quote < bytes.count && bytes[quote] == QuoteOracle.quote
        if beginsWithQuote, let (text, end) = quotedCell(at: quote) {
            ways.append((text, end, false))
            // The rule doesn't say how many spare cells can have several lines.
            if cells.count > columnCount, end > lineEnd(position) { isOutsideRule = true }
        } else if beginsWithQuote {
            ways = cellsWithQuotes(at: quote).map { ($0.text, $0.end, true) }
        }
        // Quotes around a cell without delimiters and line ends raise no question.
        if ways.isEmpty || ways[0].end != textEnd || ways[0].isQuoteText {
            ways.append((Array(bytes[position..<textEnd]), textEnd, beginsWithQuote))
        }
        for way in ways {
            let next = cells + [way.text]
            let isText = hasQuoteAsText || way.isQuoteText
            if way.end < bytes.count, bytes[way.end] == delimiter {
                addReadings(start, way.end + 1, next, isText, to: &readings)
            } else {
                readings.append(Row(range: start..<way.end, cells: next, hasQuoteAsText: isText))
            }
        }
    }

    private mutating func row(at start: Int) -> Row {
        var readings: [Row] = []
        addReadings(start, start, [], false, to: &readings)
        for index in readings.indices { readings[index].place = place(readings[index].cells) ?? readings[index].place }
        func hasPlace(_ row: Row) -> Bool { row.place.latitude != .max }
        // Other rows don't disappear in rows that aren't whole.
        func firstHidingNone(_ fits: (Row) -> Bool) -> Row? {
            readings.first { fits($0) && !hidesRow($0) } ?? readings.first(where: fits)
        }
        var row =
            readings.first { hasPlace($0) && isWhole($0.cells) }
            ?? firstHidingNone { hasPlace($0) && !hasSpareText($0.cells) }
            ?? readings.first { hasPlace($0) && $0.range.upperBound == lineEnd(start) } ?? readings.first(
                where: hasPlace)
            ?? firstHidingNone { $0.cells.count > max(latitude, longitude) && !hasSpareText($0.cells) }
            ?? firstLine(start)
        // A short row at the end of a file without a line end was cut off.
        let isCutOff = row.cells.count < namedCount && row.range.upperBound == bytes.count
        row.isAccepted = hasPlace(row) && !isCutOff
        return row
    }

    private func firstLine(_ start: Int) -> Row {
        let line = start..<lineEnd(start)
        return Row(
            range: line,
            cells: bytes[line].split(separator: delimiter, omittingEmptySubsequences: false).map(Array.init),
            hasQuoteAsText: true)
    }

    /// As JSON. The texts have nothing to escape but quotes, tabs and line ends.
    func properties(of row: Row) -> String {
        let pairs = zip(names, row.cells).enumerated().compactMap { index, pair -> String? in
            guard index != latitude, index != longitude, !pair.1.isEmpty else { return nil }
            let text = String(decoding: pair.1, as: UTF8.self).unicodeScalars.map { scalar in
                switch scalar {
                case "\"": "\\\""
                case "\n": "\\n"
                case "\r": "\\r"
                case "\t": "\\t"
                default: String(scalar)
                }
            }
            return "\"\(pair.0)\":\"\(text.joined())\""
        }
        return "{\(pairs.joined(separator: ","))}"
    }
}
