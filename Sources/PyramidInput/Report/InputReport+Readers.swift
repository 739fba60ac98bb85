import PyramidTiles

extension InputReport {
    /// The combined report of all readers.
    /// - Parameters:
    ///   - selection: which rows were read, perhaps none; `nil` for all.
    ///   - options: say how many rows may be skipped. Of a selection the number isn't limited, except that strict reading
    ///     allows none.
    ///   - inputName: a name for all inputs together, for messages.
    ///   - repetition: the first id that is repeated, and what helps; `nil` if none is.
    /// - Throws: ``InputError`` if no row is usable, or if an input has too many bad rows.
    package init(
        _ readers: [any PointReader], selection: (any RowSelection)?, options: InputOptions, inputName: String,
        repetition: OptionMessage? = nil
    ) throws(InputError) {
        let skipped = readers.map { SkippedRows(of: $0, accepted: $0.rows.acceptedCount - $0.rows.uncountedCount) }
        var digests: [[UInt8]: UInt64] = [:]
        var nullIsland = 0
        for (reader, skipped) in zip(readers, skipped) {
            rowsRead += skipped.rowsRead
            rowsAccepted += reader.rows.acceptedCount - reader.rows.uncountedCount
            var tally = RowTally(of: reader.rows.accepted, selection: selection)
            tally.add(reader.rows.stored)
            rowsClamped += tally.clampedCount
            nullIsland += tally.countAtZero
            rowsSkipped.merge(skipped.counts) { $0 + $1 }
            digests[reader.syntax.key, default: 0] &+= reader.rowsDigest
            rowsDigest &+= reader.rowsDigest
            cellDigests.append(reader.cellDigests)
            hasIDs = hasIDs || tally.hasIDs
            warnings += skipped.advice.map { readers.count == 1 ? $0 : "\(skipped.name): \($0)" }
        }
        if let warning = StatedCompleteness.warning(readers.map { ($0.input.name, $0.rows.completeness.sign) }) {
            warnings.append(warning)
        }
        // Inputs with the same header share one digest, so rows may be split among inputs in any way.
        for (key, rows) in digests { digest &+= InputReport.digest(ofRows: rows, key: key) }
        addExamples(of: skipped)
        for reader in readers {
            let (packed, accepted) = (reader.rows.remarks[.packedMinutes].count, reader.rows.acceptedCount)
            guard packed > 0, packed < accepted else { continue }
            throw InputError(
                .badData, in: reader.input.name,
                "degrees and minutes are one number in \(packed) of \(accepted) rows, and degrees alone in the others, so their "
                    + "places are uncertain; write all rows in one way")
        }
        guard rowsAccepted > 0 || selection != nil else { throw noUsableRow(of: readers, inputName: inputName) }
        if selection == nil || options.isStrict {
            let all = SkippedRows(skipped, name: inputName, repetition: repetition)
            try SkippedRows.judge(skipped, all: all, options)
        }
        // One row there may be real: a weather buoy floats at that place.
        if nullIsland > 1 {
            let rows = NumberText.counted(nullIsland, "row")
            warnings.append("\(rows) are at latitude 0, longitude 0, often a sign of missing coordinates")
        }
        if let skippedRows, badCount > rowsRead / 10 { warnings.append(skippedRows) }
        warnings += InputReport.warningsOfOddCells(readers)
        addRemarks(of: readers)
    }

    /// - Parameters:
    ///   - rows: the sum of the rows' digests.
    ///   - key: the key of their syntax.
    package static func digest(ofRows rows: UInt64, key: [UInt8]) -> UInt64 {
        RowDigest([RowDigest(key.span.bytes).hash, rows].span.bytes).hash
    }

    /// The number of skipped rows that limits apply to.
    private var badCount: Int { rowsSkipped.reduce(0) { $0 + ($1.key.isHarmless ? 0 : $1.value) } }

