import PyramidTiles

/// The different texts of a column, and which of them each point has: 4 bytes a point.
struct TextColumn: Sendable {
    /// The texts in the order of their bytes.
    let texts: [[UInt8]]
    /// By point.
    let indices: [UInt32]

    init(_ column: PointColumn, of points: PointTable) {
        // By bytes, not as strings: those of equal letters in different bytes are different texts.
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

    /// Whether a point's text is not empty. The empty one is the first, if there is one.
    func hasText(_ point: Int) -> Bool { indices[point] > 0 || !texts[0].isEmpty }
}
