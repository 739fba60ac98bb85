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
    /// - Parameters:
    ///   - spool: has all rows; `nil` if the readers have them.
    ///   - areRefused: throws an error instead. For parts: a part can't see the rows of other parts.
    static func skip(
        in readers: inout [any PointReader], of inputs: InputSequence, spool: RowSpool?, areRefused: Bool = false
    ) throws(InputError) {
        guard readers.contains(where: { $0.rows.stored.hasIDs || !$0.rows.accepted.idHashes.isEmpty }) else { return }
        let rows = IdentifiedRows(readers: readers, inputs)
        if let spool {
            spool.dropDuplicates(rows)
            guard spool.hasDropped else { return }
            for index in readers.indices { readers[index].beginSurvey() }
            try spool.forEachRun { run throws(InputError) in
                for (row, start) in run {
                    let (reader, offset) = inputs.position(of: start)
                    if spool.isDropped(row) {
                        try readers[reader].countDuplicate(rowAt: offset)
                        readers[reader].rows.remove(RowTally(of: spool.rows(row..<row + 1)))
                    } else {
                        readers[reader].survey(rowAt: offset)
                    }
                }
            }
            return
        }
        var firstRows: [Int] = []
        var hashes: [UInt64] = []
        for reader in readers {
            let rows = reader.rows.accepted
            firstRows.append(hashes.count)
            // The hashes of a single input are shared, not copied.
            if hashes.isEmpty { hashes = rows.idHashes } else { hashes += rows.idHashes }
            hashes.append(
                contentsOf: repeatElement(0, count: firstRows[firstRows.count - 1] + rows.count - hashes.count))
        }
        func start(_ row: Int) -> UInt64 {
            let reader = firstRows.partitioningIndex { $0 > row } - 1
            return UInt64(inputs.bases[reader]) + readers[reader].rows.accepted.starts[row - firstRows[reader]]
        }
        let dropped = DuplicateIDs(hashes: hashes).rowsToDrop {
            rows.haveSameID(start($0), start($1))
        } precedes: {
            rows.precedes(start($0), start($1))
        }
        guard let first = dropped.first else { return }
        guard !areRefused else {
            throw InputError(
                .badData, in: inputs.name,
                "id is \(InputError.quoted(rows.id(of: start(first)))), which another row has too, "
                    + "expected distinct ids with \(.part)"
            )
        }
        var next = 0
        for index in readers.indices {
            let starts = readers[index].rows.accepted.starts
            let end = firstRows[index] + starts.count
            let ofReader = dropped[next...].prefix { $0 < end }.map { $0 - firstRows[index] }
            next += ofReader.count
            guard !ofReader.isEmpty else { continue }
            for row in ofReader { try readers[index].countDuplicate(rowAt: Int(starts[row])) }
            readers[index].rows.accepted.remove(ofReader)
            readers[index].beginSurvey()
            for start in readers[index].rows.accepted.starts { readers[index].survey(rowAt: Int(start)) }
        }
    }
}

extension RowSpool {
    /// Keeps one row of each id and drops the others.
    fileprivate func dropDuplicates(_ rows: IdentifiedRows) {
        ids?.forEachShared(limit: rowLimit) { shared in
            let shared = shared.sorted { self[$0].start < self[$1].start }
            let starts = shared.map { self[$0].start }
            let duplicates = DuplicateIDs(hashes: [UInt64](repeating: 1, count: shared.count)).rowsToDrop {
                rows.haveSameID(starts[$0], starts[$1])
            } precedes: {
                rows.precedes(starts[$0], starts[$1])
            }
            for index in duplicates { drop(shared[index]) }
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

/// The rows of all readers, by their starts as in ``PointTable/rowStarts``.
private final class IdentifiedRows {
    private var readers: [any PointReader]
    private let inputs: InputSequence
    private let sources: [RowSource]
    /// By reader: whether ids are numbers, so that different spellings of a number are the same id.
    private let haveNumbers: [Bool]

    init(readers: [any PointReader], _ inputs: InputSequence) {
        sources = RowSource.all(readers.map(\.input), syntaxes: readers.map(\.syntax))
        haveNumbers = readers.map(\.columns).idsAreNumbers
        self.inputs = inputs
        // The rows themselves aren't needed, and would be copied when the readers change theirs.
        self.readers = readers
        for index in readers.indices { self.readers[index].rows = ReadRows() }
    }

    func haveSameID(_ first: UInt64, _ second: UInt64) -> Bool { id(of: first) == id(of: second) }

    func precedes(_ first: UInt64, _ second: UInt64) -> Bool { row(first).precedes(row(second)) }

    func id(of start: UInt64) -> [UInt8] {
        let (reader, start) = inputs.position(of: start)
        let id = readers[reader].id(ofRowAt: start)
        var number: [UInt8] = []
        return haveNumbers[reader] && CanonicalNumber.write(id.span, id.indices, into: &number) ? number : id
    }

    private func row(_ start: UInt64) -> SourceRow {
        let (reader, start) = inputs.position(of: start)
        return SourceRow(source: sources[reader], start: start)
    }
}
