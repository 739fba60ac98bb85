import PyramidInput
import PyramidTiles

/// Collects the combinations of values in the columns to filter by, and checks whether clients can filter by them.
package struct FacetSurvey {
    private let facets: [FacetColumn]
    private let columns: [PointColumn]
    private let inputName: String
    /// Without rows.
    private let points: PointTable
    private var found: InternedTexts
    private var hasNumbers: [Bool]
    private var isNested: [Bool]
    private var unusedDates: [UnusedDates]
    private var dateNumbers: [DateNumbers]
    private var isWhole = true

    /// - Throws: a usage error if a column is missing or not written.
    package init(_ facets: [FacetColumn], of points: PointTable) throws(InputError) {
        var columns: [PointColumn] = []
        for facet in facets {
            let column = try points.column(named: facet.name, option: .filterBy)
            guard column.isWritten else {
                throw InputError(
                    .usage, in: points.inputs.name,
                    "\(.filterBy) needs the column \(InputError.list([column.name])), which is left out of the output")
            }
            columns.append(column)
        }
        (self.facets, self.columns, inputName) = (facets, columns, points.inputs.name)
        self.points = points.withoutRows
        found = InternedTexts()
        hasNumbers = columns.map { _ in false }
        isNested = hasNumbers
        unusedDates = columns.map { _ in UnusedDates() }
        dateNumbers = columns.map { _ in DateNumbers() }
    }

    /// The different combinations, as JSON (see ``Facets/counts``).
    package var texts: [[UInt8]] { found.all }

    /// Adds the combinations of some points.
    /// - Returns: by point: the number of its combination in ``texts``.
    @discardableResult
    package mutating func add(_ points: PointTable, jobs: Int) -> [UInt32] {
        let read = FacetReader.read(Array(zip(columns, facets)), of: points, jobs: jobs)
        let numbers = read.texts.map { found.number(of: $0) }
        for column in columns.indices {
            if read.hasNumbers[column] { hasNumbers[column] = true }
            if read.isNested[column] { isNested[column] = true }
            unusedDates[column].add(read.unusedDates[column])
            dateNumbers[column].add(read.dateNumbers[column])
        }
        if !read.isWhole { isWhole = false }
        return read.indices.map { numbers[Int($0)] }
    }

    /// Adds combinations of other points.
    package mutating func add(_ known: [[UInt8]]) { for text in known { _ = found.number(of: text) } }

    /// Whether there are far more combinations than can be used.
    package var isHopeless: Bool { !isWhole || texts.count > FacetReader.mostTexts }

    /// - Throws: an error if the columns can't be filtered by.
    package func check() throws(InputError) {
        if let nested = zip(columns, isNested).first(where: \.1) {
            throw InputError(
                .usage, in: inputName,
                "the column \(InputError.list([nested.0.name])) has objects or nested arrays, expected strings, numbers, "
                    + "booleans or arrays of them with \(.filterBy)")
        }
        guard texts.count <= Facets.combinationLimit else {
            let counts = zip(columns, FacetReader.valueCounts(texts)).map {
                "\"\($0.name)\" has \(NumberText.grouped($1))"
            }
            throw InputError(
                .usage, in: inputName,
                "the columns of \(.filterBy) have \(isHopeless ? "more than " : "")\(NumberText.grouped(texts.count)) "
                    + "combinations of values (\(counts.joined(separator: ", "))), expected at most "
                    + "\(NumberText.grouped(Facets.combinationLimit)); \(cure)")
        }
        let combinations = texts.sorted { $0.lexicographicallyPrecedes($1) }.map { FlatCounts.values(in: $0) }
        for (index, column) in columns.enumerated() {
            try InputError.requireOneSpelling(
                of: combinations.flatMap { $0.count > index ? $0[index].texts : [] }, inColumn: column.name,
                of: .filterBy, in: inputName)
        }
    }

    package var warnings: [OptionMessage] {
        columns.indices.flatMap { index in
            var warnings: [OptionMessage] = []
            let (name, facet, unused) = (columns[index].name, facets[index], unusedDates[index])
            if facet.edges != nil, !hasNumbers[index] {
                warnings.append(
                    "\"\(name)\" has no numbers for the ranges of \(.filterBy); leave out the edges, or read the numbers of "
                        + "a CSV column that has other texts too with \(.types) \(name):number")
            }
            if unused.unreadable.count > 0 {
                let pattern = DatePattern.likely(unused.unreadable.example)
                warnings.append(
                    "\"\(name)\" has \(FacetSurvey.text(unused.unreadable)) that "
                        + (unused.unreadable.count == 1 ? "is no date" : "are no dates")
                        + "; these points count as having none; state how dates are written if not as in 2024-03-05, as in "
                        + "\(.dateFormat) \"\(pattern)\"")
            }
            if unused.coarse.count > 0, let unit = facet.dates?.unit {
                warnings.append(
                    "\"\(name)\" has \(FacetSurvey.text(unused.coarse)) without the \(unit.rawValue); these points count as having "
                        + "no date; filter by longer spans, as in \(name):year")
            }
            if let (notation, others) = dateNumbers[index].mostAre, let first = others.first,
                let read = facet.dates?.notation
            {
                let unit = notation == .years ? "year" : "day"
                let value = CountedWarning.Value(text: first.text, rowAt: first.rowStart, of: points)
                warnings.append(
                    "\(NumberText.counted(others.count, "value")) of \"\(name)\" "
                        + (others.count == 1 ? "is no \(unit), in " : "are no \(unit)s, the first in ")
                        + "\(value.place ?? inputName): \(value.text), so all are read as \(read) since 1970; without such values they are read as \(unit)s"
                )
            }
            return warnings
        }
    }

    private static func text(_ values: UnusedDates.Values) -> String {
        let others = values.count == 1 ? "" : " and \(NumberText.counted(values.count - 1, "other value"))"
        return InputError.quoted(values.example) + others
    }

    /// What helps against too many combinations.
    private var cure: String {
        for index in facets.indices {
            guard let dates = facets[index].dates else { continue }
            for unit in dates.unit.coarser where count(byUnit: unit, ofColumn: index) <= Facets.combinationLimit {
                return "filter by longer spans, as in \(columns[index].name):\(unit.rawValue)"
            }
        }
        return "filter by fewer columns, or by ranges of numbers, as in price:0:10:50"
    }

    /// How many combinations there would be if a column of dates had another unit.
    private func count(byUnit unit: DateUnit, ofColumn index: Int) -> Int {
        func longer(_ value: PropertyValue) -> PropertyValue {
            switch value {
            case .string(let bucket): StatedDate(bucket: bucket).flatMap(unit.bucket).map { .string($0) } ?? .null
            case .array(let buckets): .array(Set(buckets.map(longer)).sorted { "\($0)" < "\($1)" })
            case .null, .number, .bool, .object: value
            }
        }
        let combinations = texts.map { text in
            var values = FlatCounts.values(in: text)
            if values.count > index { values[index] = longer(values[index]) }
            return values
        }
        return Set(combinations).count
    }
}

