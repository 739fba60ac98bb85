/// Finds the columns of minutes and seconds.
///
/// Names identify them. Under other names, numbers below 60 next to whole degrees make the build ask.
struct MinuteColumns {
    private let names: [String]
    private let readings: [CoordinateName]
    private let rows: [[String]]

    /// - Parameters:
    ///   - readings: the names that have to do with coordinates.
    ///   - rows: the cells of some of the first rows, without surrounding blanks.
    init(_ names: [String], _ readings: [CoordinateName], _ rows: [[String]]) {
        (self.names, self.readings, self.rows) = (names, readings, rows)
    }

    /// Adds the columns whose names match those of the degrees, or marks them as doubtful.
    /// - Parameter others: collects columns with names of minutes, but other contents.
    func addNamed(
        for name: CoordinateName, hasDirection: Bool, to found: inout CoordinateColumns,
        _ doubts: inout [DoubtfulColumn], others: inout [DoubtfulColumn]
    ) {
        let minutes = readings.filter { ($0.key, $0.word) == (name.key, name.word) && $0.part == .minutes }
        guard let first = minutes.first, name.power == 0, name.unit != .decimal, !isBox else { return }
        let seconds = readings.first { $0.key == name.key && $0.part == .seconds }
        let isClear = name.unit == .degrees || !first.isAbbreviated || seconds != nil || hasDirection
        let fit = rows.compactMap { fits([name.column, first.column], $0, on: name.axis) }
        let areMinutes = fit.isEmpty || (isClear ? fit.contains(true) : areMost(fit))
        // Minutes next to empty degrees belong to another pair of columns.
        let isAsked = !fit.isEmpty || rows.allSatisfy { first.column >= $0.count || $0[first.column].isEmpty }
        let doubt = DoubtfulColumn(axis: name.axis, column: first.column, part: .minutes)
        if areMinutes, isClear, minutes.count == 1 {
            found[name.axis].append(first.column)
            if let seconds { found[name.axis].append(seconds.column) }
        } else if areMinutes, isAsked {
            doubts.append(doubt)
        } else {
            others.append(doubt)
        }
    }

    /// Finds columns that could be minutes or seconds despite their names: their numbers are below 60, and they follow whole
    /// degrees or minutes, or share a name with the degrees. Both coordinates need such columns.
    /// - Parameter doubts: the columns that are doubtful already.
    func unnamed(beside columns: CoordinateColumns, _ doubts: [DoubtfulColumn]) -> [DoubtfulColumn] {
        let axes = [Axis.latitude, .longitude]
        guard !isBox, axes.allSatisfy({ columns[$0].power == 0 }) else { return [] }
        let known = axes.map { axis in
            columns[axis].numbers + doubts.filter { $0.axis == axis && $0.part == .minutes }.map(\.column)
        }
        let used = Set(columns.columns + doubts.map(\.column))
        var parts = axes.indices.map { unnamed(axes[$0], known[$0], beside: columns, used) }
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

    /// Finds such columns for one coordinate.
    /// - Parameter numbers: the column of degrees, then that of minutes if there is one.
    private func unnamed(
        _ axis: Axis, _ numbers: [Int], beside columns: CoordinateColumns, _ used: Set<Int>
    ) -> [Int] {
        let subjects = names.map(CoordinateName.subject)
        let behind = names.indices.dropFirst((numbers.last ?? 0) + 1).drop { columns[axis].columns.contains($0) }
            .prefix { !used.contains($0) && subjects[$0].map { $0.axis == axis } ?? true }
        let saysDegrees = readings.contains { $0.isWhole(axis, numbers[0]) && $0.unit == .degrees }
        let about = names.indices.filter { column in
            saysDegrees && !used.contains(column) && subjects[column]?.axis == axis
                && subjects[column]?.prefix == subjects[numbers[0]]?.prefix
        }
        for parts in [Array(behind), about] {
            for count in (1...3).reversed() where count <= min(parts.count, 3 - numbers.count) {
                let angle = numbers + parts[..<count]
                if areMost(rows.compactMap { fits(angle, $0, on: axis) }) {
                    return Array(parts[..<count])
                }
            }
        }
        return []
    }

    /// Whether the table has bounding boxes. There, "lat_min" is the southern edge.
    private var isBox: Bool {
        names.contains { name in
            let text = name.lowercased()
            return text.contains("max") && CoordinateName(text.replacing("max", with: " ")) != nil
        }
    }

    private func areMost(_ fit: [Bool]) -> Bool { fit.count { $0 } * 2 > fit.count }

    /// Whether cells can be degrees, minutes and seconds; `nil` if the first isn't a number, or any value is missing.
    private func fits(_ columns: [Int], _ row: [String], on axis: Axis) -> Bool? {
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
