import PyramidTiles

/// Finds the columns of directions: N or S for latitudes, E or W for longitudes.
///
/// Names identify them, or positions and contents do. Such a column is read in every row, or the build asks what it is. If
/// only one coordinate's directions were read, or those of some rows, points would end up in the wrong hemisphere.
struct DirectionColumns {
    private let names: [String]
    private let readings: [CoordinateName]
    private let rows: [[String]]

    /// What a column has in these rows.
    enum Cells: Equatable {
        /// Nothing but empty cells and words such as "NA".
        case none
        /// Directions of the axis, in all cells or in some of them.
        case directions, mostlyDirections, someDirections
        /// Words that may be directions in another language or spelling; with the first one.
        case words(String)
        /// Numbers, directions of the wind such as "SSW", or the like; with the first one.
        case others(String)

        var isMostlyDirections: Bool { self == .directions || self == .mostlyDirections }
        var hasDirections: Bool { isMostlyDirections || self == .someDirections }
    }

    /// - Parameters:
    ///   - readings: the names that have to do with coordinates.
    ///   - rows: the cells of some of the first rows, without surrounding blanks.
    init(_ names: [String], _ readings: [CoordinateName], _ rows: [[String]]) {
        (self.names, self.readings, self.rows) = (names, readings, rows)
    }

    func cells(_ column: Int, on axis: Axis) -> Cells {
        let cells = rows.filter { column < $0.count }.map { $0[column] }
            .filter { !ColumnNames.missing.contains($0.lowercased()) }
        guard let first = cells.first else { return .none }
        let known = cells.count { CoordinateName.direction($0)?.axis == axis }
        if known > 0 {
            return known == cells.count ? .directions : known * 2 > cells.count ? .mostlyDirections : .someDirections
        }
        let other = cells.first { cell in
            cell.contains(where: \.isNumber) || cell.count > 1 && cell.lowercased().allSatisfy("nsewo".contains)
        }
        return other.map { .others($0) } ?? .words(first)
    }

    /// The column whose name says that it has a coordinate's directions.
    func named(for name: CoordinateName, besides columns: CoordinateColumns) -> Int? {
        let found = columnsNamed(for: name, besides: columns).map { (column: $0, cells: cells($0, on: name.axis)) }
        return found.first { $0.cells.hasDirections }?.column ?? columnsAbout(name, besides: columns).first
            ?? found.first { if case .words = $0.cells { true } else { false } }?.column
            ?? found.first { $0.cells == .none }?.column
    }

    /// Adds the directions of a coordinate, or asks if the cells are something else.
    func add(_ column: Int, _ axis: Axis, to found: inout CoordinateColumns, _ doubts: inout [DoubtfulColumn]) {
        switch cells(column, on: axis) {
        case .words(let cell), .others(let cell):
            doubts.append(DoubtfulColumn(axis: axis, column: column, part: .direction, noDirection: cell))
        default: found[axis].append(column, isDirection: true)
        }
    }

    /// "LatDir", "hemisphere_lat", "NS".
    private func columnsNamed(for name: CoordinateName, besides columns: CoordinateColumns) -> [Int] {
        let ofAxis = readings.filter { $0.axis == name.axis && !columns.columns.contains($0.column) }
        let parts = ofAxis.filter { $0.part == .direction }
        return
            (parts.filter { $0.key == name.key } + parts.filter { $0.key != name.key && $0.prefix.isEmpty }
            + ofAxis.filter { $0.part == nil && $0.hasDirectionPrefix }).map(\.column)
    }

    /// Columns of directions whose names begin with the coordinate's, such as "lat_card" if there is "lon_card". A column named
    /// "hemisphere" counts unless there are negative coordinates.
    private func columnsAbout(_ name: CoordinateName, besides columns: CoordinateColumns) -> [Int] {
        let other: Axis = name.axis == .latitude ? .longitude : .latitude
        let hasSigns = hasSigns([columns.latitude.degrees, columns.longitude.degrees])
        return names.indices.filter { column in
            guard !columns.columns.contains(column), cells(column, on: name.axis).isMostlyDirections else {
                return false
            }
            if ColumnNames.hemispheres.contains(names[column].lowercased()) { return !hasSigns }
            guard let subject = CoordinateName.subject(of: names[column]), subject.prefix == name.prefix else {
                return false
            }
            return subject.axis == name.axis
                && alike(column, on: other).contains { mayBeDirections($0, on: other) }
        }
    }

    private func mayBeDirections(_ column: Int, on axis: Axis) -> Bool {
        switch cells(column, on: axis) {
        case .words(let cell): CoordinateName.direction(cell) == nil
        case let cells: cells.isMostlyDirections
        }
    }