extension FacetColumn {
    /// Calls the column by its name in the tiles, and decides how its dates are written.
    mutating func resolve(_ points: PointTable) throws(InputError) {
        if let wholeName, points.columns.index(of: Array(wholeName.utf8)) != nil { self = FacetColumn(name: wholeName) }
        try requireUnit(points)
        let column = try points.column(named: name, option: .filterBy)
        name = column.outputName
        guard dates != nil, dates?.notation == nil else { return }
        guard let notation = column.dateNotation else {
            throw InputError(
                .usage, in: points.inputs.name,
                "the column \(InputError.list([column.name])) has numbers as well as other values, expected dates in one notation "
                    + "with \(.filterBy)")
        }
        dates?.notation = notation
    }

    /// Throws a usage error if the name is that of a column with something that is neither a unit nor an edge.
    private func requireUnit(_ points: PointTable) throws(InputError) {
        guard points.columns.index(of: Array(name.utf8)) == nil, let colon = name.lastIndex(of: ":"),
            points.columns.index(of: Array(name[..<colon].utf8)) != nil
        else { return }
        let units = DateUnit.allCases.map(\.rawValue).joined(separator: ", ")
        throw InputError(
            .usage, in: points.inputs.name,
            "\(.filterBy) has \(InputError.quoted(Array(name[colon...].dropFirst().utf8))) after the column "
                + "\(InputError.list([String(name[..<colon])])), expected one of \(units), or ascending numbers")
    }
}

extension PropertyValue {
    /// A text, or the texts in an array.
    fileprivate var texts: [[UInt8]] {
        switch self {
        case .string(let text): [Array(text.utf8)]
        case .array(let values): values.flatMap(\.texts)
        case .number, .bool, .null, .object: []
        }
    }
}
