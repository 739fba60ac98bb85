import Foundation
import PyramidTiles

/// Writes what clusters carry besides their count and place: values of their anchors, and what their members' values
/// come to. Exact, and independent of the order of the points.
struct ClusterContent: Sendable {
    private let options: ClusterContentOptions
    private let anchorColumns: [PointColumn]
    private let accumulated: [AccumulatedColumn]
    private let counted: [CountedColumn]
    private let members: MemberList?
    /// Sentences about values that could not be used.
    private(set) var warnings: [String] = []

    private static let scaleName = TableColumns.quoted(ClusterContentOptions.scaleName)

    /// Reads the columns that the options name.
    /// - Parameter idColumn: the column of the points' ids.
    init(_ options: ClusterContentOptions, idColumn: String?, of points: PointTable) throws(InputError) {
        self.options = options
        var columns: [PointColumn] = []
        for name in options.properties {
            columns.append(try points.column(named: name, option: "--cluster-properties"))
        }
        anchorColumns = columns
        var accumulated: [AccumulatedColumn] = []
        for accumulation in options.accumulate {
            let column = try points.column(named: accumulation.name, option: "--accumulate-attribute")
            accumulated.append(AccumulatedColumn(column, accumulation.operation, of: points))
        }
        self.accumulated = accumulated
        var counted: [CountedColumn] = []
        for count in options.countBy {
            counted.append(
                CountedColumn(
                    try points.column(named: count.name, option: "--count-by"), limit: count.limit, of: points))
        }
        self.counted = counted
        members = try MemberList(options, idColumn: idColumn, of: points)
        warnings = accumulated.compactMap(\.warning)
    }

    /// Whether the members of clusters are asked for.
    var needsMembers: Bool { !accumulated.isEmpty || !counted.isEmpty || members != nil }

    /// The options with the names as they are written.
    var writtenOptions: ClusterContentOptions {
        var written = options
        written.properties = anchorColumns.map(\.outputName)
        written.memberProperties = members?.properties.map(\.outputName) ?? []
        for index in accumulated.indices { written.accumulate[index].name = accumulated[index].name }
        for index in counted.indices { written.countBy[index].name = counted[index].name }
        return written
    }

    /// What all points come to.
    func totals(pointCount: Int) -> ContentTotals {
        let all = { (body: (Int) -> Void) in (0..<pointCount).forEach(body) }
        return ContentTotals(
            accumulated: accumulated.map { $0.total(all) }, categories: counted.map { $0.total(all) })
    }

    /// Appends the properties of a cluster, whose other properties are there already.
    /// - Parameters:
    ///   - anchor: the number of its anchor's point.
    ///   - members: calls its argument with the number of every member.
    func append(
        pointCount: Int, isCoincident: Bool, anchor: Int, members: ((Int) -> Void) -> Void, points: PointTable,
        to encoder: inout GeoJSONTileEncoder, scratch: inout RecordScratch
    ) {
        if options.hasScale {
            let scale = FixedDecimal(scaled: Int128(((1 + log(Double(pointCount))) * 1000).rounded()) * 1_000_000_000)
            append(scale.description, named: ClusterContent.scaleName, isNumber: true, to: &encoder)
        }
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
