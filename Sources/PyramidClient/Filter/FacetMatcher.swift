import PyramidTiles

/// A filter, checked against the columns of a tileset.
struct FacetMatcher: Sendable {
    let filter: MarkerFilter
    let facets: Facets?
    /// The column whose values are clustered apart.
    let groupBy: String?
    /// All points' combinations of values.
    let combinations: [FacetCount]
    private let known: [KnownValues]
    private let accepted: [Accepted]
    /// Columns whose sets are the text of JSON arrays, in vector tiles.
    private let setColumns: Set<String>

    /// What a filter accepts in a column.
    fileprivate struct Accepted: Sendable {
        let index: Int
        let values: Set<FacetValue>
        /// For dates, in milliseconds since 1970-01-01T00:00 UTC.
        var ranges: [(from: Double, to: Double)] = []
        var numbers: [Double] = []
    }

    var columns: [FacetColumn] { facets?.columns ?? [] }

    /// - Throws: ``MarkerFilterError``, and ``MetadataError`` if the TileJSON is damaged.
    init(_ filter: MarkerFilter, _ tileJSON: TileJSON) throws {
        self.filter = filter
        facets = tileJSON.facets
        groupBy = tileJSON.groupBy
        let columns = facets?.columns ?? []
        let combinations = try (facets?.counts ?? [:]).map { text, count in
            guard case .array(let values) = PropertyValue(json: text), values.count == columns.count else {
                throw MetadataError("has facets with the combination \(text), expected \(columns.count) values")
            }
            return FacetCount(values: values, count: count)
        }
        let known = columns.enumerated().map { index, column in
            KnownValues(column, combinations.map { $0.values[index] })
        }
        self.known = known
        self.combinations = combinations.map {
            FacetCount(values: zip(known, $0.values).map { $0.value($1) }, count: $0.count)
        }
        accepted = try filter.columns.map { name, values in
            guard let index = columns.firstIndex(where: { $0.name == name }) else {
                throw MarkerFilterError(unknownColumn: name, of: columns)
            }
            var accepted = Accepted(index: index, values: Set(values.flatMap(known[index].values)))
            for value in values {
                switch value {
                case .range(let from, let to):
                    guard columns[index].dates == nil else { throw MarkerFilterError(numbersForDates: name) }
                    let (from, to) = (from ?? -.infinity, to ?? .infinity)
                    guard from <= to else { throw MarkerFilterError(column: name, from: from, to: to) }
                    if from < to { accepted.ranges.append((from, to)) }
                case .dates(let from, let to):
                    guard columns[index].dates != nil else { throw MarkerFilterError(noDates: name) }
                    let limits = try [(from, -Double.infinity), (to, .infinity)].map { text, limit in
                        guard let text else { return limit }
                        guard let date = StatedDate(bucket: text) else {
                            throw MarkerFilterError(column: name, noDate: text)
                        }
                        return Double(date.milliseconds)
                    }
                    guard limits[0] <= limits[1] else {
                        throw MarkerFilterError(column: name, from: from ?? "", to: to ?? "")
                    }
                    if limits[0] < limits[1] { accepted.ranges.append((limits[0], limits[1])) }
                case .value(.number(let number)): accepted.numbers.append(number)
                case .value, .absent: break
                }
            }
            return accepted
        }
        let withSets = columns.enumerated().filter { index, column in
            combinations.contains { column.set(ofCombined: $0.values[index]) != nil }
        }
        setColumns = tileJSON.codec == .mvt ? Set(withSets.map(\.element.name)) : []
    }

    /// Whether the filter accepts a point.
    func accepts(_ point: Feature) -> Bool {
        if let predicate = filter.predicate { return predicate.matches(point) }
        return accepted.allSatisfy { accepted in
            let column = columns[accepted.index]
            let own = property(column, of: point)
            if column.edges != nil, case .number = own { return accepted.matches(.value(own)) == true }
            if let dates = column.dates, !accepted.ranges.isEmpty {
                let values = if case .array(let elements) = own { elements } else { [own] }
                if values.contains(where: { accepted.matches($0, in: dates) }) { return true }
            }
            return accepted.matches(known[accepted.index].value(column.combined(own)), in: column) == true
        }
    }

    /// Whether the filter accepts the points with a combination of values; `nil` if that is unknown.
    /// - Parameter ignored: a column whose filter doesn't count.
    func accepts(_ combination: [PropertyValue], ignoring ignored: Int? = nil) -> Bool? {
        guard filter.predicate == nil, combination.count == columns.count else { return nil }
        var isKnown = true
        for accepted in accepted where accepted.index != ignored {
            switch accepted.matches(combination[accepted.index], in: columns[accepted.index]) {
            case true?: break
            case false?: return false
            case nil: isKnown = false
            }
        }
        return isKnown ? true : nil
    }