    /// Columns whose names differ from that of a column only in the coordinate.
    private func alike(_ column: Int, on axis: Axis) -> [Int] {
        guard let subject = CoordinateName.subject(of: names[column]), !subject.rest.isEmpty else { return [] }
        return names.indices.filter { index in
            guard let other = CoordinateName.subject(of: names[index]) else { return false }
            return other.axis == axis && (other.prefix, other.rest) == (subject.prefix, subject.rest)
        }
    }

    private func hasSigns(_ columns: [Int]) -> Bool {
        rows.contains { row in
            columns.contains { $0 < row.count && row[$0].count > 1 && ["-", "\u{2212}"].contains(row[$0].first) }
        }
    }
}

/// Columns found by position.
extension DirectionColumns {
    /// Adds the directions of the coordinates for which none were found by name.
    func addUnnamed(to found: inout CoordinateColumns, _ doubts: inout [DoubtfulColumn], isList: (Axis) -> Bool) {
        let asked = doubts.filter { $0.part == .direction }
        func hasDirection(_ axis: Axis) -> Bool { found[axis].hasDirection || asked.contains { $0.axis == axis } }
        let missing = [Axis.latitude, .longitude].filter { !hasDirection($0) && !isList($0) }
        if missing.count == 2 {
            addPair(to: &found, &doubts)
        } else if let axis = missing.first, hasDirection(axis == .latitude ? .longitude : .latitude) {
            let direction = asked.first?.column ?? (axis == .latitude ? found.longitude : found.latitude).last
            addCounterpart(of: direction, axis, to: &found, &doubts)
        }
    }

    /// Adds directions that directly follow each coordinate. The build asks about directions elsewhere, unless some coordinates
    /// are negative: then signs already give the direction.
    private func addPair(to found: inout CoordinateColumns, _ doubts: inout [DoubtfulColumn]) {
        let (north, east) = (found.latitude.last + 1, found.longitude.last + 1)
        if cells(north, on: .latitude) == .directions, cells(east, on: .longitude) == .directions {
            found.latitude.append(north, isDirection: true)
            found.longitude.append(east, isDirection: true)
            return
        }
        let degrees = [found.latitude.degrees, found.longitude.degrees]
        let areKnown = rows.contains { row in degrees.allSatisfy { $0 < row.count && !row[$0].isEmpty } }
        guard areKnown, !hasSigns(degrees) else { return }
        let norths = unused(found, doubts, on: .latitude)
        let easts = unused(found, doubts, on: .longitude)
        let near = Set(found.columns + doubts.map(\.column)).flatMap { $0 - 2...$0 + 2 }
        if let north = norths.first(where: { easts.contains($0 + 1) || near.contains($0) }),
            let east = easts.first(where: { $0 == north + 1 || near.contains($0) })
        {
            doubts.append(DoubtfulColumn(axis: .latitude, column: north, part: .direction))
            doubts.append(DoubtfulColumn(axis: .longitude, column: east, part: .direction))
        } else if easts.contains(east), norths.isEmpty,
            rows.allSatisfy({ east < $0.count && CoordinateName.direction($0[east]) == .west })
        {
            // Latitudes may all be north. S alone may be a size.
            doubts.append(DoubtfulColumn(axis: .longitude, column: east, part: .direction))
        }
    }

    /// Adds the directions of a coordinate when only the other coordinate's were found by name. They must directly follow it or
    /// have a matching name; the build asks about others.
    private func addCounterpart(
        of direction: Int, _ axis: Axis, to found: inout CoordinateColumns, _ doubts: inout [DoubtfulColumn]
    ) {
        let degrees = found[axis].degrees
        guard !hasSigns([degrees]) else { return }
        let name = readings.first { $0.isWhole(axis, degrees) } ?? CoordinateName(axis, column: degrees)
        let next = found[axis].last + 1
        let others = unused(found, doubts, on: axis)
        let similar = alike(direction, on: axis).first
        if let column = others.contains(next) ? next : columnsNamed(for: name, besides: found).first ?? similar {
            add(column, axis, to: &found, &doubts)
        } else if let column = others.first {
            doubts.append(DoubtfulColumn(axis: axis, column: column, part: .direction))
        }
    }

    /// Columns of directions that aren't used yet, and whose names don't mention the other coordinate.
    private func unused(_ columns: CoordinateColumns, _ doubts: [DoubtfulColumn], on axis: Axis) -> [Int] {
        let used = Set(columns.columns + doubts.map(\.column))
        return names.indices.filter {
            !used.contains($0) && CoordinateName.subject(of: names[$0]).map { $0.axis == axis } ?? true
                && cells($0, on: axis).isMostlyDirections
        }
    }
}
