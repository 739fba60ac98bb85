import PyramidTiles

extension InputReport {
    /// The combined report of all readers.
    /// - Parameters:
    ///   - area: the area of a part, which may have no rows; `nil` if all rows count.
    ///   - sourceName: a name for all inputs together, for messages.
    /// - Throws: ``InputError`` if no row is usable.
    init(_ readers: [any PointReader], area: PartArea?, sourceName: String) throws(InputError) {
        var digests: [[UInt8]: UInt64] = [:]
        var nullIsland = 0
        for reader in readers {
            rowsRead += reader.rows.count - reader.rows.haloCount
            rowsAccepted += reader.rows.acceptedCount - reader.rows.haloCount
            var tally = RowTally(of: reader.rows.accepted, in: area)
            tally.add(reader.rows.stored)
            rowsClamped += tally.clampedCount
            nullIsland += tally.countAtZero
            rowsSkipped.merge(reader.rows.log.counts) { $0 + $1 }
            digests[reader.syntax.key, default: 0] &+= reader.rowsDigest
            rowsDigest &+= reader.rowsDigest
            cellDigests.append(reader.cellDigests)
            hasIDs = hasIDs || tally.hasIDs
            warnings += InputAdvice(for: reader).warnings.map {
                readers.count == 1 ? $0 : "\(reader.input.name): \($0)"
            }
        }
        // Inputs with the same header share one digest, so rows may be split among inputs in any way.
        for (key, rows) in digests { digest &+= InputReport.digest(ofRows: rows, key: key) }
        addExamples(of: readers)
        guard rowsAccepted > 0 || area != nil else { throw noUsableRow(of: readers, sourceName: sourceName) }
        // One row there may be real: a weather buoy floats at that place.
        if nullIsland > 1 {
            let rows = NumberText.counted(nullIsland, "row")
            warnings.append("\(rows) are at latitude 0, longitude 0, often a sign of missing coordinates")
        }
        if let skippedRows, rowsRead - rowsAccepted > rowsRead / 10 { warnings.append(skippedRows) }
        warnings += InputReport.warningsOfUnfitCells(readers)
    }

    /// - Parameters:
    ///   - rows: the sum of the rows' digests.
    ///   - key: the key of their syntax.
    static func digest(ofRows rows: UInt64, key: [UInt8]) -> UInt64 {
        RowDigest([RowDigest(key.span.bytes).hash, rows].span.bytes).hash
    }

    /// How many rows were skipped, and why, as a sentence; `nil` if none were.
    public var skippedRows: OptionMessage? {
        let count = rowsRead - rowsAccepted
        guard count > 0 else { return nil }
        let percent = count * 100 / rowsRead
        let share = percent == 0 ? "" : ", \(percent)%"
        return "skipped \(NumberText.grouped(count)) of \(NumberText.counted(rowsRead, "row"))\(share) (\(reasons))"
    }

    /// The reasons for skipping rows, with their counts.
    private var reasons: String {
        RowProblem.allCases.compactMap { problem in
            rowsSkipped[problem].map { "\(problem.rawValue): \(NumberText.grouped($0))" }
        }.joined(separator: ", ")
    }

    /// A warning for each column with unfit cells.
    private static func warningsOfUnfitCells(_ readers: [any PointReader]) -> [OptionMessage] {
        let all = readers.flatMap { reader in reader.columns.unfitCells.map { (reader.input, $0) } }
        var columns: [String] = []
        for (_, cells) in all where !columns.contains(cells.column) { columns.append(cells.column) }
        return columns.compactMap { column in
            let ofColumn = all.filter { $0.1.column == column }
            guard let (input, first) = ofColumn.first else { return nil }
            let count = ofColumn.reduce(0) { $0 + $1.1.count }
            let elements = input.elements
            var lines = LineCounter()
            let line = lines.line(at: first.firstRowStart, in: elements.span)
            let place = "\(input.name):\(line): \(first.firstFound)"
            return count == 1
                ? "1 value of \(InputError.list([column])) is not a \(first.type.rawValue) and is left out, in \(place)"
                : "\(NumberText.grouped(count)) values of \(InputError.list([column])) are not \(first.type.rawValue)s "
                    + "and are left out, the first in \(place)"
        }
    }

    private mutating func addExamples(of readers: [any PointReader]) {
        var shown: [RowProblem: Int] = [:]
        for reader in readers {
            for (problem, example) in reader.rows.log.errors(in: reader.input) {
                shown[problem, default: 0] += 1
                if shown[problem, default: 0] <= BadRowLog.examplesPerReason { examples.append(example) }
            }
        }
    }

    private func noUsableRow(of readers: [any PointReader], sourceName: String) -> InputError {
        guard rowsRead > 0 else {
            let isGeoJSON = readers.allSatisfy { $0.syntax == .geoJSON }
            return InputError(
                .badData, in: sourceName,
                isGeoJSON
                    ? "has no features, expected at least one"
                    : "\(readers.count == 1 ? "has a header" : "have headers") and no rows, expected at least one row")
        }
        let first: OptionMessage = examples.first.map { "; first: \($0.message)" } ?? ""
        let advice = warnings.reduce("") { "\($0); \($1)" as OptionMessage }
        let all = rowsRead == 1 ? "the only row is not" : "none of \(NumberText.grouped(rowsRead)) rows is"
        return InputError(.badData, in: sourceName, "\(all) usable (\(reasons))\(first)\(advice)")
    }
}
