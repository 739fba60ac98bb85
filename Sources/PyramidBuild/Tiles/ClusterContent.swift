import Foundation
import PyramidTiles

/// Writes what clusters carry besides their count and place: values of their anchors, and what their members' values
/// come to. Exact, and independent of the order of the points.
struct ClusterContent: Sendable {
    private let options: ClusterContentOptions
    private let groupColumn: PointColumn?
    private let weightColumn: PointColumn?
    private let anchorColumns: [PointColumn]
    private let accumulated: [AccumulatedColumn]
    private let counted: [CountedColumn]
    private let members: MemberList?
    /// The columns that clusters sum up or count.
    let values: PointValues
    /// Sentences about values that could not be used.
    private(set) var warnings: [OptionMessage] = []

    private static let scaleName = TableColumns.quoted(ClusterContentOptions.scaleName)

    private static let leafPagesName = TableColumns.quoted(ClusterContentOptions.leafPagesName)
    private static let weightName = TableColumns.quoted(ClusterContentOptions.weightName)

    /// Reads the columns that the options name.
    /// - Parameter standing: of each of the points.
    init(
        _ options: ClusterContentOptions, _ clustering: ClusteringOptions, idColumn: String?, of points: PointTable,
        standing: PointStanding
    ) throws(InputError) {
        self.options = options
        groupColumn =
            if let name = clustering.groupColumn {
                try points.column(named: name, option: .groupBy)
            } else {
                nil
            }
        weightColumn =
            if let name = clustering.weightColumn {
                try points.column(named: name, option: .weight)
            } else {
                nil
            }
        var values = PointValues()
        if weightColumn != nil { values.weights = standing.weights }
        var columns: [PointColumn] = []
        for name in options.properties {
            columns.append(try points.column(named: name, option: .clusterProperties))
        }
        anchorColumns = columns
        var accumulated: [AccumulatedColumn] = []
        for accumulation in options.accumulate {
            let column = try points.column(named: accumulation.name, option: .accumulateAttribute)
            accumulated.append(AccumulatedColumn(column, accumulation.operation, of: points, values: &values))
        }
        self.accumulated = accumulated
        var counted: [CountedColumn] = []
        for count in options.countBy {
            let column = try points.column(named: count.name, option: .countBy)
            counted.append(CountedColumn(column, limit: count.limit, of: points, values: &values))
        }
        self.counted = counted
        self.values = values
        members = try MemberList(options, idColumn: idColumn, of: points)
        warnings = accumulated.compactMap(\.warning)
        // Two spellings of an option's column are one name as it is written.
        if let problem = writtenOptions.problem(beside: groupColumn.map { [$0.outputName] } ?? []) {
            throw InputError(.usage, in: points.inputs.name, problem)
        }
    }

    /// Whether the members of clusters are asked for one by one: for joined texts and lists, which grow with them anyway.
    var needsMembers: Bool { members != nil || accumulated.contains(where: \.needsMembers) }

    /// How many pages there are of the points of a cluster at the last clustered zoom; `nil` where there are none.
    func leafPageCount(ofPoints pointCount: Int) -> Int? { options.leafPageCount(ofPoints: pointCount) }

    /// The options with the names as they are written.
    var writtenOptions: ClusterContentOptions {
        var written = options
        written.properties = anchorColumns.map(\.outputName)
        written.memberProperties = members?.properties.map(\.outputName) ?? []
        for index in accumulated.indices { written.accumulate[index].name = accumulated[index].name }
        for index in counted.indices { written.countBy[index].name = counted[index].name }
        return written
    }

    /// The clustering's options with the names as they are written.
    func written(_ clustering: ClusteringOptions) -> ClusteringOptions {
        var written = clustering
        written.groupColumn = groupColumn?.outputName
        written.weightColumn = weightColumn?.outputName
        return written
    }

    /// What all points come to: the aggregates of one cluster that holds them all.
    func totals(of quadtree: LinearQuadtree) -> ContentTotals {
        var aggregates = Aggregates(of: values)
        aggregates.append(point: 0)
        for point in 1..<max(quadtree.count, 1) { aggregates.add(point: point, to: 0) }
        aggregates.finish()
        var totals = ContentTotals(
            accumulated: accumulated.map { $0.total(of: 0, aggregates) },
            categories: counted.map { $0.total(of: 0, aggregates) })
        totals.weight = aggregates.weights.first
        totals.unclusteredPoints = quadtree.unclustered.count
        return totals
    }

    /// Appends the properties of a cluster, whose other properties are there already.
    /// - Parameters:
    ///   - index: the cluster's entry in the table.
    ///   - leafPageCount: how many pages there are of its points; `nil` for none.
    func append(
        _ index: Int, of clusters: PyramidClusters, isCoincident: Bool, leafPageCount: Int?, points: PointTable,
        to encoder: inout GeoJSONTileEncoder, scratch: inout RecordScratch
    ) {
        let cluster = clusters.table.entries[index]
        let (pointCount, anchor) = (Int(cluster.pointCount), Int(cluster.anchorPoint))
        let members = { (body: (Int) -> Void) in clusters.members?.forEachPoint(of: cluster, body) ?? () }
        if options.hasScale {
            let scale = FixedDecimal(scaled: Int128(((1 + log(Double(pointCount))) * 1000).rounded()) * 1_000_000_000)
            append(scale.description, named: ClusterContent.scaleName, isNumber: true, to: &encoder)
        }
        if let leafPageCount {
            append("\(leafPageCount)", named: ClusterContent.leafPagesName, isNumber: true, to: &encoder)
        }
        if weightColumn != nil {
            append(
                "\(clusters.table.aggregates.weights[index])", named: ClusterContent.weightName, isNumber: true,
                to: &encoder)
        }
        if let groupColumn { points.appendProperty(groupColumn, of: anchor, to: &encoder, scratch: &scratch) }
        for column in anchorColumns { points.appendProperty(column, of: anchor, to: &encoder, scratch: &scratch) }
        for column in accumulated {
            guard let (text, isNumber) = column.result(of: index, clusters.table.aggregates, members: members) else {
                continue
            }
            text.withUnsafeBytes { encoder.append(quotedName: column.quotedName, text: $0, isNumber: isNumber) }
        }
        for column in counted {
            encoder.append(quotedName: column.quotedName, counts: column.result(of: index, clusters.table.aggregates))
        }
        if let list = self.members, let count = options.listedCount(ofPoints: pointCount, isCoincident: isCoincident) {
            list.append(first: count, of: members, points: points, to: &encoder, scratch: &scratch)
        }
    }

    private func append(
        _ text: String, named quotedName: [UInt8], isNumber: Bool, to encoder: inout GeoJSONTileEncoder
    ) {
        var text = text
        text.withUTF8 { encoder.append(quotedName: quotedName, text: UnsafeRawBufferPointer($0), isNumber: isNumber) }
    }
}
