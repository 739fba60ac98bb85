import PyramidInput
import PyramidTiles

/// The points' priorities and weights, which decide whose places markers keep.
package struct PointPrecedence: Sendable {
    /// By point: the greater wins. Empty if all are equal.
    var priorities: [UInt32] = []
    /// By point: how many points it counts as. Empty if each point counts as one.
    package var weights: [UInt32] = []

    func priority(of point: Int) -> UInt32 { priorities.isEmpty ? 0 : priorities[point] }

    package func weight(of point: Int) -> UInt64 { weights.isEmpty ? 1 : UInt64(weights[point]) }

    /// The point that represents all points at one place, and their total weight. If several are equal, it is the last
    /// one in the order of their content.
    package func highest(of points: Range<Int>) -> (point: Int, weight: UInt64) {
        guard !priorities.isEmpty || !weights.isEmpty else {
            return (points.upperBound - 1, UInt64(points.count))
        }
        var highest = points.lowerBound
        var sum: UInt64 = 0
        for point in points {
            sum += weight(of: point)
            if (priority(of: point), weight(of: point)) >= (priority(of: highest), weight(of: highest)) {
                highest = point
            }
        }
        return (highest, sum)
    }
}

extension PointPrecedence {
    /// Reads the priority and weight columns.
    /// - Returns: also warnings about unusable values.
    package static func reading(
        _ options: ClusteringOptions, of points: PointTable
    ) throws(InputError) -> (precedence: PointPrecedence, warnings: [CountedWarning]) {
        var precedence = PointPrecedence()
        var warnings: [CountedWarning?] = []
        if let name = options.priorityColumn {
            let column = NumberColumn(try points.column(named: name, option: .priority), of: points)
            precedence.priorities = column.ranks
            warnings.append(CountedWarning(.noPriority, count: column.otherCount))
        }
        if let name = options.weightColumn {
            let column = NumberColumn(try points.column(named: name, option: .weight), of: points)
            let (weights, otherCount) = column.weights(of: points)
            precedence.weights = weights
            warnings.append(CountedWarning(.noWeight, count: otherCount))
        }
        return (precedence, warnings.compactMap(\.self))
    }
}
