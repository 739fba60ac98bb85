import Foundation
import PyramidTiles

/// Writes what clusters carry besides their count and place: values of their anchors, and what their members' values
/// come to. Exact, and independent of the order of the points.
struct ClusterContent: Sendable {
    private let options: ClusterContentOptions
    private let groupColumn: PointColumn?
    private let weightColumn: PointColumn?
    /// By point; empty where nobody asks for them.
    private let weights: ArraySlice<UInt32>
    private let anchorColumns: [PointColumn]
    private let accumulated: [AccumulatedColumn]
    private let counted: [CountedColumn]
    private let members: MemberList?
    /// Sentences about values that could not be used.
    private(set) var warnings: [OptionMessage] = []

    private static let scaleName = TableColumns.quoted(ClusterContentOptions.scaleName)

    private static let leafPagesName = TableColumns.quoted(ClusterContentOptions.leafPagesName)
    private static let weightName = TableColumns.quoted(ClusterContentOptions.weightName)

    /// Reads the columns that the options name.
    /// - Parameter standing: of each of the points.
    init(_ build: BuildOptions, of points: PointTable, standing: PointStanding) throws(InputError) {
        let options = build.clusters
        self.options = options
        groupColumn =
            if let name = build.clustering.groupColumn {
                try points.column(named: name, option: .groupBy)
            } else {
                nil
            }
        weightColumn =
            if let name = build.clustering.weightColumn {
                try points.column(named: name, option: .weight)
            } else {
                nil
            }
        weights = standing.weights
        var columns: [PointColumn] = []
        for name in options.properties {
            columns.append(try points.column(named: name, option: .clusterProperties))
        }
        anchorColumns = columns
        var accumulated: [AccumulatedColumn] = []
        for accumulation in options.accumulate {
            let column = try points.column(named: accumulation.name, option: .accumulateAttribute)
            accumulated.append(AccumulatedColumn(column, accumulation.operation, of: points))
        }
        self.accumulated = accumulated
        var counted: [CountedColumn] = []
        for count in options.countBy {
            counted.append(
                CountedColumn(
                    try points.column(named: count.name, option: .countBy), limit: count.limit, of: points))
        }
        self.counted = counted
        members = try MemberList(options, idColumn: build.input.idColumn, of: points)
        warnings = accumulated.compactMap(\.warning)
        // Two spellings of an option's column are one name as it is written.
        if let problem = writtenOptions.problem(beside: groupColumn.map { [$0.outputName] } ?? []) {
            throw InputError(.usage, in: points.inputs.name, problem)
        }
    }

    /// Whether the members of clusters are asked for.
    var needsMembers: Bool { !accumulated.isEmpty || !counted.isEmpty || members != nil || weightColumn != nil }

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

    /// What all points come to.
    func totals(of quadtree: LinearQuadtree) -> ContentTotals {
        let all = { (body: (Int) -> Void) in (0..<quadtree.count).forEach(body) }
        var totals = ContentTotals(
            accumulated: accumulated.map { $0.total(all) }, categories: counted.map { $0.total(all) })
        totals.weight = weightColumn.map { _ in weight(of: all) }
        totals.unclusteredPoints = quadtree.unclustered.count
        return totals
    }

    private func weight(of members: ((Int) -> Void) -> Void) -> Int {
        var sum = 0
        members { sum += Int(weights[weights.startIndex + $0]) }
        return sum
    }

    /// Appends the properties of a cluster, whose other properties are there already.
    /// - Parameters:
    ///   - leafPageCount: how many pages there are of its points; `nil` for none.
    ///   - anchor: the number of its anchor's point.
    ///   - members: calls its argument with the number of every member.
    func append(
        pointCount: Int, isCoincident: Bool, leafPageCount: Int?, anchor: Int, members: ((Int) -> Void) -> Void,
        points: PointTable, to encoder: inout GeoJSONTileEncoder, scratch: inout RowScratch
    ) {
        if options.hasScale {
            let scale = FixedDecimal(scaled: Int128(((1 + log(Double(pointCount))) * 1000).rounded()) * 1_000_000_000)
            append(scale.description, named: ClusterContent.scaleName, isNumber: true, to: &encoder)
        }
        if let leafPageCount {
            append("\(leafPageCount)", named: ClusterContent.leafPagesName, isNumber: true, to: &encoder)
        }
        if weightColumn != nil {
            append("\(weight(of: members))", named: ClusterContent.weightName, isNumber: true, to: &encoder)
        }
        if let groupColumn { points.appendProperty(groupColumn, of: anchor, to: &encoder, scratch: &scratch) }
        for column in anchorColumns { points.appendProperty(column, of: anchor, to: &encoder, scratch: &scratch) }
        for column in accumulated {
            guard let (text, isNumber) = column.result(members) else { continue }
            text.withUnsafeBytes { encoder.append(quotedName: column.quotedName, text: $0, isNumber: isNumber) }
        }
        for column in counted {
            encoder.append(quotedName: column.quotedName, counts: column.result(members))
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
