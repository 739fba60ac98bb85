/// Minutes, seconds and directions in columns of their own.
extension CoordinateColumns {
    /// With the columns that belong to these by their names. A column of directions can also belong to them by its place and
    /// its cells.
    /// - Parameters:
    ///   - rows: the cells of some of the first rows, without blanks around them.
    ///   - isGiven: whether the options name the degrees, so that doubtful minutes are left out.
    ///   - isList: whether the options name all columns of a coordinate.
    /// - Returns: the columns, and others that may belong to them.
    func withParts(
        among names: [String], rows: [[String]], isGiven: (Axis) -> Bool, isList: (Axis) -> Bool = { _ in false }
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
                let fit = rows.compactMap { CoordinateColumns.fits(first.column, degrees: name.column, $0, on: axis) }
                let areMinutes = fit.isEmpty || (isClear ? fit.contains(true) : !fit.contains(false))
                if areMinutes, isClear, minutes.count == 1 {
                    found[axis].append(first.column)
                    if let seconds { found[axis].append(seconds.column) }
                } else if areMinutes, !isGiven(axis),
                    // Minutes beside empty degrees are those of others.
                    !fit.isEmpty || rows.allSatisfy({ first.column >= $0.count || $0[first.column].isEmpty })
                {
                    doubts.append(DoubtfulColumn(axis: axis, column: first.column, part: .minutes))
                }
            }
            if let direction { directions.add(direction, axis, to: &found, &doubts) }
        }
        directions.addUnnamed(to: &found, &doubts, isList: isList)
        return (found, doubts)
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
}
