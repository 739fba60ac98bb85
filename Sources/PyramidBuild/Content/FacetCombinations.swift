import PyramidTiles

/// The combinations of values that points have in the columns to filter by, which clusters count.
struct FacetCombinations: Sendable {
    /// Named as written.
    let columns: [FacetColumn]
    /// The combinations as JSON (see ``Facets/counts``), and each point's.
    let combinations: TextColumn
    /// The index in ``PointValues/categories``.
    let index: Int
    private(set) var warnings: [OptionMessage] = []
    /// For codecs whose values can't be nested.
    let flat: FlatCounts

    /// Reads the columns; `nil` if there are none.
    /// - Parameters:
    ///   - values: the combinations are added to it.
    ///   - known: combinations of points outside the table.
    init?(
        _ facets: [FacetColumn], of points: PointTable, values: inout PointValues, known: [[UInt8]]
    ) throws(InputError) {
        guard !facets.isEmpty else { return nil }
        var columns: [FacetColumn] = []
        var read: [FacetValues] = []
        for facet in facets {
            let column = try points.column(named: facet.name, option: .filterBy)
            guard column.isWritten else {
                throw InputError(
                    .usage, in: points.inputs.name,
                    "\(.filterBy) needs the column \(InputError.list([column.name])), which is left out of the output")
            }
            columns.append(FacetColumn(name: column.outputName, edges: facet.edges))
            let values = try FacetValues(facet, column, of: points)
            if let warning = values.warning { warnings.append(warning) }
            read.append(values)
        }
        self.columns = columns
        let found = FacetCombinations.combine(read, pointCount: points.count)
        combinations = TextColumn(
            texts: found.texts + Set(known).subtracting(found.texts), indices: found.indices)
        guard combinations.texts.count <= Facets.combinationLimit else {
            let counts = zip(columns, read).map { "\"\($0.name)\" has \(NumberText.grouped($1.texts.count))" }
            throw InputError(
                .usage, in: points.inputs.name,
                "the columns of \(.filterBy) have \(NumberText.grouped(combinations.texts.count)) combinations of values "
                    + "(\(counts.joined(separator: ", "))), expected at most \(NumberText.grouped(Facets.combinationLimit)); "
                    + "filter by fewer columns, or by ranges of numbers, as in price:0:10:50")
        }
        flat = FlatCounts(columns, combinations.texts)
        index = values.categories.count
        values.categories.append(PointValues.Categories(column: combinations, limit: .max))
    }

    /// The texts of all combinations, and the index of each point's.
    private static func combine(_ columns: [FacetValues], pointCount: Int) -> (texts: [[UInt8]], indices: [UInt32]) {
        var texts: [[UInt8]] = [[]]
        var indices = [UInt32](repeating: 0, count: pointCount)
        for column in columns {
            var joined: [[UInt8]] = []
            var numbers: [UInt64: UInt32] = [:]
            for point in 0..<pointCount {
                let (first, second) = (indices[point], column.indices[point])
                let pair = UInt64(first) << 32 | UInt64(second)
                if let number = numbers[pair] {
                    indices[point] = number
                } else {
                    indices[point] = UInt32(joined.count)
                    numbers[pair] = UInt32(joined.count)
                    let start = texts[Int(first)]
                    joined.append(
                        start + [start.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ",")] + column.texts[Int(second)])
                }
            }
            texts = joined
        }
        return (texts.map { $0 + [UInt8(ascii: "]")] }, indices)
    }

    /// Visits the counts of a cluster with every combination spelled out, and the counts of single values.
    func visit<Visitor: PropertyVisitor & ~Copyable>(
        of cluster: Int, _ aggregates: Aggregates, nested: inout JSONObjectWriter, _ visitor: inout Visitor
    ) {
        let counts = aggregates.categories[index][cluster]
        nested.removeAll()
        for (number, count) in counts.enumerated() {
            nested.append(number == 0 ? "[" : "," as StaticString)
            combinations.texts[Int(count.category)].withUnsafeBytes { nested.append(.json($0)) }
            nested.append(",")
            nested.append(.integer(Int(count.count)))
        }
        nested.append("]")
        nested.buffer.withUnsafeBytes { visitor.visit(FacetCombinations.quotedName, .json($0)) }
        flat.visit(counts, &visitor)
    }

    private static let quotedName = TableColumns.quoted(ClusterContentOptions.facetsName)

    /// - Parameter cluster: a cluster of all points.
    func total(of cluster: Int, _ aggregates: Aggregates) -> Facets {
        let counts = aggregates.categories[index].all(of: cluster).map {
            (String(decoding: combinations.texts[Int($0.category)], as: UTF8.self), Int($0.count))
        }
        return Facets(columns: columns, counts: Dictionary(counts, uniquingKeysWith: +))
    }
}