    /// The combinations that the filter accepts; `nil` if that is unknown of one.
    func accepted(of counts: [FacetCount], ignoring ignored: Int? = nil) -> [FacetCount]? {
        guard filter.predicate == nil else { return nil }
        var kept: [FacetCount] = []
        for count in counts {
            let values = zip(known, count.values).map { $0.value($1) }
            guard let isAccepted = accepts(values, ignoring: ignored) else { return nil }
            if isAccepted { kept.append(FacetCount(values: values, count: count.count)) }
        }
        return kept
    }

    /// The combination of a point, with sets in the point's order.
    func combination(of point: Feature) -> [PropertyValue] {
        zip(columns, known).map { $1.value($0.combined(property($0, of: point))) }
    }

    private func property(_ column: FacetColumn, of point: Feature) -> PropertyValue {
        let own = point.properties[column.name] ?? .null
        guard setColumns.contains(column.name), case .string(let text) = own, text.utf8.first == UInt8(ascii: "["),
            let set = PropertyValue(json: text)
        else { return own }
        return set
    }
}

/// The numbers and booleans of points in a column. A text that is written like one of them is the same value.
private struct KnownValues: Sendable {
    private let column: FacetColumn
    private var values: [String: PropertyValue] = [:]

    /// - Parameter combined: the values of the column in combinations.
    init(_ column: FacetColumn, _ combined: [PropertyValue]) {
        self.column = column
        for value in combined.flatMap({ column.set(ofCombined: $0) ?? [$0] }) {
            if let text = KnownValues.text(of: value) { values[text] = value }
        }
    }

    /// A value with each text replaced by the number or boolean that counts as the same.
    func value(_ value: PropertyValue) -> PropertyValue {
        guard !values.isEmpty else { return value }
        if case .string(let text) = value { return values[text] ?? value }
        guard let set = column.set(ofCombined: value) else { return value }
        return .array(set.map(self.value).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }

    /// The values that match a value of a filter.
    func values(_ wanted: FacetValue) -> [FacetValue] {
        guard case .value(let value) = wanted else { return [wanted] }
        return [.value(self.value(value))] + (KnownValues.text(of: value).map { [.value(.string($0))] } ?? [])
    }

    /// The text that counts as the same as a number or boolean; `nil` for other values.
    private static func text(of value: PropertyValue) -> String? {
        switch value {
        case .number(let number): FacetColumn.text(ofEdge: number)
        case .bool(let flag): flag ? "true" : "false"
        case .string, .null, .array, .object: nil
        }
    }
}

extension FacetMatcher.Accepted {
    /// Whether a value in a combination is accepted; `nil` if only some of its points are.
    fileprivate func matches(_ combined: PropertyValue, in column: FacetColumn) -> Bool? {
        func matches(one value: PropertyValue) -> Bool? {
            if case .string(let bucket) = value, !values.contains(.value(value)),
                let span = column.dates?.unit.span(ofBucket: bucket)
            {
                return self.matches(.range(from: Double(span.lowerBound), to: Double(span.upperBound)))
            }
            return self.matches(column.value(ofCombined: value))
        }
        guard let set = column.set(ofCombined: combined) else { return matches(one: combined) }
        let matches = set.map(matches(one:))
        return matches.contains(true) ? true : matches.contains(nil) ? nil : false
    }

    /// Whether one of the ranges has a point's date.
    fileprivate func matches(_ own: PropertyValue, in dates: FacetDates) -> Bool {
        guard case .bucket = dates.value(of: own), let date = dates.date(of: own) else { return false }
        return ranges.contains { $0.from <= Double(date.milliseconds) && Double(date.milliseconds) < $0.to }
    }

    /// Whether a value is accepted; `nil` if only some numbers of a range are.
    fileprivate func matches(_ value: FacetValue) -> Bool? {
        if values.contains(value) { return true }
        switch value {
        case .value(.number(let number)): return ranges.contains { $0.from <= number && number < $0.to }
        case .range(let from, let to):
            let (from, to) = (from ?? -.infinity, to ?? .infinity)
            if ranges.contains(where: { $0.from <= from && to <= $0.to }) { return true }
            let isTouched =
                ranges.contains { $0.from < to && from < $0.to } || numbers.contains { from <= $0 && $0 < to }
            return isTouched ? nil : false
        case .value, .absent, .dates: return false
        }
    }
}

extension PropertyValue {
    /// A value from its JSON; `nil` if it is none.
    fileprivate init?(json: String) {
        var json = json
        let value: PropertyValue? = json.withUTF8 { text in
            var reader = JSONReader(UnsafeRawBufferPointer(text))
            guard let value = try? reader.readValue(isKept: true), (try? reader.expectEnd()) != nil else { return nil }
            return value
        }
        guard let value else { return nil }
        self = value
    }
}
