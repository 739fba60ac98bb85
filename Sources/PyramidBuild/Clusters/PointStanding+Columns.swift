import PyramidTiles

extension PointStanding {
    /// What the columns of priority and weight say.
    /// - Returns: also sentences about values that could not be used.
    static func reading(
        _ options: ClusteringOptions, of points: PointTable
    ) throws(InputError) -> (standing: PointStanding, warnings: [OptionMessage]) {
        var standing = PointStanding()
        var warnings: [OptionMessage] = []
        if let name = options.priorityColumn {
            let column = NumberColumn(try points.column(named: name, option: .priority), of: points)
            standing.priorities = column.ranks[...]
            if column.otherCount > 0 {
                warnings.append("\(column.otherCount) priorities are no numbers; these points come last")
            }
        }
        if let name = options.weightColumn {
            let column = NumberColumn(try points.column(named: name, option: .weight), of: points)
            let (weights, otherCount) = column.weights()
            standing.weights = weights[...]
            if otherCount > 0 {
                warnings.append(
                    "\(otherCount) weights are no whole numbers from 0 to \(FixedDecimal.weightLimit); "
                        + "these points count as 1")
            }
        }
        return (standing, warnings)
    }
}
