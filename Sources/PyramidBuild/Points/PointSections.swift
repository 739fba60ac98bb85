import PyramidTiles

/// Which points are clustered with each other: those of one value of a column, and none of those that are never merged.
struct PointSections: Sendable {
    /// By point the number of its group, ``idMasks``.count for those that are never merged; empty where all are one.
    private var numbers: [UInt32] = []
    /// By group, in the order of the values' bytes.
    private var idMasks: [UInt64] = [0]

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

    /// Puts the points of each group after those of the group before it, and those that are never merged last, all in the
    /// order they have. O(n).
    /// - Parameter order: the points' numbers, as this knows them.
    /// - Returns: the groups that have points; `nil` where all points are one.
    func separate(_ codes: inout [UInt64], _ order: inout [UInt32]) -> [LinearQuadtree.Group]? {
        guard !numbers.isEmpty else { return nil }
        var starts = [Int](repeating: 0, count: idMasks.count + 2)
        for number in numbers { starts[Int(number) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        let groups = idMasks.indices.filter { starts[$0] < starts[$0 + 1] }
            .map { LinearQuadtree.Group(points: starts[$0]..<starts[$0 + 1], idMask: idMasks[$0]) }
        var (sortedCodes, sortedOrder) = (codes, order)
        for (code, point) in zip(codes, order) {
            let section = Int(numbers[Int(point)])
            sortedCodes[starts[section]] = code
            sortedOrder[starts[section]] = point
            starts[section] += 1
        }
        (codes, order) = (sortedCodes, sortedOrder)
        return groups
    }
}
