import PyramidInput
import PyramidTiles

/// Which points can merge with each other: points with the same value in the group column, except points that
/// never merge.
package struct PointGroups: Sendable {
    /// By point: the number of its group, `idMasks.count` if it never merges; empty if all points form one group.
    package private(set) var numbers: [UInt32] = []
    /// By group; groups are in the order of their values' bytes.
    package private(set) var idMasks: [UInt64] = [0]

    /// All points in one group.
    package init() {}

    /// - Throws: a usage error if a column named in the options is missing, or if tiles would not show the groups.
    package init(_ options: ClusteringOptions, of points: PointTable) throws(InputError) {
        guard options.groupColumn != nil || options.unclustered != nil else { return }
        numbers = [UInt32](repeating: 0, count: points.count)
        if let name = options.groupColumn {
            let column = try points.column(named: name, option: .groupBy)
            guard column.isWritten else {
                throw InputError(
                    .usage, in: points.inputs.name,
                    "\(.groupBy) needs the column \(InputError.list([column.name])), which is left out of the output")
            }
            let values = TextColumn(column, of: points)
            numbers = values.indices
            idMasks = values.texts.map { ClusterGroup.idMask(of: $0) }
        }
        if let rule = options.unclustered {
            let last = UInt32(idMasks.count)
            let (forNumbers, forBooleans) = (rule.forNumbers, rule.forBooleans)
            let column = try points.column(named: rule.column, option: .unclustered)
            points.forEachText(of: column) { point, text, value in
                let rule =
                    switch value {
                    case .number: forNumbers
                    case .bool: forBooleans
                    default: rule
                    }
                if rule.holds(text) { numbers[point] = last }
            }
        }
    }
}
