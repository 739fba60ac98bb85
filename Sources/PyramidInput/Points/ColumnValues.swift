import PyramidTiles

/// The numbers in a column, 16 bytes per point.
package struct NumberColumn: Sendable {
    /// By point; ``none`` for a point without a number.
    private let values: [FixedDecimal]
    /// How many counted points have a value that is not a number.
    package let otherCount: Int
    /// The first of them in the inputs, for a message.
    package let firstOther: CountedWarning.Value?

    /// Less than all numbers in inputs.
    private static let none = FixedDecimal(scaled: .min)

    package init(_ column: PointColumn, of points: PointTable) {
        var values = [FixedDecimal](repeating: NumberColumn.none, count: points.count)
        var otherCount = 0
        var first: (start: UInt64, text: [UInt8])?
        points.forEachText(of: column, isCanonical: false) { point, text, _ in
            if let value = FixedDecimal(text) {
                values[point] = value
            } else if !text.isEmpty, points.isCounted(point) {
                otherCount += 1
                let start = points.rowStarts[point]
                if start < first?.start ?? .max { first = (start, Array(text)) }
            }
        }
        self.values = values
        self.otherCount = otherCount
        firstOther = first.map { CountedWarning.Value(text: $0.text, rowAt: $0.start, of: points) }
    }

    /// The number of a point; `nil` if it has none.
    package func value(of point: Int) -> FixedDecimal? { values[point] == NumberColumn.none ? nil : values[point] }

    /// By point: the rank of its number among all different numbers, counted from 1; 0 for a point without a number.
    package var ranks: [UInt32] {
        let distinct = Set(values).subtracting([NumberColumn.none]).sorted()
        let ranks = Dictionary(uniqueKeysWithValues: distinct.enumerated().map { ($0.element, UInt32($0.offset + 1)) })
        return values.map { ranks[$0] ?? 0 }
    }

    /// The numbers as weights (``FixedDecimal/pointWeight``); 1 for a point without one.
    package func weights(of points: PointTable) -> (weights: [UInt32], otherCount: Int) {
        var otherCount = otherCount
        let weights = values.indices.map { point -> UInt32 in
            guard let value = value(of: point) else { return 1 }
            if let weight = value.pointWeight { return weight }
            if points.isCounted(point) { otherCount += 1 }
            return 1
        }
        return (weights, otherCount)
    }
}

/// The different texts in a column, and the index of each point's text: 4 bytes per point.
package struct TextColumn: Sendable {
    /// In the order of their bytes.
    package let texts: [[UInt8]]
    /// By point.
    package let indices: [UInt32]

    /// - Parameters:
    ///   - isCanonical: whether all spellings of a number become one text.
    ///   - known: texts of points outside the table, to be numbered too.
    package init(_ column: PointColumn, of points: PointTable, isCanonical: Bool = true, known: [[UInt8]] = []) {
        // As bytes, because strings with different bytes can be equal in Unicode.
        var numbers: [[UInt8]: UInt32] = [:]
        var texts: [[UInt8]] = []
        for text in known where numbers[text] == nil {
            numbers[text] = UInt32(texts.count)
            texts.append(text)
        }
        var indices = [UInt32](repeating: 0, count: points.count)
        points.forEachText(of: column, isCanonical: isCanonical) { point, text, _ in
            let text = Array(text)
            if let number = numbers[text] {
                indices[point] = number
            } else {
                indices[point] = UInt32(texts.count)
                numbers[text] = UInt32(texts.count)
                texts.append(text)
            }
        }
        self.init(texts: texts, indices: indices)
    }

    /// - Parameters:
    ///   - texts: in any order.
    ///   - indices: by point, of its text.
    package init(texts: [[UInt8]], indices: [UInt32]) {
        let order = texts.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }
        var ranks = [UInt32](repeating: 0, count: texts.count)
        for (rank, number) in order.enumerated() { ranks[number] = UInt32(rank) }
        self.texts = order.map { texts[$0] }
        self.indices = indices.map { ranks[Int($0)] }
    }

    /// The index of a text; `nil` if the column lacks it. O(log n)
    package func number(of text: [UInt8]) -> UInt32? {
        let index = texts.partitioningIndex { !$0.lexicographicallyPrecedes(text) }
        return index < texts.count && texts[index] == text ? UInt32(index) : nil
    }

    /// Whether a point has a text that is not empty. The empty text sorts first.
    package func hasText(_ point: Int) -> Bool { indices[point] > 0 || !texts[0].isEmpty }
}

/// The different texts of points in the columns that clusters count.
package struct CountedTexts: Sendable {
    /// One array per column of ``ClusterContentOptions/countBy``.
    package var ofColumns: [[[UInt8]]] = []
    /// The combinations of values in the columns to filter by, as JSON.
    package var combinations: [[UInt8]] = []

    package init(ofColumns: [[[UInt8]]] = [], combinations: [[UInt8]] = []) {
        self.ofColumns = ofColumns
        self.combinations = combinations
    }
}

/// Reads each column once, even if several options name it.
package struct ColumnReader {
    package let points: PointTable
    /// By the table's columns.
    private var numbers: [Int: NumberColumn] = [:]
    private var texts: [Int: TextColumn] = [:]
    /// By the table's columns: texts of points outside the table.
    package var knownTexts: [Int: [[UInt8]]] = [:]

    package init(_ points: PointTable) { self.points = points }

    package mutating func numbers(of column: PointColumn) -> NumberColumn {
        if let numbers = numbers[column.index] { return numbers }
        let read = NumberColumn(column, of: points)
        numbers[column.index] = read
        return read
    }

    package mutating func texts(of column: PointColumn) -> TextColumn {
        if let texts = texts[column.index] { return texts }
        let read = TextColumn(column, of: points, known: knownTexts[column.index] ?? [])
        texts[column.index] = read
        return read
    }
}
