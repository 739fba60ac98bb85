/// Finds the rows that share an id with another, in linear time: a hash table of 64-bit hashes, and where two agree, the
/// ids themselves.
struct DuplicateIDs {
    let delimiter: UInt8
    let columnCount: Int
    let idColumn: Int

    /// - Parameters:
    ///   - hashes: of every row's id.
    ///   - rowStarts: where the rows begin.
    /// - Returns: the rows to drop, ascending: of those with one id all but the greatest by ``RecordOrder``.
    func rowsToDrop(hashes: [UInt64], rowStarts: [UInt64], in bytes: Span<UInt8>) -> [Int] {
        var slotCount = 16
        while slotCount < hashes.count * 2 { slotCount *= 2 }
        // A slot holds the number of the row that is kept so far, plus one.
        var slots = [UInt32](repeating: 0, count: slotCount)
        var dropped: [Int] = []
        var comparison = IDComparison(self)
        for (row, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & (slotCount - 1)
            while slots[slot] != 0 {
                let other = Int(slots[slot]) - 1
                let (start, otherStart) = (Int(rowStarts[row]), Int(rowStarts[other]))
                guard hashes[other] == hash, comparison.isEqual(bytes, start, otherStart) else {
                    slot = (slot + 1) & (slotCount - 1)
                    continue
                }
                let isGreater = RecordOrder.precedes(bytes, otherStart, start, delimiter: delimiter)
                dropped.append(isGreater ? other : row)
                if isGreater { slots[slot] = UInt32(row + 1) }
                break
            }
            if slots[slot] == 0 { slots[slot] = UInt32(row + 1) }
        }
        return dropped.sorted()
    }
}

/// Reads the ids of two rows again.
private struct IDComparison {
    private var scanner: CSVRowScanner
    private let idColumn: Int
    private var first: [UInt8] = []
    private var second: [UInt8] = []

    init(_ ids: DuplicateIDs) {
        scanner = CSVRowScanner(delimiter: ids.delimiter, roomForFields: ids.columnCount)
        idColumn = ids.idColumn
    }

    mutating func isEqual(_ bytes: Span<UInt8>, _ firstStart: Int, _ secondStart: Int) -> Bool {
        scanner.scan(bytes, from: firstStart)
        read(bytes, into: &first)
        scanner.scan(bytes, from: secondStart)
        read(bytes, into: &second)
        return first == second
    }

    private func read(_ bytes: Span<UInt8>, into text: inout [UInt8]) {
        let field = scanner.fields[idColumn]
        if field.hasDoubledQuotes {
            bytes.unquote(field, into: &text)
        } else {
            text.removeAll(keepingCapacity: true)
            for index in field.range { text.append(bytes[index]) }
        }
    }
}
