import PyramidStore
import PyramidTiles

/// Finds rows that share an id: sorts 64-bit hashes, and compares the ids themselves if hashes are equal.
///
/// In a column that the options name, an id stands for one point: of several rows the last one by content is kept, and
/// the others are skipped. The ids that features of GeoJSON have by themselves stand for nothing that anybody has asked
/// for: an id that several features have is none.
final class DuplicateIDs {
    private var readers: [any PointReader]
    private let inputs: InputSequence
    private let inputsToCompare: [ComparableInput]
    /// By input: whether ids are numbers, so that different spellings of a number are the same id.
    private let haveNumbers: [Bool]
    /// The column of ids that the options name; `nil` for the ids that features have by themselves.
    private let column: String?
    private var areNamed: Bool { column != nil }

    /// - Parameter options: say where the ids are.
    init(_ readers: [any PointReader], _ inputs: InputSequence, _ options: InputOptions) {
        inputsToCompare = ComparableInput.all(inputs.inputs, syntaxes: readers.map(\.syntax))
        haveNumbers = readers.map(\.columns).idsAreNumbers
        self.inputs = inputs
        column = options.idColumn
        // The rows themselves aren't needed, and would be copied when the readers change theirs.
        self.readers = readers
        for index in readers.indices { self.readers[index].rows = ReadRows() }
    }

    /// Skips rows, and returns ids that are none.
    /// - Parameter readers: have all rows, unless the spool has them.
    /// - Returns: ids that are none, and a sentence about the first rows that were skipped.
    func settle(
        _ readers: inout [any PointReader], _ spool: RowSpool?
    ) throws(InputError) -> (SharedIDs, repetition: OptionMessage?) {
        var repeated: ArraySlice<UInt64>?
        var dropped: [UInt64] = []
        var shared: [UInt64] = []
        var sharedCount = 0
        try forEachShared(readers, spool) { rows in
            for ofID in withSameID(rows.map(\.start).sorted()) {
                if repeated.map({ ofID[1] < $0[1] }) ?? true { repeated = ofID.prefix(2) }
                if areNamed {
                    let kept = ofID.dropFirst().reduce(ofID[0]) { row($0).precedes(row($1)) ? $1 : $0 }
                    dropped += ofID.filter { $0 != kept }
                } else {
                    if shared.last != rows[0].hash { shared.append(rows[0].hash) }
                    sharedCount += ofID.count
                }
            }
        }
        if !dropped.isEmpty { drop(dropped.sorted(), of: &readers, spool) }
        return (SharedIDs(hashes: shared, featureCount: sharedCount), repeated.flatMap { repetition(of: $0) })
    }

    /// Calls `body` with the rows whose ids have the same hash, for each hash that several have.
    private func forEachShared(
        _ readers: [any PointReader], _ spool: RowSpool?, _ body: ([HashedRow]) -> Void
    ) throws(InputError) {
        do throws(OutputError) {
            if let spool, spool.count > 0 { return try spool.ids.forEachShared(body) }
            var ids = RunSorter<HashedRow>(.unlimited)
            ids.reserveRoom(readers.reduce(0) { $0 + $1.rows.accepted.idHashes.count })
            for (reader, base) in zip(readers, inputs.bases) {
                try ids.append(reader.rows.accepted, base: UInt64(base))
            }
            try ids.forEachShared(body)
        } catch { throw InputError(spooling: inputs.name, error) }
    }

    /// Groups rows by id, and leaves out rows whose id no other row has.
    private func withSameID(_ starts: [UInt64]) -> [[UInt64]] {
        var groups: [(id: [UInt8], starts: [UInt64])] = []
        for start in starts {
            let id = id(ofRowAt: start)
            if let index = groups.firstIndex(where: { $0.id == id }) {
                groups[index].starts.append(start)
            } else {
                groups.append((id, [start]))
            }
        }
        return groups.map(\.starts).filter { $0.count > 1 }
    }

    /// - Parameter starts: of the first two rows with an id of the named column.
    private func repetition(of starts: ArraySlice<UInt64>) -> OptionMessage? {
        guard let column else { return nil }
        let places = starts.map { start in
            let (input, offset) = inputs.position(of: start)
            var lines = LineCounter()
            return "\(inputs.inputs[input].name):\(lines.line(at: offset, in: inputs.inputs[input].elements.span))"
        }
        return "\(InputError.list([column])) is \(InputError.quoted(id(ofRowAt: starts[0]))) in both "
            + "\(places.joined(separator: " and ")): name a column with another value in each row with \(.idColumn), or none"
    }

    /// Drops rows, and surveys the others of their inputs again.
    /// - Parameter dropped: their starts, ascending.
    private func drop(_ dropped: [UInt64], of readers: inout [any PointReader], _ spool: RowSpool?) {
        var isChanged = [Bool](repeating: false, count: readers.count)
        for start in dropped { isChanged[inputs.position(of: start).input] = true }
        for index in readers.indices where isChanged[index] { readers[index].beginSurvey() }
        /// Counts a row as a duplicate, or surveys it.
        /// - Returns: whether the row is dropped.
        func settle(_ start: UInt64, of readers: inout [any PointReader]) -> Bool {
            let (input, offset) = inputs.position(of: start)
            guard isChanged[input] else { return false }
            let index = dropped.partitioningIndex { $0 >= start }
            guard index < dropped.count, dropped[index] == start else {
                readers[input].survey(rowAt: offset)
                return false
            }
            readers[input].countDuplicate(rowAt: offset)
            return true
        }
        if let spool, spool.count > 0 {
            spool.forEachRun { run in
                for (row, start) in run where settle(start, of: &readers) {
                    spool.drop(row)
                    let tally = RowTally(of: spool.rows(row..<row + 1))
                    readers[inputs.position(of: start).input].rows.stored.remove(tally)
                }
            }
        } else {
            for index in readers.indices where isChanged[index] {
                var rows = AcceptedRows()
                swap(&rows, &readers[index].rows.accepted)
                rows.removeAll { settle($0 + UInt64(inputs.bases[index]), of: &readers) }
                swap(&rows, &readers[index].rows.accepted)
            }
        }
    }

    private func id(ofRowAt start: UInt64) -> [UInt8] {
        let (input, offset) = inputs.position(of: start)
        let id = readers[input].id(ofRowAt: offset)
        var number: [UInt8] = []
        return haveNumbers[input] && CanonicalNumber.write(id.span, id.indices, into: &number) ? number : id
    }

    private func row(_ start: UInt64) -> InputRow {
        let (input, offset) = inputs.position(of: start)
        return InputRow(input: inputsToCompare[input], start: offset)
    }
}

extension [InputColumns] {
    /// By input: whether its ids are written as numbers.
    fileprivate var idsAreNumbers: [Bool] {
        map { input in
            guard let id = input.idColumn else { return false }
            if let type = input.declaredTypes.isEmpty ? nil : input.declaredTypes[id] { return type == .number }
            let kinds = map { other in other.names.firstIndex(of: input.names[id]).map { other.kinds[$0] } ?? [] }
            return ValueKinds(kinds).areNumbers
        }
    }
}
