import PyramidTiles

/// Finds rows that share an id, in linear time: compares 64-bit hashes, and the ids themselves if hashes are equal.
///
/// In a column that the options name, an id stands for one point: of several rows the last one by content is kept, and
/// the others are skipped. The ids that features of GeoJSON have by themselves stand for nothing that anybody has asked
/// for: an id that several features have is none.
struct DuplicateIDs {
    private let rows: IdentifiedRows
    private let inputs: InputSequence
    /// Whether the options name a column of ids.
    private let areNamed: Bool

    /// - Parameters:
    ///   - readers: have all rows, unless a spool has them.
    ///   - options: say where the ids are.
    init(_ readers: [any PointReader], _ inputs: InputSequence, _ options: InputOptions) {
        rows = IdentifiedRows(readers: readers, inputs)
        self.inputs = inputs
        areNamed = options.idColumn != nil
    }

    /// Skips rows in the readers, and returns ids that are none.
    /// - Parameters:
    ///   - spool: has all rows; `nil` if the readers have them.
    ///   - areRefused: throws an error instead. For parts: a part can't see the rows of other parts.
    func settle(
        _ readers: inout [any PointReader], spool: RowSpool?, areRefused: Bool, jobs: Int
    ) throws(InputError) -> SharedIDs {
        guard readers.contains(where: { $0.rows.stored.hasIDs || !$0.rows.accepted.idHashes.isEmpty }) else {
            return SharedIDs()
        }
        if let spool {
            let found = try settle(start: { spool[$0].start }, areRefused) { body throws(InputError) in
                try spool.ids?.forEachShared(limit: spool.rowLimit, body)
            }
            if !found.dropped.isEmpty { try drop(found.dropped, of: spool, &readers) }
            return found.shared
        }
        let (firstRows, hashes) = DuplicateIDs.hashes(readers)
        let starts = { [readers, inputs] (row: Int) -> UInt64 in
            let reader = firstRows.partitioningIndex { $0 > row } - 1
            return UInt64(inputs.bases[reader]) + readers[reader].rows.accepted.starts[row - firstRows[reader]]
        }
        let found = try settle(start: starts, areRefused) { body throws(InputError) in
            try IDHashes.forEachShared(hashes, jobs: jobs, body)
        }
        if !found.dropped.isEmpty { drop(found.dropped.sorted(), &readers, firstRows) }
        return found.shared
    }

    /// - Parameters:
    ///   - start: of a row, as in ``PointTable/rowStarts``.
    ///   - forEachShared: calls its argument with rows whose ids have the same hash.
    private func settle(
        start: @escaping (Int) -> UInt64, _ areRefused: Bool,
        _ forEachShared: ((UInt64, [Int]) throws(InputError) -> Void) throws(InputError) -> Void
    ) throws(InputError) -> (dropped: [Int], shared: SharedIDs) {
        var dropped: [Int] = []
        var shared: [UInt64] = []
        var sharedCount = 0
        try forEachShared { hash, group throws(InputError) in
            let inOrder = group.sorted { start($0) < start($1) }
            for ofID in rows.withSameID(inOrder, start: start) {
                guard !areRefused else { throw refusal(of: start(ofID[0])) }
                if areNamed {
                    let kept = ofID.dropFirst().reduce(ofID[0]) { rows.precedes(start($0), start($1)) ? $1 : $0 }
                    dropped += ofID.filter { $0 != kept }
                } else {
                    if shared.last != hash { shared.append(hash) }
                    sharedCount += ofID.count
                }
            }
        }
        return (dropped, SharedIDs(hashes: shared, featureCount: sharedCount))
    }

    private func refusal(of row: UInt64) -> InputError {
        let id = InputError.quoted(rows.id(of: row))
        return InputError(
            .badData, in: inputs.name,
            areNamed
                ? "id is \(id), which another row has too, expected distinct ids with \(.part)"
                : "id is \(id), which another feature has too; a part can't leave out ids that several features have: name "
                    + "a property with a unique id for each point with \(.idColumn)")
    }

    /// Drops spooled rows, and surveys the others again.
    private func drop(
        _ dropped: [Int], of spool: RowSpool, _ readers: inout [any PointReader]
    ) throws(InputError) {
        for row in dropped { spool.drop(row) }
        for index in readers.indices { readers[index].beginSurvey() }
        spool.forEachRun { run in
            for (row, start) in run {
                let (reader, offset) = inputs.position(of: start)
                if spool.isDropped(row) {
                    readers[reader].countDuplicate(rowAt: offset)
                    readers[reader].rows.remove(RowTally(of: spool.rows(row..<row + 1)))
                } else {
                    readers[reader].survey(rowAt: offset)
                }
            }
        }
    }

    /// Drops the readers' rows, and surveys the others again.
    /// - Parameter dropped: ascending.
    private func drop(_ dropped: [Int], _ readers: inout [any PointReader], _ firstRows: [Int]) {
        var next = 0
        for index in readers.indices {
            let starts = readers[index].rows.accepted.starts
            let end = firstRows[index] + starts.count
            let ofReader = dropped[next...].prefix { $0 < end }.map { $0 - firstRows[index] }
            next += ofReader.count
            guard !ofReader.isEmpty else { continue }
            for row in ofReader { readers[index].countDuplicate(rowAt: Int(starts[row])) }
            readers[index].rows.accepted.remove(ofReader)
            readers[index].beginSurvey()
            for start in readers[index].rows.accepted.starts { readers[index].survey(rowAt: Int(start)) }
        }
    }

    /// The hashes of all readers' rows, and the number of each reader's first one.
    private static func hashes(_ readers: [any PointReader]) -> (firstRows: [Int], hashes: [UInt64]) {
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
        return (firstRows, hashes)
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

    /// Those of some rows that have the same id as another of them, by id.
    func withSameID(_ rows: [Int], start: (Int) -> UInt64) -> [[Int]] {
        var groups: [(id: [UInt8], rows: [Int])] = []
        for row in rows {
            let id = id(of: start(row))
            if let index = groups.firstIndex(where: { $0.id == id }) {
                groups[index].rows.append(row)
            } else {
                groups.append((id, [row]))
            }
        }
        return groups.map(\.rows).filter { $0.count > 1 }
    }

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
