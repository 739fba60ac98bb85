import PyramidTiles

/// An input as the comparison of its rows needs it. It holds no references, so threads don't contend for reference
/// counts.
package struct ComparableInput: @unchecked Sendable {
    /// Read-only, and valid as long as the input lives.
    package let bytes: UnsafeBufferPointer<UInt8>
    /// `nil` for GeoJSON.
    package let rule: CSVRowRule?
    /// The rank of the input's ``RowSyntax`` by content, among all inputs.
    package let rank: Int

    /// All inputs; they inputs must live longer.
    package static func all(_ inputs: [InputBytes], syntaxes: [RowSyntax]) -> [ComparableInput] {
        zip(inputs, zip(syntaxes, RowSyntax.ranks(syntaxes))).map { input, syntax in
            ComparableInput(bytes: input.elements, rule: syntax.0.rule, rank: syntax.1)
        }
    }
}

/// An accepted row in its input.
package struct InputRow {
    package let input: ComparableInput
    package let start: Int

    package init(input: ComparableInput, start: Int) {
        self.input = input
        self.start = start
    }

    /// Whether this row precedes another: by their bytes, excluding line ends; a prefix comes first. Rows with the same
    /// bytes but different meanings are in the order of their syntax.
    ///
    /// Linear in the rows' common prefix; for GeoJSON, and for prefixes with quotes, in the rows' lengths.
    package func precedes(_ other: InputRow) -> Bool {
        let order =
            csvOrder(other)
            ?? InputRow.order(
                input.bytes.span, start..<end, other.input.bytes.span, other.start..<other.end)
        return order == 0 ? input.rank < other.input.rank : order < 0
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

    /// The order of two rows of CSV, without finding their ends; `nil` if that can't be done.
    private func csvOrder(_ other: InputRow) -> Int? {
        guard input.rule != nil, other.input.rule != nil else { return nil }
        let (bytes, otherBytes) = (input.bytes.span, other.input.bytes.span)
        // Before the first quote, a line end always ends the row.
        var hasQuote = false
        var length = 0
        while true {
            let left = InputRow.rowByte(bytes, at: start + length)
            let right = InputRow.rowByte(otherBytes, at: other.start + length)
            guard let left, let right else {
                return hasQuote ? nil : left == nil ? (right == nil ? 0 : -1) : 1
            }
            if left != right { return Int(left) - Int(right) }
            if left == UInt8(ascii: "\"") { hasQuote = true }
            length += 1
        }
    }

    /// The byte of a row's first line; `nil` at its end.
    private static func rowByte(_ bytes: Span<UInt8>, at offset: Int) -> UInt8? {
        guard offset < bytes.count else { return nil }
        return bytes[offset].isLineEnd ? nil : bytes[offset]
    }

    /// The row's bytes, without the line end; valid as long as the input lives.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: input.bytes[start..<end]))
    }

    /// The position after the row's last byte; the line end doesn't count.
    private var end: Int {
        if let rule = input.rule {
            var scanner = CSVRowScanner(rule)
            scanner.scan(input.bytes.span, from: start)
            return scanner.row.end
        }
        var scanner = JSONScanner(at: start, allowsNaN: true)
        // Another program may have broken the JSON since.
        return (try? scanner.scanValue(input.bytes.span).range.upperBound) ?? start
    }
}
