/// A record in its input.
struct Record {
    let source: RecordSource
    let start: Int

    fileprivate var bytes: UnsafeBufferPointer<UInt8> { source.bytes }
}

/// The order of records by content: by their bytes, line ends excluded, a shorter record before one that it begins.
/// Records of the same bytes that mean different things come in the order of their syntax.
enum RecordOrder {
    /// Linear in the records' common beginning, or in their lengths where that has quotes and in GeoJSON.
    static func precedes(_ first: Record, _ second: Record) -> Bool {
        if let delimiter = first.source.delimiter, second.source.delimiter == delimiter {
            let order = csvOrder(
                first.bytes.span, first.start, second.bytes.span, second.start, delimiter: delimiter)
            return order == 0 ? first.source.rank < second.source.rank : order < 0
        }
        let (firstEnd, secondEnd) = (end(of: first), end(of: second))
        var (left, right) = (first.start, second.start)
        while left < firstEnd, right < secondEnd {
            if first.bytes[left] != second.bytes[right] { return first.bytes[left] < second.bytes[right] }
            left += 1
            right += 1
        }
        let (firstLength, secondLength) = (firstEnd - first.start, secondEnd - second.start)
        return firstLength == secondLength ? first.source.rank < second.source.rank : firstLength < secondLength
    }

    /// Negative where the first comes before the second, 0 where they are the same.
    private static func csvOrder(
        _ firstBytes: Span<UInt8>, _ first: Int, _ secondBytes: Span<UInt8>, _ second: Int, delimiter: UInt8
    ) -> Int {
        // As long as no quote came, a line end is the end of the row, so most rows need not be split into fields.
        var length = 0
        while true {
            let left = rowByte(firstBytes, at: first + length)
            let right = rowByte(secondBytes, at: second + length)
            if left != right {
                // A missing byte is the end of a row.
                guard let right else { return 1 }
                return left.map { $0 < right } ?? true ? -1 : 1
            }
            guard let left else { return 0 }
            if left == UInt8(ascii: "\"") { break }
            length += 1
        }
        var scanner = CSVRowScanner(delimiter: delimiter, roomForFields: 0)
        scanner.scan(firstBytes, from: first)
        let firstEnd = scanner.rowEnd
        scanner.scan(secondBytes, from: second)
        let secondEnd = scanner.rowEnd
        while first + length < firstEnd, second + length < secondEnd {
            let (left, right) = (firstBytes[first + length], secondBytes[second + length])
            if left != right { return Int(left) - Int(right) }
            length += 1
        }
        return (firstEnd - first) - (secondEnd - second)
    }

    private static func rowByte(_ bytes: Span<UInt8>, at offset: Int) -> UInt8? {
        guard offset < bytes.count else { return nil }
        let byte = bytes[offset]
        return byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? nil : byte
    }

    private static func end(of record: Record) -> Int {
        if let delimiter = record.source.delimiter {
            var scanner = CSVRowScanner(delimiter: delimiter, roomForFields: 0)
            scanner.scan(record.bytes.span, from: record.start)
            return scanner.rowEnd
        }
        var scanner = JSONScanner()
        scanner.position = record.start
        do throws(JSONFault) {
            return try scanner.scanValue(record.bytes.span).range.upperBound
        } catch {
            preconditionFailure("a row that was accepted is not JSON")
        }
    }
}
