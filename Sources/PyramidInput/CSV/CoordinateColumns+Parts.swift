/// Minutes, seconds and directions in columns of their own.
extension CoordinateColumns {
    /// With the columns that belong to these by their names. A column of directions also belongs to them if it follows
    /// them and has nothing else.
    /// - Parameters:
    ///   - rows: the cells of the first rows, without blanks around them.
    ///   - isGiven: whether the options name the columns, so that doubtful ones are left out.
    /// - Returns: the columns, and by axis a column of minutes whose name and values could also mean something else.
    func withParts(
        among names: [String], rows: [[String]], isGiven: (Axis) -> Bool
    ) -> (columns: CoordinateColumns, doubtful: [(axis: Axis, minutes: Int)]) {
        guard !isPoint else { return (self, []) }
        let all = CoordinateName.all(names)
        var found = self
        var doubtful: [(axis: Axis, minutes: Int)] = []
        for axis in [Axis.latitude, .longitude] where self[axis].power == 0 {
            guard let name = all.first(where: { $0.column == self[axis].degrees }) else { continue }
            func columns(_ part: ColumnNames.Part) -> [CoordinateName] {
                all.filter { $0.key == name.key && $0.part == part }
            }
            let directions =
                columns(.direction) + all.filter { $0.axis == axis && $0.prefix.isEmpty && $0.part == .direction }
            // Where the names are clear, rows that don't fit are bad, unless none does: winds are no directions.
            let direction = directions.first {
                let areDirections = CoordinateColumns.areDirections($0.column, on: axis, in: rows)
                return areDirections.isEmpty || areDirections.contains(true)
            }
            let minutes = columns(.minutes)
            if let first = minutes.first, name.unit != .decimal, !CoordinateColumns.isBox(axis, names) {
                let seconds = columns(.seconds).first
                let isClear = name.unit == .degrees || !first.isAbbreviated || seconds != nil || direction != nil
                let fit = rows.compactMap { CoordinateColumns.fits(first.column, degrees: name.column, $0, on: axis) }
                let areMinutes = fit.isEmpty || (isClear ? fit.contains(true) : !fit.contains(false))
                if areMinutes, isClear, minutes.count == 1 {
                    found[axis].append(first.column)
                    if let seconds { found[axis].append(seconds.column) }
                } else if areMinutes, !isGiven(axis),
                    // Minutes beside empty degrees are those of others.
                    !fit.isEmpty || rows.allSatisfy({ first.column >= $0.count || $0[first.column].isEmpty })
                {
                    doubtful.append((axis, first.column))
                }
            }
            if let direction { found[axis].append(direction.column, isDirection: true) }
        }
        let next = [Axis.latitude, .longitude].map { axis in (axis: axis, column: found[axis].last + 1) }
        let areNextDirections = next.allSatisfy { axis, column in
            let areDirections = CoordinateColumns.areDirections(column, on: axis, in: rows)
            return !found[axis].hasDirection && !all.contains { $0.column == column } && !areDirections.isEmpty
                && !areDirections.contains(false)
        }
        if areNextDirections {
            for (axis, column) in next { found[axis].append(column, isDirection: true) }
        }
        return (found, doubtful)
    }

    /// "lat_min" beside "lat_max" is no minutes.
    private static func isBox(_ axis: Axis, _ names: [String]) -> Bool {
        names.contains { name in
            let text = name.lowercased()
            return text.contains("max") && CoordinateName(text.replacing("max", with: " "))?.axis == axis
        }
    }

    /// Whether cells can be degrees and minutes; `nil` if one is empty.
    private static func fits(_ minutes: Int, degrees: Int, _ row: [String], on axis: Axis) -> Bool? {
        guard minutes < row.count, degrees < row.count, !row[minutes].isEmpty, !row[degrees].isEmpty else { return nil }
        var columns = AngleColumns(degrees)
        columns.append(minutes)
        return AngleCells(columns, on: axis) { Array(row[$0].utf8) }.value != nil
    }

    /// By row that has a cell in a column: whether it is a direction.
    private static func areDirections(_ column: Int, on axis: Axis, in rows: [[String]]) -> [Bool] {
        rows.filter { column < $0.count && !$0[column].isEmpty }
            .map { CoordinateName.direction($0[column], on: axis) != nil }
    }
}
