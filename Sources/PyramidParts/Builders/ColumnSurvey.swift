import PyramidBuild
import PyramidClusters
import PyramidInput
import PyramidTiles

/// What must be known of the columns before a build in parts writes its first file, from one more reading of the rows.
struct ColumnSurvey {
    /// The number of points that never merge.
    private(set) var unclusteredCount = 0
    /// All combinations of values to filter by.
    private(set) var combinations: [[UInt8]] = []
    /// About the columns to filter by.
    private(set) var warnings: [OptionMessage] = []

    /// - Parameter table: without rows.
    /// - Throws: ``InputError`` if the columns can't be filtered by, or if a value to count has two spellings.
    init(_ options: BuildOptions, _ table: PointTable, _ spool: RowSpool) throws {
        let clusters = try ResolvedOptions(options, of: table).clusters
        let (filterBy, countBy) = (clusters.filterBy, clusters.countBy)
        guard !filterBy.isEmpty || !countBy.isEmpty || options.clustering.unclustered != nil else { return }
        var facets = try FacetSurvey(filterBy, of: table)
        var counted = try countBy.map {
            (column: try table.column(named: $0.name, option: .countBy), texts: Set<[UInt8]>())
        }
        try spool.forEachRun { run in
            for piece in run.indices.split(every: ColumnSurvey.rowsPerPiece) {
                var rows = AcceptedRows()
                for (row, start) in run[piece] where !spool.isDropped(row) {
                    rows.append(start: Int(start), longitude: 0, latitude: 0)
                }
                let points = table.with(rows)
                if !filterBy.isEmpty, !facets.isHopeless { facets.add(points, jobs: options.jobs) }
                for index in counted.indices {
                    counted[index].texts.formUnion(TextColumn(counted[index].column, of: points).texts)
                }
                if options.clustering.unclustered != nil {
                    let groups = try PointGroups(options.clustering, of: points)
                    let last = UInt32(groups.idMasks.count)
                    unclusteredCount += groups.numbers.count { $0 == last }
                }
            }
            for input in table.inputs.inputs { input.releasePages() }
        }
        for (column, texts) in counted {
            try InputError.requireOneSpelling(
                of: texts.sorted { $0.lexicographicallyPrecedes($1) }, inColumn: column.name, of: .countBy,
                in: table.inputs.name)
        }
        guard !filterBy.isEmpty else { return }
        try facets.check()
        (combinations, warnings) = (facets.texts, facets.warnings)
    }

    private static let rowsPerPiece = 1 << 18
}

extension PointTable {
    /// Throws ``InputError`` if a column that options name is missing or unfit; `self` has no rows.
    func checkColumns(_ options: BuildOptions) throws(InputError) {
        _ = try PointGroups(options.clustering, of: self)
        let (precedence, _) = try PointPrecedence.reading(options.clustering, of: self)
        _ = try ClusterContent(ResolvedOptions(options, of: self), of: self, precedence: precedence)
    }
}
