import PyramidInput
import PyramidTiles

/// Writes the lists of members in clusters: ids in order, or objects in the order of their places.
struct MemberList: Sendable {
    /// The columns of each object; empty if ids are listed.
    private let properties: [PointColumn]
    private let ids: (column: PointColumn, texts: TextColumn)?

    private static let quotedName = TableColumns.quoted(ClusterContentOptions.membersName)

    /// `nil` if the options list no members.
    init?(_ options: ClusterContentOptions, idColumn: String?, of points: PointTable) throws(InputError) {
        guard options.memberLimit != nil else { return nil }
        var properties: [PointColumn] = []
        for name in options.memberProperties {
            properties.append(try points.column(named: name, option: .memberProperties))
        }
        self.properties = properties
        if properties.isEmpty, let idColumn {
            let column = try points.column(named: idColumn, option: .idColumn)
            // Ids are listed as they are spelled in the input.
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
        nested.removeAll()
        nested.append("[")
        for (index, number) in listed(first: count, of: members).enumerated() {
            if index > 0 { nested.append(",") }
            if let ids {
                let text = ids.texts.texts[Int(ids.texts.indices[number])]
                text.withUnsafeBytes { nested.append(ids.column.isNumber ? .number($0) : .text($0)) }
            } else {
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

    /// The listed members, in the order of their places or ids; ids are compared as numbers if all are numbers.
    /// - Parameter members: calls its argument with the number of every member.
    func listed(first count: Int, of members: ((Int) -> Void) -> Void) -> [Int] {
        var numbers: [Int] = []
        members { numbers.append($0) }
        guard let ids else { return Array(numbers.sorted().prefix(count)) }
        // A text's index is its rank by bytes.
        numbers.sort { ids.texts.indices[$0] < ids.texts.indices[$1] }
        guard ids.column.isNumber else { return Array(numbers.prefix(count)) }
        return numbers.map { number in
            let text = ids.texts.texts[Int(ids.texts.indices[number])]
            return (number, text.withUnsafeBytes { FixedDecimal($0) } ?? .zero)
        }.sorted { $0.1 < $1.1 }.prefix(count).map(\.0)
    }
}