    public var hasBadRows: Bool { badCount > 0 }

    /// How many rows were skipped, and why, as a sentence; `nil` if none were.
    public var skippedRows: OptionMessage? {
        let count = rowsRead - rowsAccepted
        guard count > 0 else { return nil }
        let share = count * 100 < rowsRead ? "" : ", \(count * 100 / rowsRead)%"
        let rows = "\(NumberText.grouped(count)) of \(NumberText.counted(rowsRead, "row"))\(share)"
        return "skipped \(rows) (\(rowsSkipped.reasons))"
    }

    /// A warning for each column with cells that are left out, or that could have a better type.
    private static func warningsOfOddCells(_ readers: [any PointReader]) -> [OptionMessage] {
        var kinds: [String: ValueKinds] = [:]
        for columns in readers.map(\.columns) {
            for (name, known) in zip(columns.names, columns.kinds) { kinds[name, default: []].formUnion(known) }
        }
        // In the order of the columns.
        var found: [(column: String, type: ColumnType?, isWord: Bool, count: Int, first: String)] = []
        for reader in readers {
            let columns = reader.columns
            let cells = columns.oddCells.flatMap { column, cells in cells.map { (column, $0.key, $0.value) } }
            for (column, oddity, rows) in cells.sorted(by: { ($0.0, $0.2.firstRow) < ($1.0, $1.2.firstRow) }) {
                let (name, known) = (columns.names[column], kinds[columns.names[column]] ?? [])
                let type = columns.declaredTypes[column]
                switch oddity {
                case .unfit: break
                case .grouped: if known.contains(.decimalComma) { continue }
                case .decimalPoint: if type != nil || !known.contains(.bothMarks) || known.contains(.text) { continue }
                case .booleanWord: if known != .text { continue }
                }
                if let index = found.firstIndex(where: { $0.column == name && $0.type == type }) {
                    found[index].count += rows.count
                } else {
                    let place = "\(reader.input.name):\(reader.input.line(at: rows.firstRow)): \(rows.example)"
                    found.append((name, type, oddity == .booleanWord, rows.count, place))
                }
            }
        }
        return found.map { name, type, isWord, count, first in
            let column = InputError.list([name])
            if isWord {
                return "\(column) has words for true and false, such as \(first); \(.types) "
                    + "\(ShellWord.quoted(name)):boolean makes booleans of them"
            }
            guard let type = type?.rawValue else {
                return "\(column) is text, because it has points of thousands and other points, in \(first)"
            }
            return count == 1
                ? "1 value of \(column) is not a \(type) and is left out, in \(first)"
                : "\(NumberText.grouped(count)) values of \(column) are not \(type)s and are left out, the first in \(first)"
        }
    }

    private mutating func addExamples(of inputs: [SkippedRows]) {
        var shown: [RowProblem: Int] = [:]
        for (problem, example) in inputs.flatMap(\.examples) {
            shown[problem, default: 0] += 1
            if shown[problem, default: 0] <= BadRowLog.examplesPerReason { examples.append(example) }
        }
    }

    private func noUsableRow(of readers: [any PointReader], inputName: String) -> InputError {
        guard rowsRead > 0 else {
            let isGeoJSON = readers.allSatisfy { type(of: $0).isGeoJSON }
            return InputError(
                .badData, in: inputName,
                isGeoJSON
                    ? "has no features, expected at least one"
                    : "\(readers.count == 1 ? "has a header" : "have headers") and no rows, expected at least one row")
        }
        let first: OptionMessage = examples.first.map { "; first: \($0.message)" } ?? ""
        let advice = warnings.reduce("") { "\($0); \($1)" as OptionMessage }
        let all = rowsRead == 1 ? "the only row is not" : "none of \(NumberText.grouped(rowsRead)) rows is"
        return InputError(.badData, in: inputName, "\(all) usable (\(rowsSkipped.reasons))\(first)\(advice)")
    }
}
