import PyramidTiles

/// The syntax of an input's rows: how to find a row's end, and what tells apart rows with the same bytes but different
/// meanings.
package enum RowSyntax: Sendable {
    /// - Parameter hasRepeatedNames: whether some features have a property name twice.
    case geoJSON(hasRepeatedNames: Bool)
    /// - Parameter names: the names in the header.
    case csv(CSVRowRule, names: [String])

    /// `nil` for GeoJSON.
    package var rule: CSVRowRule? {
        switch self {
        case .geoJSON: nil
        case .csv(let rule, _): rule
        }
    }

    /// The rank of each syntax by its key; equal ones have equal ranks.
    package static func ranks(_ all: [RowSyntax]) -> [Int] {
        let keys = all.map(\.key)
        let order = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
        return keys.map { order.firstIndex(of: $0) ?? 0 }
    }

    /// Bytes for ordering by content, and for digests; empty for GeoJSON.
    package var key: [UInt8] {
        switch self {
        case .geoJSON: []
        case .csv(let rule, let names): Array(names.joined(separator: "\0").utf8) + [0, rule.delimiter]
        }
    }
}

extension PointReader {
    /// Once the rows are read.
    var syntax: RowSyntax {
        guard let csv = self as? CSVPointReader else {
            return .geoJSON(hasRepeatedNames: rows.hasRepeatedNames)
        }
        return .csv(csv.header.rule, names: csv.header.names)
    }
}
