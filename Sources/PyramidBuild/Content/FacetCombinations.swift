import PyramidClusters
import PyramidInput
import PyramidStore
import PyramidTiles

/// The combinations of values that points have in the columns to filter by, which clusters count.
package struct FacetCombinations: Sendable {
    package let columns: [FacetColumn]
    /// The combinations as JSON (see ``Facets/counts``), and each point's.
    package let combinations: TextColumn
    /// The index in ``PointValues/categories``.
    package let index: Int
    package let warnings: [OptionMessage]
    /// For codecs whose values can't be nested; empty for others.
    var flat = FlatCounts()

    /// Reads the columns; `nil` if there are none.
    /// - Parameters:
    ///   - values: the combinations are added to it.
    ///   - known: combinations of points that aren't in the table.
    init?(
        _ facets: [FacetColumn], of points: PointTable, values: inout PointValues, known: [[UInt8]], jobs: Int
    ) throws(InputError) {
        guard !facets.isEmpty else { return nil }
        var survey = try FacetSurvey(facets, of: points)
        let indices = survey.add(points, jobs: jobs)
        survey.add(known)
        try survey.check()
        (columns, warnings) = (facets, survey.warnings)
        combinations = TextColumn(texts: survey.texts, indices: indices)
        index = values.categories.count
        values.categories.append(PointValues.Categories(column: combinations, limit: .max))
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

    /// Throws if facets make a file large: clients load several at first.
    /// - Parameter counts: of each cluster.
    func checkSize(
        of address: FileAddress, _ file: StoredFile, _ counts: [ArraySlice<CategoryColumn.Count>]
    ) throws(OutputError) {
        // A count takes about three digits and two commas; where combinations are spelled out, six bytes and the combination.
        let byteCount = counts.joined().reduce(0) { sum, count in
            sum + (flat.names.isEmpty ? 5 : 6 + combinations.texts[Int(count.category)].count)
        }
        guard byteCount * 2 > file.bodyByteCount else { return }
        throw OutputError(
            largeFacets: address, countCount: counts.reduce(0) { $0 + $1.count }, byteCount: file.byteCount,
            limit: Facets.tileLimitBytes)
    }

    private static let quotedName = TableColumns.quoted(ClusterContentOptions.facetsName)

    /// - Parameter cluster: a cluster of all points.
    package func total(of cluster: Int, _ aggregates: Aggregates) -> Facets {
        let counts = aggregates.categories[index].all(of: cluster).map {
            (String(decoding: combinations.texts[Int($0.category)], as: UTF8.self), Int($0.count))
        }
        return Facets(columns: columns, counts: Dictionary(uniqueKeysWithValues: counts))
    }
}
