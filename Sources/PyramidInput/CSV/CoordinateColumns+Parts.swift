/// Minutes, seconds and directions in columns of their own.
extension CoordinateColumns {
    /// These columns, and those of minutes, seconds and directions that belong to them. Names decide; a column of directions
    /// can also be known by its place and its cells.
    /// - Parameters:
    ///   - rows: the cells of some of the first rows, without blanks around them.
    ///   - isList: whether the options name all columns of a coordinate.
    /// - Returns: the columns, and others that may belong to them.
    func withParts(
        among names: [String], rows: [[String]], isList: (Axis) -> Bool = { _ in false }
    ) -> (columns: CoordinateColumns, doubts: [DoubtfulColumn]) {
        guard !isPoint else { return (self, []) }
        let all = CoordinateName.all(names)
        let directions = DirectionColumns(names, all, rows)
        let axes = [Axis.latitude, .longitude]
        var found = self
        var doubts: [DoubtfulColumn] = []
        // Columns named like minutes that have something else.
        var others: [DoubtfulColumn] = []
        for axis in axes where !isList(axis) {
            let known = all.first { $0.isWhole(axis, self[axis].degrees) }
            let name = known ?? CoordinateName(axis, column: self[axis].degrees)
            let direction = directions.named(for: name, besides: self)
            if known != nil, name.power == 0, name.unit != .decimal, !CoordinateColumns.isBox(axis, names) {
                found.addMinutes(of: name, hasDirection: direction != nil, among: all, rows, &doubts, others: &others)
            }
            if let direction { directions.add(direction, axis, to: &found, &doubts) }
        }
        // If one coordinate has minutes, the other one has, too.
        let haveMinutes = axes.contains { axis in
            found[axis].numbers.count > 1 || doubts.contains { $0.axis == axis && $0.part == .minutes }
        }
        if haveMinutes, others.count == 1 { doubts += others }
        if !axes.contains(where: { isList($0) || CoordinateColumns.isBox($0, names) }) {
            doubts += found.unnamedParts(among: names, rows, besides: doubts)
        }
        directions.addUnnamed(to: &found, &doubts, isList: isList)
        return (found, doubts)
    }

    /// Adds the columns of minutes and seconds that belong to degrees by their names, or asks about them.
    private mutating func addMinutes(
        of name: CoordinateName, hasDirection: Bool, among all: [CoordinateName], _ rows: [[String]],
        _ doubts: inout [DoubtfulColumn], others: inout [DoubtfulColumn]
    ) {
        let minutes = all.filter { $0.key == name.key && $0.part == .minutes }
        guard let first = minutes.first else { return }
        let seconds = all.first { $0.key == name.key && $0.part == .seconds }
        let isClear = name.unit == .degrees || !first.isAbbreviated || seconds != nil || hasDirection
        let fit = rows.compactMap { CoordinateColumns.fits([name.column, first.column], $0, on: name.axis) }
        let areMinutes = fit.isEmpty || (isClear ? fit.contains(true) : CoordinateColumns.areMost(fit))
        // Minutes beside empty degrees belong to other columns.
        let isAsked = !fit.isEmpty || rows.allSatisfy { first.column >= $0.count || $0[first.column].isEmpty }
        let doubt = DoubtfulColumn(axis: name.axis, column: first.column, part: .minutes)
        if areMinutes, isClear, minutes.count == 1 {
            self[name.axis].append(first.column)
            if let seconds { self[name.axis].append(seconds.column) }
        } else if areMinutes, isAsked {
            doubts.append(doubt)
        } else {
            others.append(doubt)
        }
    }

    /// Columns that may have minutes or seconds, though their names don't say so: numbers below 60 behind whole degrees or
    /// minutes, or in columns whose names begin like those of degrees. They must be there for both coordinates.
    /// - Parameter doubts: the columns that are asked about already.
    private func unnamedParts(
        among names: [String], _ rows: [[String]], besides doubts: [DoubtfulColumn]
    ) -> [DoubtfulColumn] {
        let axes = [Axis.latitude, .longitude]
        guard axes.allSatisfy({ self[$0].power == 0 }) else { return [] }
        let known = axes.map { axis in
            self[axis].numbers + doubts.filter { $0.axis == axis && $0.part == .minutes }.map(\.column)
        }
        let used = Set(columns + doubts.map(\.column))
        var parts = axes.indices.map { unnamedParts(axes[$0], behind: known[$0], besides: used, names, rows) }
        let count = axes.indices.map { known[$0].count + parts[$0].count }.min() ?? 0
        for index in axes.indices { parts[index] = Array(parts[index].prefix(max(count - known[index].count, 0))) }
        let haveDigits = rows.contains { row in
            parts.contains { $0.contains { $0 < row.count && row[$0].contains { ("1"..."9") ~= $0 } } }
        }
        guard haveDigits else { return [] }
        return axes.indices.flatMap { index in
            zip(parts[index], [.minutes, .seconds].dropFirst(known[index].count - 1)).map {
                DoubtfulColumn(axis: axes[index], column: $0, part: $1)
            }
        }
    }

    /// Those of one coordinate.
    /// - Parameter numbers: the columns of degrees and, if they are known, of minutes.
    private func unnamedParts(
        _ axis: Axis, behind numbers: [Int], besides used: Set<Int>, _ names: [String], _ rows: [[String]]
    ) -> [Int] {
        let subjects = names.map(CoordinateName.subject)
        let behind = names.indices.dropFirst((numbers.last ?? 0) + 1).drop { self[axis].columns.contains($0) }
            .prefix { !used.contains($0) && subjects[$0].map { $0.axis == axis } ?? true }
        let saysDegrees = CoordinateName.all(names).contains { $0.isWhole(axis, numbers[0]) && $0.unit == .degrees }
        let about = names.indices.filter { column in
            saysDegrees && !used.contains(column) && subjects[column]?.axis == axis
                && subjects[column]?.prefix == subjects[numbers[0]]?.prefix
        }
        for columns in [Array(behind), about] {
            for count in (1...3).reversed() where count <= min(columns.count, 3 - numbers.count) {
                let angle = numbers + columns[..<count]
                if CoordinateColumns.areMost(rows.compactMap { CoordinateColumns.fits(angle, $0, on: axis) }) {
                    return Array(columns[..<count])
                }
            }
        }
        return []
    }

    /// Whether the names are those of a box: "lat_min" beside "lat_max" has no minutes.
    private static func isBox(_ axis: Axis, _ names: [String]) -> Bool {
        names.contains { name in
            let text = name.lowercased()
            return text.contains("max") && CoordinateName(text.replacing("max", with: " "))?.axis == axis
        }
    }

    private static func areMost(_ fit: [Bool]) -> Bool { fit.count { $0 } * 2 > fit.count }

    /// Whether cells can be degrees, minutes and seconds; `nil` if the degrees aren't, or a cell isn't known.
    private static func fits(_ columns: [Int], _ row: [String], on axis: Axis) -> Bool? {
        guard
            columns.allSatisfy({ $0 < row.count && !ColumnNames.missing.contains(row[$0].lowercased()) }),
            row[columns[0]].contains(where: \.isNumber)
        else { return nil }
        var angle = AngleColumns(columns[0])
        for part in columns.dropFirst() { angle.append(part) }
        return columns.dropFirst().allSatisfy { row[$0].first?.isLetter == false }
            && AngleCells(angle, on: axis) { Array(row[$0].utf8) }.value != nil
    }
}
