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
            func columns(_ part: CoordinateName.Part) -> [CoordinateName] {
                all.filter { $0.key == name.key && $0.part == part }
            }
            let directions =
                columns(.direction) + all.filter { $0.axis == axis && $0.prefix.isEmpty && $0.part == .direction }
            let direction = directions.first { CoordinateColumns.hasDirections($0.column, on: axis, in: rows) }
            let minutes = columns(.minutes)
            if let first = minutes.first, !name.isWhole, !CoordinateColumns.isBox(axis, names) {
                let seconds = columns(.seconds).first
                let isClear = name.saysDegrees || !first.isAbbreviated || seconds != nil || direction != nil
                // Where the names are clear, rows that don't fit are bad, unless none does.
                let fit = rows.compactMap { CoordinateColumns.fits(first.column, degrees: name.column, $0) }
                let areMinutes = fit.isEmpty || (isClear ? fit.contains(true) : !fit.contains(false))
                if areMinutes, isClear, minutes.count == 1 {
                    found[axis].append(first.column)
                    if let seconds { found[axis].append(seconds.column) }
                } else if areMinutes, !isGiven(axis) {
                    doubtful.append((axis, first.column))
                }
            }
            if let direction { found[axis].append(direction.column, isDirection: true) }
        }
        if !found.latitude.hasDirection, !found.longitude.hasDirection { found.addFollowingDirections(all, rows) }
        return (found, doubtful)
    }

    /// "lat_min" beside "lat_max" is no minutes.
    private static func isBox(_ axis: Axis, _ names: [String]) -> Bool {
        names.contains { name in
            let text = name.lowercased()
            return text.contains("max") && CoordinateName(text.replacing("max", with: " "), column: 0)?.axis == axis
        }
    }

    /// Whether cells can be degrees and minutes; `nil` if one is empty. Spreadsheets write whole numbers as 40.0.
    private static func fits(_ minutes: Int, degrees: Int, _ row: [String]) -> Bool? {
        guard minutes < row.count, degrees < row.count, !row[minutes].isEmpty, !row[degrees].isEmpty else { return nil }
        return row[degrees].wholeMatch(of: /[-+]?\d+([.,]0+)?\D*/) != nil
            && row[minutes].firstMatch(of: /^[0-5]?\d([.,]\d+)?(?!\d)/) != nil
    }

    /// Whether a column whose name says so has directions in the first rows, and not something else, such as winds. Rows
    /// with other cells are bad then.
    private static func hasDirections(_ column: Int, on axis: Axis, in rows: [[String]]) -> Bool {
        let cells = rows.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
        return cells.isEmpty || cells.contains { CoordinateName.direction($0, on: axis) != nil }
    }

    private mutating func addFollowingDirections(_ all: [CoordinateName], _ rows: [[String]]) {
        func isDirections(_ axis: Axis) -> Bool {
            let column = self[axis].last + 1
            let cells = rows.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
            return !all.contains { $0.column == column } && !cells.isEmpty
                && cells.allSatisfy { CoordinateName.direction($0, on: axis) != nil }
        }
        guard isDirections(.latitude), isDirections(.longitude) else { return }
        latitude.append(latitude.last + 1, isDirection: true)
        longitude.append(longitude.last + 1, isDirection: true)
    }
}
