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
            func column(_ part: CoordinateName.Part) -> CoordinateName? {
                let columns = all.filter { $0.key == name.key && $0.part == part }
                return columns.count == 1 ? columns[0] : nil
            }
            let direction =
                column(.direction) ?? all.first { $0.axis == axis && $0.prefix.isEmpty && $0.part == .direction }
            let directed = direction.flatMap { CoordinateColumns.hasWinds($0.column, in: rows) ? nil : $0 }
            if let minutes = column(.minutes), !CoordinateColumns.isBox(axis, names) {
                let seconds = column(.seconds)
                let isCertain = name.saysDegrees || !minutes.isAbbreviated || seconds != nil || directed != nil
                if isCertain {
                    found[axis].append(minutes.column)
                    if let seconds { found[axis].append(seconds.column) }
                } else if !isGiven(axis), fits(minutes.column, degrees: name.column, in: rows) {
                    doubtful.append((axis, minutes.column))
                }
            }
            if let directed { found[axis].append(directed.column, isDirection: true) }
        }
        if found.latitude.columns.count + found.longitude.columns.count == 2 { found.addFollowingDirections(all, rows) }
        return (found, doubtful)
    }

    /// "lat_min" beside "lat_max" is no minutes.
    private static func isBox(_ axis: Axis, _ names: [String]) -> Bool {
        names.contains { name in
            let text = name.lowercased()
            return text.contains("max") && CoordinateName(text.replacing("max", with: " "), column: 0)?.axis == axis
        }
    }

    /// Whether the cells of the first rows can be degrees and minutes.
    private func fits(_ minutes: Int, degrees: Int, in rows: [[String]]) -> Bool {
        rows.allSatisfy { row in
            guard minutes < row.count, degrees < row.count, !row[minutes].isEmpty, !row[degrees].isEmpty else {
                return true
            }
            return Int(row[degrees]) != nil && (Double(row[minutes]).map { (0..<60).contains($0) } ?? false)
        }
    }

    /// Whether a column has compass points, such as SW.
    private static func hasWinds(_ column: Int, in rows: [[String]]) -> Bool {
        rows.contains { column < $0.count && $0[column].uppercased().wholeMatch(of: /[NSEW]{2,3}/) != nil }
    }

    private static func areDirections(_ column: Int, on axis: Axis, in rows: [[String]]) -> Bool {
        rows.allSatisfy {
            column >= $0.count || $0[column].isEmpty || CoordinateName.direction($0[column], on: axis) != nil
        }
    }

    private mutating func addFollowingDirections(_ all: [CoordinateName], _ rows: [[String]]) {
        func isDirections(_ axis: Axis) -> Bool {
            let column = self[axis].degrees + 1
            return !all.contains { $0.column == column } && CoordinateColumns.areDirections(column, on: axis, in: rows)
                && rows.contains { column < $0.count && !$0[column].isEmpty }
        }
        guard isDirections(.latitude), isDirections(.longitude) else { return }
        latitude.append(latitude.degrees + 1, isDirection: true)
        longitude.append(longitude.degrees + 1, isDirection: true)
    }
}
