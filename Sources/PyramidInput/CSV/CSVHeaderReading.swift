import PyramidTiles

/// A header that was split at a delimiter.
struct CSVHeaderReading {
    /// In order of preference, for headers that several of them split into equally many fields.
    static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

    let delimiter: UInt8
    let names: [String]
    let start, rowEnd, nextRow: Int
    /// Whether a quote at the beginning of a name is text.
    let hasQuoteAsText: Bool

    init(_ bytes: Span<UInt8>, at start: Int, _ delimiter: UInt8, acrossLines: Bool) {
        func scan(keeping fieldCount: Int) -> CSVRowScanner {
            var scanner = CSVRowScanner(CSVRowRule(headerDelimitedBy: delimiter), keeping: fieldCount)
            scanner.scanHeader(bytes, from: start, acrossLines: acrossLines)
            return scanner
        }
        let scanner = scan(keeping: min(scan(keeping: 0).row.fieldCount, InputLimits.columns + 1))
        var text: [UInt8] = []
        names = scanner.row.fields.map { field in
            bytes.unquote(field, into: &text)
            return String(decoding: text, as: UTF8.self)
        }
        (self.delimiter, self.start) = (delimiter, start)
        (rowEnd, nextRow, hasQuoteAsText) = (scanner.row.end, scanner.nextRow, scanner.row.hasQuoteAsText)
    }
}
