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
    let types: [ColumnType?]
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
        func column(_ name: String, for use: OptionName) throws(InputError) -> Int {
            guard let index = CSVColumns.index(of: name, in: names) else {
                throw fail(InputError.noColumn(name, for: use, among: names))
            }
            return index
        }
        /// The columns of an angle: one, or up to four that commas separate.
        func angle(_ name: String?, for use: OptionName) throws(InputError) -> [Int]? {
            guard let name else { return nil }
            if CSVColumns.index(of: name, in: names) != nil || !name.contains(",") {
                return [try column(name, for: use)]
            }
            var columns: [Int] = []
            for name in name.split(separator: ",") { columns.append(try column(String(name), for: use)) }
            guard (1...4).contains(columns.count) else {
                throw fail(
                    "\(use) names \(columns.count) columns, expected at most 4: degrees, minutes, seconds, direction")
            }
            return columns
        }
        let longitude = try angle(options.longitudeColumn, for: .longitudeColumn)
        let latitude = try angle(options.latitudeColumn, for: .latitudeColumn)
        var id: Int?
        if let name = options.idColumn {
            id = isOnlyInput ? try column(name, for: .idColumn) : CSVColumns.index(of: name, in: names)
        }
        var types = [ColumnType?](repeating: nil, count: names.count)
        for rule in options.types {
            guard
                let index = isOnlyInput
                    ? try column(rule.column, for: .types) : CSVColumns.index(of: rule.column, in: names)
            else { continue }
            guard types[index] == nil else {
                throw fail("\(.types) names \(InputError.list([names[index]])) twice, expected one type")
            }
            if index == id, rule.type == .boolean {
                throw fail(
                    "\(.types) makes the ids in \(InputError.list([names[index]])) booleans, expected string or number")
            }
            types[index] = rule.type
        }
        // The header's own names: a repeated name is ambiguous here.
        let ownNames = header.map { String($0.trimmingBlanks) }
        var candidates: [CoordinateColumns]
        var pointOrder = options.pointOrder
        if let name = options.pointColumn {
            // A column can be named like a column with its order.
            if let named = pointOrder.flatMap({ names.firstIndex(of: $0.fullName(of: name)) }) {
                candidates = [CoordinateColumns(point: named)]
                pointOrder = nil
            } else {
                candidates = [CoordinateColumns(point: try column(name, for: .pointColumn))]
            }
        } else {
            candidates = CoordinateColumns.candidates(
                among: ownNames, longitude: longitude?[0], latitude: latitude?[0])
            guard candidates.first?.isPoint != true else {
                throw fail(
                    "column \(InputError.list([names[candidates[0].latitude.degrees]])) is both latitude and longitude")
            }
            if candidates.isEmpty, longitude == nil, latitude == nil {
                candidates = CoordinateColumns.pointCandidates(among: ownNames)
            }
        }
        guard let coordinates = candidates.first else {
            guard names.count > 1 else {
                throw fail(
                    "only one column was found, \(InputError.list(names)), and its name doesn't say that it has the "
                        + "coordinates: separate columns by a comma, a semicolon, a tab or a bar, or name it with "
                        + "\(.pointColumn)")
            }
            func suggestion(_ axis: Axis) -> String {
                Misspelling.nearest(to: axis.rawValue, among: names).map { " \(InputError.list([$0]))" } ?? ""
            }
            throw fail(
                "no columns for latitude and longitude among \(InputError.list(names)); "
                    + "name them with \(.latitudeColumn)\(suggestion(.latitude)) and \(.longitudeColumn)\(suggestion(.longitude))"
            )
        }
        guard candidates.count == 1 else {
            if coordinates.isPoint {
                throw fail(
                    "several columns could have the coordinates: "
                        + "\(InputError.list(candidates.map { names[$0.latitude.degrees] })); choose with \(.pointColumn)"
                )
            }
            let pairs = candidates.prefix(8).map {
                InputError.list([names[$0.latitude.degrees], names[$0.longitude.degrees]])
            }
            throw fail(
                "several pairs of columns could be latitude and longitude: \(pairs.joined(separator: "; ")); "
                    + "choose with \(.latitudeColumn) and \(.longitudeColumn)")
        }

        /// Whether the columns are a list, in which a last comma can make a column stand alone.
        func areListed(_ axis: Axis) -> Bool {
            let name = axis == .latitude ? options.latitudeColumn : options.longitudeColumn
            return name.map { $0.contains(",") && CSVColumns.index(of: $0, in: names) == nil } ?? false
        }
        let given: [Axis: [Int]] = [.longitude: longitude, .latitude: latitude].compactMapValues(\.self)
        let (found, doubtful) = coordinates.withParts(among: ownNames, rows: rows) { given[$0] != nil }
        self.coordinates = found
        for (axis, columns) in given where columns.count > 1 || areListed(axis) {
            self.coordinates[axis] = AngleColumns(columns[0])
            for column in columns.dropFirst() {
                let part = CoordinateName(ownNames[column], column: column)?.part
                self.coordinates[axis].append(column, isDirection: part == .direction)
            }
        }
        if !doubtful.isEmpty {
            let columns = doubtful.map {
                (
                    option: $0.axis == .latitude ? OptionName.latitudeColumn : .longitudeColumn,
                    degrees: names[coordinates[$0.axis].degrees], minutes: names[$0.minutes]
                )
            }
            func options(_ name: (String, String) -> String) -> OptionMessage {
                columns.map { "\($0.option) \(ShellWord.quoted(name($0.degrees, $0.minutes)))" as OptionMessage }
                    .reduce(nil) { (all: OptionMessage?, next) in all.map { "\($0) \(next)" } ?? next } ?? ""
            }
            throw fail(
                "\(InputError.list(columns.map(\.minutes))) may have the minutes of "
                    + "\(InputError.list(columns.map(\.degrees))): use \(options { "\($0),\($1)" }) if so, otherwise "
                    + "\(options { degrees, _ in degrees })")
        }

        self.names = names
        self.pointOrder = pointOrder ?? found.order
        self.id = id
        self.types = types
        self.renamed = renamed
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
            var distinct = stem
            func isFree() -> Bool {
                let bytes = Array(distinct.utf8)
                return !taken.contains(bytes) && (distinct == name || !all.contains(bytes))
            }
            var number = uses[stem] ?? 1
            while !isFree() {
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
