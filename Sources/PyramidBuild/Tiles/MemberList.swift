import PyramidTiles

/// Writes the members of small clusters: their ids in order, or objects in the order of their places.
struct MemberList: Sendable {
    /// The columns of the objects; empty if ids are listed.
    let properties: [PointColumn]
    private let ids: (column: PointColumn, texts: TextColumn)?

    private static let quotedName = TableColumns.quoted(ClusterContentOptions.membersName)

    /// `nil` if nothing is listed.
    init?(_ options: ClusterContentOptions, idColumn: String?, of points: PointTable) throws(InputError) {
        guard options.memberLimit != nil else { return nil }
        var properties: [PointColumn] = []
        for name in options.memberProperties {
            properties.append(try points.column(named: name, option: .memberProperties))
        }
        self.properties = properties
        if properties.isEmpty, let idColumn {
            let column = try points.column(named: idColumn, option: .idColumn)
            // Listed as the points have them.
            ids = (column, TextColumn(column, of: points, isCanonical: false))
        } else {
            ids = nil
        }
    }

    /// Visits the list as a property of a cluster.
    /// - Parameter members: calls its argument with the number of every member.
    func visit<Visitor: PropertyVisitor & ~Copyable>(
        first count: Int, of members: ((Int) -> Void) -> Void, points: PointTable, scratch: inout RowScratch,
        nested: inout JSONObjectWriter, _ visitor: inout Visitor
    ) {
        var numbers: [Int] = []
        members { numbers.append($0) }
        numbers.sort()
        nested.removeAll()
        nested.append("[")
        if let ids {
            let listed = sorted(numbers.map { ids.texts.indices[$0] }, ids.texts, ids.column).prefix(count)
            for (index, text) in listed.enumerated() {
                if index > 0 { nested.append(",") }
                text.withUnsafeBytes { nested.append(ids.column.isNumber ? .number($0) : .text($0)) }
            }
        } else {
            for (index, number) in numbers.prefix(count).enumerated() {
                if index > 0 { nested.append(",") }
                nested.beginObject()
                for column in properties {
                    points.visitProperty(column, of: number, scratch: &scratch, &nested)
                }
                nested.endObject()
            }
        }
        nested.append("]")
        nested.buffer.withUnsafeBytes { visitor.visit(MemberList.quotedName, .json($0)) }
    }

    /// Sorts ids as numbers if they are numbers, otherwise by their bytes.
    private func sorted(_ indices: [UInt32], _ column: TextColumn, _ ids: PointColumn) -> [[UInt8]] {
        // Texts are numbered in the order of their bytes.
        let texts = indices.sorted().map { column.texts[Int($0)] }
        guard ids.isNumber else { return texts }
        return texts.map { text in (text, text.withUnsafeBytes { FixedDecimal($0) } ?? .zero) }
            .sorted { $0.1 < $1.1 }.map(\.0)
    }
}
