/// How the rows of an input are written: what it takes to find the end of one, and to tell rows of the same bytes and
/// different meaning apart.
enum RowSyntax: Hashable, Sendable {
    case geoJSON
    /// - Parameter names: those of the header.
    case csv(delimiter: UInt8, names: [String])

    /// `nil` for GeoJSON.
    var delimiter: UInt8? {
        switch self {
        case .geoJSON: nil
        case .csv(let delimiter, _): delimiter
        }
    }

    /// The rank of each by its key; equal ones have the same rank.
    static func ranks(_ all: [RowSyntax]) -> [Int] {
        let keys = all.map(\.key)
        let order = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
        return keys.map { order.firstIndex(of: $0) ?? 0 }
    }

    /// For an order by content, and for digests; empty for GeoJSON.
    var key: [UInt8] {
        switch self {
        case .geoJSON: []
        case .csv(let delimiter, let names): Array(names.joined(separator: "\0").utf8) + [0, delimiter]
        }
    }
}
