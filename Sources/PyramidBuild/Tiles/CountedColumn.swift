import PyramidTiles

/// A column, and how many of a cluster's members have each of its values.
struct CountedColumn: Sendable {
    /// As it is written.
    let name: String
    let quotedName: [UInt8]
    private let texts: TextColumn
    private let limit: Int

    init(_ column: PointColumn, limit: Int, of points: PointTable) {
        name = column.outputName
        quotedName = column.quotedName
        texts = TextColumn(column, of: points)
        self.limit = limit
    }

    /// The most frequent values, of equally frequent ones the first in the order of their bytes; at the end all others
    /// together, with those whose value is ``CategoryCount/other`` itself.
    func result(_ members: ((Int) -> Void) -> Void) -> [(name: [UInt8], count: Int)] {
        let sorted = counts(members).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard sorted.count > limit else {
            return sorted.map { (texts.texts[Int($0.key)], $0.value) }
        }
        let other = Array(CategoryCount.other.utf8)
        var result: [(name: [UInt8], count: Int)] = []
        var rest = 0
        for (index, count) in sorted {
            let text = texts.texts[Int(index)]
            if result.count < limit, text != other { result.append((text, count)) } else { rest += count }
        }
        return result + [(other, rest)]
    }

    /// Points by value, over all.
    func total(_ members: ((Int) -> Void) -> Void) -> [String: Int] {
        // Texts of equal letters in different bytes are one string.
        Dictionary(
            counts(members).map { (String(decoding: texts.texts[Int($0.key)], as: UTF8.self), $0.value) },
            uniquingKeysWith: +)
    }

    private func counts(_ members: ((Int) -> Void) -> Void) -> [UInt32: Int] {
        var counts: [UInt32: Int] = [:]
        members { counts[texts.indices[$0], default: 0] += 1 }
        return counts
    }
}