/// The different values in a column to filter by, as JSON, and the index of each point's.
private struct FacetValues {
    private(set) var texts: [[UInt8]] = []
    private(set) var indices: [UInt32]
    private(set) var warning: OptionMessage?
    private var numbers: [[UInt8]: UInt32] = [:]

    /// - Throws: a usage error for values that can't be filtered by.
    init(_ facet: FacetColumn, _ column: PointColumn, of points: PointTable) throws(InputError) {
        indices = [UInt32](repeating: 0, count: points.count)
        let ranges = facet.edges.map { FacetRanges($0) }
        var json = ByteBuffer()
        var (hasNumbers, isNested) = (false, false)
        var found = self
        points.forEachText(of: column) { point, text, value in
            json.removeAll()
            switch value {
            case .number:
                hasNumbers = true
                if let ranges {
                    json.append(ranges.text(of: text))
                } else {
                    json.append(text)
                }
            case _ where ranges != nil, nil: json.append("null")
            case .text, .plainText: json.append(quoted: text)
            case .bool: json.append(text)
            case .json: if !json.append(setOf: text) { isNested = true }
            case .integer, .decimal: break
            }
            found.indices[point] = json.withUnsafeBytes { found.number(of: Array($0)) }
        }
        self = found
        if isNested {
            throw InputError(
                .usage, in: points.inputs.name,
                "the column \(InputError.list([column.name])) has objects or nested arrays, expected strings, numbers, "
                    + "booleans or arrays of them with \(.filterBy)")
        }
        if ranges != nil, !hasNumbers {
            warning =
                "\"\(column.name)\" has no numbers for the ranges of \(.filterBy); leave out the edges, or read the numbers of "
                + "a CSV column that has other texts too with \(.types) \(column.name):number"
        }
    }

    private mutating func number(of text: [UInt8]) -> UInt32 {
        if let number = numbers[text] { return number }
        numbers[text] = UInt32(texts.count)
        texts.append(text)
        return UInt32(texts.count - 1)
    }
}

/// The ranges between edges, as JSON.
private struct FacetRanges {
    private let edges: [Double]
    private let texts: [[UInt8]]

    init(_ edges: [Double]) {
        self.edges = edges
        let limits = ["null"] + edges.map(FacetColumn.text(ofEdge:)) + ["null"]
        texts = zip(limits, limits.dropFirst()).map { Array("[\($0),\($1)]".utf8) }
    }

    /// - Parameter number: a JSON number.
    func text(of number: UnsafeRawBufferPointer) -> [UInt8] {
        let value = Double(String(decoding: number, as: UTF8.self)) ?? .infinity
        return texts[edges.partitioningIndex { $0 > value }]
    }
}

extension ByteBuffer {
    /// Appends a JSON array as a set: each value once, in the order of their bytes; `null` for an empty one.
    /// - Returns: `false` if it is no array of strings, numbers and booleans.
    fileprivate mutating func append(setOf json: UnsafeRawBufferPointer) -> Bool {
        var reader = JSONReader(json)
        guard (try? reader.expect(UInt8(ascii: "["), "")) != nil else { return false }
        var values: Set<[UInt8]> = []
        var canonical: [UInt8] = []
        var isFirst = true
        while (try? reader.nextElement(isFirst: isFirst)) == true {
            isFirst = false
            _ = reader.peek()
            let start = reader.position
            switch reader.peek() {
            case UInt8(ascii: "["), UInt8(ascii: "{"): return false
            default: break
            }
            guard let value = try? reader.readValue(isKept: true) else { return false }
            let text = UnsafeRawBufferPointer(rebasing: json[start..<reader.position])
            if value == .null { continue }
            if case .number = value, CanonicalNumber.write(text, into: &canonical) {
                values.insert(canonical)
            } else {
                values.insert(Array(text))
            }
        }
        if values.isEmpty {
            append("null")
        } else {
            let sorted = values.sorted { $0.lexicographicallyPrecedes($1) }
            append("[")
            append(Array(sorted.joined(separator: [UInt8(ascii: ",")])))
            append("]")
        }
        return true
    }
}
