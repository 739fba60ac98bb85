/// Minutes, seconds and directions in columns of their own.
extension CoordinateColumns {
    /// Adds the columns of minutes, seconds and directions.
    /// - Parameters:
    ///   - rows: the cells of some of the first rows, without surrounding blanks.
    ///   - isList: whether the options list every column of a coordinate.
    /// - Returns: the columns, and the doubtful ones, which the build must ask about.
    func withParts(
        among names: [String], rows: [[String]], isList: (Axis) -> Bool = { _ in false }
    ) -> (columns: CoordinateColumns, doubts: [DoubtfulColumn]) {
        guard !isPoint else { return (self, []) }
        let all = CoordinateName.all(names)
        let directions = DirectionColumns(names, all, rows)
        let minutes = MinuteColumns(names, all, rows)
        let axes = [Axis.latitude, .longitude]
        var found = self
        var doubts: [DoubtfulColumn] = []
        // Columns with names of minutes, but other contents.
        var others: [DoubtfulColumn] = []
        for axis in axes where !isList(axis) {
            let known = all.first { $0.isWhole(axis, self[axis].degrees) }
            let name = known ?? CoordinateName(axis, column: self[axis].degrees)
            let direction = directions.named(for: name, besides: self)
            if known != nil {
                minutes.addNamed(for: name, hasDirection: direction != nil, to: &found, &doubts, others: &others)
            }
            if let direction { directions.add(direction, axis, to: &found, &doubts) }
        }
        // Minutes of a single coordinate are unlikely.
        let haveMinutes = axes.contains { axis in
            found[axis].numbers.count > 1 || doubts.contains { $0.axis == axis && $0.part == .minutes }
        }
        if haveMinutes, others.count == 1 { doubts += others }
        if !axes.contains(where: isList) { doubts += minutes.unnamed(beside: found, doubts) }
        directions.addUnnamed(to: &found, &doubts, isList: isList)
        return (found, doubts)
    }
}
