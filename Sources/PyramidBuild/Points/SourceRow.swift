import PyramidTiles

/// An input as the comparison of its rows needs it. It holds no references, so threads don't contend for reference
/// counts.
struct RowSource: @unchecked Sendable {
    /// Read-only, and valid as long as the input lives.
    let bytes: UnsafeBufferPointer<UInt8>
    /// `nil` for GeoJSON.
    let delimiter: UInt8?
    /// The rank of the input's ``RowSyntax`` by content, among all inputs.
    let rank: Int

    /// The sources of all inputs; the inputs must live longer.
    static func all(_ inputs: [InputBytes], syntaxes: [RowSyntax]) -> [RowSource] {
        zip(inputs, zip(syntaxes, RowSyntax.ranks(syntaxes))).map { input, syntax in
            RowSource(bytes: input.elements, delimiter: syntax.0.delimiter, rank: syntax.1)
        }
    }
}

/// An accepted row in its input.
struct SourceRow {
    let source: RowSource
    let start: Int

    /// Whether this row precedes another: by their bytes, excluding line ends; a prefix comes first. Rows with the same
    /// bytes but different meanings are in the order of their syntax.
    ///
    /// Linear in the rows' common prefix; for GeoJSON, and for prefixes with quotes, in the rows' lengths.
    func precedes(_ other: SourceRow) -> Bool {
        if let delimiter = source.delimiter, other.source.delimiter == delimiter {
            let order = SourceRow.csvOrder(
                source.bytes.span, start, other.source.bytes.span, other.start, delimiter: delimiter)
            return order == 0 ? source.rank < other.source.rank : order < 0
        }
        let order = SourceRow.order(source.bytes.span, start..<end, other.source.bytes.span, other.start..<other.end)
        return order == 0 ? source.rank < other.source.rank : order < 0
    }

    /// Negative if the first bytes come before the second, 0 if they are equal.
    private static func order(
        _ firstBytes: Span<UInt8>, _ first: Range<Int>, _ secondBytes: Span<UInt8>, _ second: Range<Int>
    ) -> Int {
        for (left, right) in zip(first, second) where firstBytes[left] != secondBytes[right] {
            return Int(firstBytes[left]) - Int(secondBytes[right])
        }
        return first.count - second.count
    }

    /// The order of two rows of CSV with the same delimiter.
    private static func csvOrder(
        _ firstBytes: Span<UInt8>, _ first: Int, _ secondBytes: Span<UInt8>, _ second: Int, delimiter: UInt8
    ) -> Int {
        // Before the first quote, a line end always ends the row, so most rows needn't be split into fields.
        var length = 0
        while true {
            let left = rowByte(firstBytes, at: first + length)
            let right = rowByte(secondBytes, at: second + length)
            if left != right {
                // `nil` is the end of a row.
                guard let right else { return 1 }
                return left.map { $0 < right } ?? true ? -1 : 1
            }
            guard let left else { return 0 }
            if left == UInt8(ascii: "\"") { break }
            length += 1
        }
        let firstEnd = csvEnd(firstBytes, from: first, delimiter: delimiter)
        let secondEnd = csvEnd(secondBytes, from: second, delimiter: delimiter)
        return order(firstBytes, first + length..<firstEnd, secondBytes, second + length..<secondEnd)
    }

    private static func rowByte(_ bytes: Span<UInt8>, at offset: Int) -> UInt8? {
        guard offset < bytes.count else { return nil }
        let byte = bytes[offset]
        return byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? nil : byte
    }

    /// The row's bytes, without the line end; valid as long as the input lives.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: source.bytes[start..<end]))
    }

    /// The position after the row's last byte; the line end doesn't count.
    private var end: Int {
        if let delimiter = source.delimiter {
            return SourceRow.csvEnd(source.bytes.span, from: start, delimiter: delimiter)
        }
        var scanner = JSONScanner(at: start)
        // Another program may have broken the JSON since.
        return (try? scanner.scanValue(source.bytes.span).range.upperBound) ?? start
    }

    private static func csvEnd(_ bytes: Span<UInt8>, from start: Int, delimiter: UInt8) -> Int {
        var scanner = CSVRowScanner(delimiter: delimiter, roomForFields: 0)
        scanner.scan(bytes, from: start)
        return scanner.rowEnd
    }
}
