import PyramidTiles

/// The purpose of each column of a CSV input.
struct CSVColumns {
    /// The names of all columns, unique.
    let names: [String]
    var coordinates: CoordinateColumns
    /// The order of the numbers in a column of both coordinates; `nil` for latitude first.
    let pointOrder: PointOrder?
    let id: Int?
    /// By column: the type declared in the options.
    private(set) var types: [ColumnType?]
    /// Columns whose names were empty or repeated.
    let renamed: [InputReport.RenamedColumn]

    /// - Parameters:
    ///   - header: the names as written in the input.
    ///   - rows: the cells of the first rows, without blanks around them.
    ///   - isOnlyInput: whether the id column must be here, because there is no other input.
    ///   - fail: makes a usage error.
    init(
        header: [String], rows: [[String]] = [], options: InputOptions, isOnlyInput: Bool,
        fail: (OptionMessage) -> InputError
    ) throws(InputError) {
        var renamed: [InputReport.RenamedColumn] = []
        let names = CSVColumns.distinctNames(header, renamed: &renamed)
        self.names = names
        self.renamed = renamed
        func column(_ name: String, for use: OptionName) throws(InputError) -> Int {
            guard let index = CSVColumns.index(of: name, in: names) else {
                throw fail(InputError.noColumn(name, for: use, among: names))
            }
            return index
        }
        id =
            if let name = options.idColumn {
                isOnlyInput ? try column(name, for: .idColumn) : CSVColumns.index(of: name, in: names)
            } else { nil }
        types = [ColumnType?](repeating: nil, count: names.count)
        for rule in options.types {
            let found =
                isOnlyInput ? try column(rule.column, for: .types) : CSVColumns.index(of: rule.column, in: names)
            guard let found else { continue }
            guard types[found] == nil else {
                throw fail("\(.types) names \(InputError.list([names[found]])) twice, expected one type")
            }
            if found == id, rule.type == .boolean {
                throw fail(
                    "\(.types) makes the ids in \(InputError.list([names[found]])) booleans, expected string or number")
            }
            types[found] = rule.type
        }

        // The header's own names: a repeated name is ambiguous here.
        let ownNames = header.map { String($0.trimmingBlanks) }
        if let name = options.pointColumn {
            coordinates = CoordinateColumns(point: try column(name, for: .pointColumn))
            pointOrder = options.pointOrder
            return
        }
        // The columns of an angle: one, or up to four that commas separate. A last comma makes a column stand alone.
        var given: [Axis: (columns: [Int], isList: Bool)] = [:]
        for axis in [Axis.longitude, .latitude] {
            guard let name = axis == .latitude ? options.latitudeColumn : options.longitudeColumn else { continue }
            let isList = name.contains(",") && CSVColumns.index(of: name, in: names) == nil
            var columns: [Int] = []
            for part in isList ? name.split(separator: ",").map(String.init) : [name] {
                columns.append(try column(part, for: axis.option))
            }
            guard (1...4).contains(columns.count) else {
                throw fail(
                    "\(axis.option) names \(columns.count) columns, expected at most 4: degrees, minutes, seconds, "
                        + "direction")
            }
            given[axis] = (columns, isList)
        }
        let first = given.mapValues { $0.columns[0] }
        var found = try CSVColumns.coordinates(among: ownNames, shown: names, first, fail: fail)
        for (axis, (columns, isList)) in given where isList {
            let directions = DirectionColumns(ownNames, [], rows)
            let isDirection = { (column: Int) in
                CoordinateName(ownNames[column])?.part == .direction || directions.cells(column, on: axis).hasDirections
            }
            let direction = columns.dropFirst().first(where: isDirection)
            // A column of directions counts instead of a direction in the name of the degrees.
            found[axis] = AngleColumns(
                columns[0], letter: direction == nil ? found[axis].letter : nil, power: found[axis].power)
            for column in columns.dropFirst() where !isDirection(column) { found[axis].append(column) }
            if let direction { found[axis].append(direction, isDirection: true) }
        }
        let doubts: [DoubtfulColumn]
        (coordinates, doubts) = found.withParts(
            among: ownNames, rows: rows, isList: { given[$0]?.isList == true })
        pointOrder = found.order
        if !doubts.isEmpty { throw fail(DoubtfulColumn.question(doubts, beside: coordinates, among: names)) }
    }

