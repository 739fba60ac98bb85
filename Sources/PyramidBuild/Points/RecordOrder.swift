/// The order of CSV rows by content: by their bytes, line ends excluded, a shorter row before one that it begins.
enum RecordOrder {
    /// Whether the row that begins at `first` comes before the row that begins at `second`.
    static func precedes(_ bytes: Span<UInt8>, _ first: Int, _ second: Int, delimiter: UInt8) -> Bool {
        // As long as no quote came, a line end is the end of the row, so most rows need not be split into fields.
        var length = 0
        while true {
            let left = rowByte(bytes, at: first + length)
            let right = rowByte(bytes, at: second + length)
            if left != right {
                // A missing byte is the end of a row.
                guard let right else { return false }
                return left.map { $0 < right } ?? true
            }
            guard let left else { return false }
            if left == UInt8(ascii: "\"") { break }
            length += 1
        }
        var scanner = CSVRowScanner(delimiter: delimiter, roomForFields: 0)
        scanner.scan(bytes, from: first)
        let firstEnd = scanner.rowEnd
        scanner.scan(bytes, from: second)
        let secondEnd = scanner.rowEnd
        while first + length < firstEnd, second + length < secondEnd {
            let (left, right) = (bytes[first + length], bytes[second + length])
            if left != right { return left < right }
            length += 1
        }
        return firstEnd - first < secondEnd - second
    }

    private static func rowByte(_ bytes: Span<UInt8>, at offset: Int) -> UInt8? {
        guard offset < bytes.count else { return nil }
        let byte = bytes[offset]
        return byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? nil : byte
    }
}
