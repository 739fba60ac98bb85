import PyramidTiles

/// Finds rows that share an id, in linear time: compares 64-bit hashes, and the ids themselves if hashes are equal.
struct DuplicateIDs {
    /// By row; 0 for a row without an id.
    let hashes: [UInt64]

    /// - Parameters:
    ///   - isSame: whether two rows with equal hashes have the same id.
    ///   - precedes: an order of the rows by content.
    /// - Returns: the rows to drop, ascending. Of rows with the same id, the last one by `precedes` is kept.
    func rowsToDrop(isSame: (Int, Int) -> Bool, precedes: (Int, Int) -> Bool) -> [Int] {
        var kept = HashedNumbers(room: hashes.count)
        var dropped: [Int] = []
        for (row, hash) in hashes.enumerated() where hash != 0 {
            let slot = kept.slot(ofHash: hash) { hashes[$0] == hash && isSame($0, row) }
            let other = kept[slot]
            let isKept = other.map { precedes($0, row) } ?? true
            if isKept { kept[slot] = row }
            if let other { dropped.append(isKept ? other : row) }
        }
        return dropped.sorted()
    }
}

extension DuplicateIDs {
    /// Makes the readers skip rows whose id another row has, in any input.
    /// - Parameter areRefused: throws an error instead. For parts: a part can't see the rows of other parts.
    static func skip(in readers: inout [any PointReader], areRefused: Bool = false) throws(InputError) {
        guard readers.contains(where: { !$0.rows.accepted.idHashes.isEmpty }) else { return }
        let haveNumbers = readers.map(\.columns).idsAreNumbers
        for index in readers.indices where haveNumbers[index] { readers[index].hashIDsAsNumbers() }
        var firstRows: [Int] = []
        var hashes: [UInt64] = []
        for reader in readers {
            let rows = reader.rows.accepted
            firstRows.append(hashes.count)
            // The hashes of a single input are shared, not copied.
            if hashes.isEmpty { hashes = rows.idHashes } else { hashes += rows.idHashes }
            hashes.append(contentsOf: repeatElement(0, count: rows.count - rows.idHashes.count))
        }
        let rows = NumberedRows(readers: readers, firstRows: firstRows, haveNumbers: haveNumbers)
        let dropped = DuplicateIDs(hashes: hashes).rowsToDrop(isSame: rows.haveSameID, precedes: rows.precedes)
        if areRefused, let first = dropped.first {
            throw InputError(
                .badData, in: readers.count == 1 ? readers[0].input.name : "\(readers.count) inputs",
                "id is \(InputError.quoted(rows.id(of: first))), which another row has too, "
                    + "expected distinct ids with \(.part)"
            )
        }
        var start = 0
        for index in readers.indices {
            let end = firstRows[index] + readers[index].rows.accepted.count
            var next = start
            while next < dropped.count, dropped[next] < end { next += 1 }
            if next > start { try readers[index].skipDuplicates(dropped[start..<next].map { $0 - firstRows[index] }) }
            start = next
        }
    }
}

extension [InputColumns] {
    /// By input: whether its ids are written as numbers.
    fileprivate var idsAreNumbers: [Bool] {
        map { input in
            guard let id = input.idColumn else { return false }
            if let type = input.declaredTypes.isEmpty ? nil : input.declaredTypes[id] { return type == .number }
            let kinds = map { other in other.names.firstIndex(of: input.names[id]).map { other.kinds[$0] } ?? [] }
            return ValueKinds(kinds) == .number
        }
    }
}

/// The rows of all readers, numbered consecutively.
private final class NumberedRows {
    private var readers: [any PointReader]
    private let firstRows: [Int]
    private let sources: [RowSource]
    /// By reader: whether ids are numbers, so that different spellings of a number are the same id.
    private let haveNumbers: [Bool]

    init(readers: [any PointReader], firstRows: [Int], haveNumbers: [Bool]) {
        self.readers = readers
        self.firstRows = firstRows
        sources = RowSource.all(readers.map(\.input), syntaxes: readers.map(\.syntax))
        self.haveNumbers = haveNumbers
    }

    func haveSameID(_ first: Int, _ second: Int) -> Bool { id(of: first) == id(of: second) }

    func precedes(_ first: Int, _ second: Int) -> Bool { row(first).precedes(row(second)) }

    func id(of row: Int) -> [UInt8] {
        let (reader, start) = position(of: row)
        let id = readers[reader].id(ofRowAt: start)
        var number: [UInt8] = []
        return haveNumbers[reader] && CanonicalNumber.write(id.span, id.indices, into: &number) ? number : id
    }

    private func row(_ row: Int) -> SourceRow {
        let (reader, start) = position(of: row)
        return SourceRow(source: sources[reader], start: start)
    }

    private func position(of row: Int) -> (reader: Int, start: Int) {
        let reader = firstRows.partitioningIndex { $0 > row } - 1
        return (reader, Int(readers[reader].rows.accepted.starts[row - firstRows[reader]]))
    }
}