    /// The columns of degrees, or the one with both coordinates.
    /// - Parameter given: the columns that the options name.
    private static func coordinates(
        among ownNames: [String], shown names: [String], _ given: [Axis: Int], fail: (OptionMessage) -> InputError
    ) throws(InputError) -> CoordinateColumns {
        var candidates = CoordinateColumns.candidates(
            among: ownNames, longitude: given[.longitude], latitude: given[.latitude])
        if let both = candidates.first, both.isPoint {
            let name = names[both.latitude.degrees]
            throw fail(
                "column \(InputError.list([name])) is both latitude and longitude; if its cells have both, use "
                    + "\(.pointColumn) \(ShellWord.quoted(name))")
        }
        if candidates.isEmpty, given.isEmpty { candidates = CoordinateColumns.pointCandidates(among: ownNames) }
        guard let coordinates = candidates.first else {
            guard names.count > 1 else {
                throw fail(
                    "only one column was found, \(InputError.list(names)), and its name doesn't say that it has the "
                        + "coordinates: if it has, name it with \(.pointColumn); if anything but a comma, a semicolon, "
                        + "a tab or a bar separates columns, name that with \(.delimiter)")
            }
            func suggestion(_ axis: Axis) -> String {
                let others = names.filter { CoordinateName($0).map { $0.axis == axis } ?? true }
                return Misspelling.nearest(to: axis.rawValue, among: others).map { " \(InputError.list([$0]))" } ?? ""
            }
            throw fail(
                "no columns for latitude and longitude among \(InputError.list(names)); "
                    + "name them with \(.latitudeColumn)\(suggestion(.latitude)) and \(.longitudeColumn)\(suggestion(.longitude))"
            )
        }
        guard candidates.count > 1 else { return coordinates }
        if coordinates.isPoint {
            let columns = InputError.list(candidates.map { names[$0.latitude.degrees] })
            throw fail("several columns could have the coordinates: \(columns); choose with \(.pointColumn)")
        }
        let pairs = candidates.prefix(8).map {
            InputError.list([names[$0.latitude.degrees], names[$0.longitude.degrees]])
        }
        throw fail(
            "several pairs of columns could be latitude and longitude: \(pairs.joined(separator: "; ")); "
                + "choose with \(.latitudeColumn) and \(.longitudeColumn)")
    }

    var count: Int { names.count }

    /// The column with this name, or the only column whose name differs from it only in case.
    static func index(of name: String, in names: [String]) -> Int? {
        let trimmed = String(name.trimmingBlanks)
        if let exact = names.firstIndex(of: trimmed) { return exact }
        let similar = names.indices.filter { names[$0].lowercased() == trimmed.lowercased() }
        return similar.count == 1 ? similar.first : nil
    }

    /// The names without blanks around them; the empty name of column 3 becomes `column_3`, a repeated name `name_2`.
    private static func distinctNames(
        _ header: [String], renamed: inout [InputReport.RenamedColumn]
    ) -> [String] {
        let trimmed = header.map { String($0.trimmingBlanks) }
        // As bytes: two spellings of a name in Unicode are two names, which are refused later.
        let all = Set(trimmed.map { Array($0.utf8) })
        var taken: Set<[UInt8]> = []
        var uses: [String: Int] = [:]
        return trimmed.enumerated().map { index, name in
            let stem = name.isEmpty ? "column_\(index + 1)" : name
            var (distinct, number) = (stem, uses[stem] ?? 1)
            while taken.contains(Array(distinct.utf8)) || distinct != name && all.contains(Array(distinct.utf8)) {
                number += 1
                distinct = "\(stem)_\(number)"
            }
            uses[stem] = number
            taken.insert(Array(distinct.utf8))
            if distinct != name { renamed.append(.init(from: name, to: distinct)) }
            return distinct
        }
    }
}

extension Axis {
    /// The option that names the column.
    package var option: OptionName { self == .latitude ? .latitudeColumn : .longitudeColumn }
}
