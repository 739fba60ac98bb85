import PyramidTiles

/// Which points are clustered with each other: those of one value of a column, and none of those that are never merged.
struct PointSections: Sendable {
    /// By point the number of its group, `idMasks.count` for those that are never merged; empty if all points are one group.
    private(set) var numbers: [UInt32] = []
    /// By group, in the order of the values' bytes.
    private(set) var idMasks: [UInt64] = [0]

    /// All points together.
    init() {}

    /// - Throws: a usage error where a column is missing that the options name, or where nobody could tell the groups.
    init(_ options: ClusteringOptions, of points: PointTable) throws(InputError) {
        guard options.groupColumn != nil || options.unclustered != nil else { return }
        numbers = [UInt32](repeating: 0, count: points.count)
        if let name = options.groupColumn {
            let column = try points.column(named: name, option: .groupBy)
            guard column.isWritten else {
                throw InputError(
                    .usage, in: points.inputs.name,
                    "\(InputError.list([column.name])) is not written into the points, "
                        + "expected \(.groupBy) to be one that is")
            }
            let values = TextColumn(column, of: points)
            numbers = values.indices
            idMasks = values.texts.map { ClusterGroup.idMask(of: $0) }
        }
        if let rule = options.unclustered {
            let last = UInt32(idMasks.count)
            points.forEachText(of: try points.column(named: rule.column, option: .unclustered)) { point, text in
                if rule.holds(text) { numbers[point] = last }
            }
        }
    }
}
