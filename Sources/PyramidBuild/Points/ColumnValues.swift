import PyramidTiles

/// The numbers in a column, 32 bytes per point.
struct NumberColumn: Sendable {
    /// By point; `nil` if it has no number.
    let values: [FixedDecimal?]
    /// How many values aren't numbers.
    let otherCount: Int

    init(_ column: PointColumn, of points: PointTable) {
        var values = [FixedDecimal?](repeating: nil, count: points.count)
        var otherCount = 0
        points.forEachText(of: column) { point, text in
            values[point] = FixedDecimal(text)
            if values[point] == nil, !text.isEmpty { otherCount += 1 }
        }
        self.values = values
        self.otherCount = otherCount
    }

    /// The rank of each point's number among all different ones, counted from 1; 0 if it has none.
    var ranks: [UInt32] {
        let distinct = Set(values.compactMap { $0 }).sorted()
        let ranks = Dictionary(uniqueKeysWithValues: distinct.enumerated().map { ($0.element, UInt32($0.offset + 1)) })
        return values.map { value in value.flatMap { ranks[$0] } ?? 0 }
    }

    /// Whole numbers (``FixedDecimal/pointWeight``); 1 for a point without one.
    func weights() -> (weights: [UInt32], otherCount: Int) {
        var otherCount = otherCount
        let weights = values.map { value -> UInt32 in
            guard let value else { return 1 }
            if let weight = value.pointWeight { return weight }
            otherCount += 1
            return 1
        }
        return (weights, otherCount)
    }
}

/// The different texts in a column, and which of them each point has: 4 bytes per point.
struct TextColumn: Sendable {
    /// In the order of their bytes.
    let texts: [[UInt8]]
    /// By point.
    let indices: [UInt32]

    init(_ column: PointColumn, of points: PointTable) {
        // Compared as bytes rather than strings: Unicode regards some different bytes as equal.
        var numbers: [[UInt8]: UInt32] = [:]
        var texts: [[UInt8]] = []
        var indices = [UInt32](repeating: 0, count: points.count)
        points.forEachText(of: column) { point, text in
            let text = Array(text)
            if let number = numbers[text] {
                indices[point] = number
            } else {
                indices[point] = UInt32(texts.count)
                numbers[text] = UInt32(texts.count)
                texts.append(text)
            }
        }
        let order = texts.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }
        var ranks = [UInt32](repeating: 0, count: texts.count)
        for (rank, number) in order.enumerated() { ranks[number] = UInt32(rank) }
        self.texts = order.map { texts[$0] }
        self.indices = indices.map { ranks[Int($0)] }
    }

    /// Whether a point's text isn't empty. The empty text is the first, if it occurs.
    func hasText(_ point: Int) -> Bool { indices[point] > 0 || !texts[0].isEmpty }
}
