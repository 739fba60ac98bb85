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
        var found = self
        var doubts: [DoubtfulColumn] = []
        for axis in [Axis.latitude, .longitude] where !isList(axis) {
            let known = all.first { $0.isWhole(axis, self[axis].degrees) }
            let name = known ?? CoordinateName(axis, column: self[axis].degrees)
            let direction = directions.named(for: name, besides: self)
            let minutes = all.filter { $0.key == name.key && $0.part == .minutes }
            if let first = minutes.first, known != nil, name.power == 0, name.unit != .decimal,
                !CoordinateColumns.isBox(axis, names)
            {
                let seconds = all.first { $0.key == name.key && $0.part == .seconds }
                let isClear = name.unit == .degrees || !first.isAbbreviated || seconds != nil || direction != nil
                let fit = rows.compactMap { CoordinateColumns.fits([first.column], degrees: name.column, $0, on: axis) }
                let areMinutes = fit.isEmpty || (isClear ? fit.contains(true) : !fit.contains(false))
                if areMinutes, isClear, minutes.count == 1 {
                    found[axis].append(first.column)
                    if let seconds { found[axis].append(seconds.column) }
                } else if areMinutes,
                    // Minutes beside empty degrees belong to other columns.
                    !fit.isEmpty || rows.allSatisfy({ first.column >= $0.count || $0[first.column].isEmpty })
                {
                    doubts.append(DoubtfulColumn(axis: axis, column: first.column, part: .minutes))
                }
            }
            if let direction { directions.add(direction, axis, to: &found, &doubts) }
        }
        if ![Axis.latitude, .longitude].contains(where: isList), !doubts.contains(where: { $0.part == .minutes }) {
            doubts += found.numbersBehindDegrees(rows)
        }
        directions.addUnnamed(to: &found, &doubts, isList: isList)
        return (found, doubts)
    }

    /// Columns that may have minutes, or minutes and seconds, whatever their names: they are directly behind the degrees of
    /// both coordinates, which are whole numbers, and their own numbers are below 60.
    private func numbersBehindDegrees(_ rows: [[String]]) -> [DoubtfulColumn] {
        let axes = [Axis.latitude, .longitude]
        guard axes.allSatisfy({ self[$0].power == 0 && self[$0].columns.count == (self[$0].hasDirection ? 2 : 1) })
        else {
            return []
        }
        func areParts(_ count: Int, _ axis: Axis) -> Bool {
            let degrees = self[axis].degrees
            let parts = degrees + 1..<degrees + 1 + count
            // The row below the header may have units.
            let known = rows.filter { CoordinateColumns.fits([], degrees: degrees, $0, on: axis) == true }
            return !parts.contains(where: columns.contains)
                && known.allSatisfy { CoordinateColumns.fits(Array(parts), degrees: degrees, $0, on: axis) ?? true }
                && known.contains { row in parts.contains { $0 < row.count && row[$0].contains { ("1"..."9") ~= $0 } } }
        }
        guard let count = [2, 1].first(where: { count in axes.allSatisfy { areParts(count, $0) } }) else { return [] }
        return axes.flatMap { axis in
            zip(1...count, [.minutes, .seconds]).map {
                DoubtfulColumn(axis: axis, column: self[axis].degrees + $0, part: $1)
            }
        }
    }

    /// Whether the names are those of a box: "lat_min" beside "lat_max" has no minutes.
    private static func isBox(_ axis: Axis, _ names: [String]) -> Bool {
        names.contains { name in
            let text = name.lowercased()
            return text.contains("max") && CoordinateName(text.replacing("max", with: " "))?.axis == axis
        }
    }

    /// Whether cells can be degrees, minutes and seconds; `nil` if one isn't known.
    private static func fits(_ parts: [Int], degrees: Int, _ row: [String], on axis: Axis) -> Bool? {
        let isKnown = ([degrees] + parts).allSatisfy {
            $0 < row.count && !ColumnNames.missing.contains(row[$0].lowercased())
        }
        guard isKnown else { return nil }
        var columns = AngleColumns(degrees)
        for part in parts { columns.append(part) }
        return parts.allSatisfy { row[$0].first?.isNumber == true }
            && AngleCells(columns, on: axis) { Array(row[$0].utf8) }.value != nil
    }
}
