import PyramidTiles

/// The candidates of one zoom, laid out cell after cell in rows from north to south and in each row from west to east.
///
/// In this order the cells around a cell are three runs of candidates, one in each row, and the next zoom's order
/// comes from merging every two rows.
struct ZoomCandidates: Sendable {
    /// The candidate's number in the hierarchy.
    private(set) var candidate: [UInt32] = []
    private(set) var x: [UInt32] = []
    private(set) var y: [UInt32] = []
    /// The depth of the cells.
    let depth: Int

    var count: Int { candidate.count }

    private init(depth: Int, capacity: Int) {
        self.depth = depth
        candidate.reserveCapacity(capacity)
        x.reserveCapacity(capacity)
        y.reserveCapacity(capacity)
    }

    /// All candidates, in cells at `depth`.
    init(_ candidates: Candidates, of quadtree: LinearQuadtree, depth: Int) {
        self.init(depth: depth, capacity: candidates.count)
        var cells = [UInt64](repeating: 0, count: candidates.count)
        var order = [UInt32](repeating: 0, count: candidates.count)
        for index in 0..<candidates.count {
            let point = quadtree.point(at: Int(candidates.anchorPoint[index]))
            cells[index] = compactKey(point.x, point.y)
            order[index] = UInt32(index)
        }
        MortonRadixSort.sort(keys: &cells, indices: &order, significantBits: 2 * depth)
        for index in order {
            let point = quadtree.point(at: Int(candidates.anchorPoint[Int(index)]))
            append(index, point.x, point.y)
        }
    }

    /// The candidates at `positions` (ascending), in cells at another depth.
    func selecting(_ positions: [UInt32], depth: Int) -> ZoomCandidates {
        depth == self.depth - 1 ? mergingRows(positions) : sorting(positions, depth: depth)
    }

    /// In cells at any depth.
    private func sorting(_ positions: [UInt32], depth: Int) -> ZoomCandidates {
        var sorted = ZoomCandidates(depth: depth, capacity: positions.count)
        var order = positions
        var cells = positions.map { sorted.compactKey(x[Int($0)], y[Int($0)]) }
        MortonRadixSort.sort(keys: &cells, indices: &order, significantBits: 2 * depth)
        for position in order { sorted.append(at: Int(position), of: self) }
        return sorted
    }

    /// In cells of twice the width, as most zooms have them: every two rows become one. O(n).
    private func mergingRows(_ positions: [UInt32]) -> ZoomCandidates {
        var parents = ZoomCandidates(depth: depth - 1, capacity: positions.count)
        var start = 0
        while start < positions.count {
            let row = parents.cellRow(y[Int(positions[start])])
            // The upper and the lower of the two rows that become one.
            let middle = firstPosition(from: start, in: positions) { cellRow(y[$0]) > 2 * row }
            let end = firstPosition(from: middle, in: positions) { parents.cellRow(y[$0]) > row }
            var (upper, lower) = (start, middle)
            while upper < middle || lower < end {
                let takesUpper =
                    lower == end
                    || upper < middle
                        && parents.cellColumn(x[Int(positions[upper])]) <= parents.cellColumn(x[Int(positions[lower])])
                let position = Int(takesUpper ? positions[upper] : positions[lower])
                if takesUpper { upper += 1 } else { lower += 1 }
                parents.append(at: position, of: self)
            }
            start = end
        }
        return parents
    }

    /// The cell that holds a place: its row in the upper, its column in the lower half.
    @inline(__always)
    func cell(_ x: UInt32, _ y: UInt32) -> UInt64 { cellRow(y) << 32 | cellColumn(x) }

    private func cellColumn(_ x: UInt32) -> UInt64 { UInt64(x) >> UInt64(32 - depth) }
    private func cellRow(_ y: UInt32) -> UInt64 { UInt64(y) >> UInt64(32 - depth) }

    /// The cell in as few bits as there are.
    private func compactKey(_ x: UInt32, _ y: UInt32) -> UInt64 { cellRow(y) << UInt64(depth) | cellColumn(x) }

    private func firstPosition(from start: Int, in positions: [UInt32], where isBeyond: (Int) -> Bool) -> Int {
        var index = start
        while index < positions.count, !isBeyond(Int(positions[index])) { index += 1 }
        return index
    }

    private mutating func append(at position: Int, of other: ZoomCandidates) {
        append(other.candidate[position], other.x[position], other.y[position])
    }

    private mutating func append(_ candidate: UInt32, _ x: UInt32, _ y: UInt32) {
        self.candidate.append(candidate)
        self.x.append(x)
        self.y.append(y)
    }
}
