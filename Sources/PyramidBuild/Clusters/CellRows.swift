/// The occupied cells of a zoom in rows, each with the run of places that it holds, and for each cell where its
/// neighbours are.
///
/// The cells from x - r to x + r of one row are neighbours in this order too, so the cells around a cell are one run in
/// each row. All the runs are found in one sweep: O(cells).
struct CellRows: Sendable {
    /// Row in the upper, column in the lower half; ascending.
    private var cells: [UInt64] = []
    /// The places of cell `i` are `starts[i] ..< starts[i + 1]`.
    private(set) var starts: [UInt32] = []
    /// Of each cell and each row around it, from north to south, the first cell of the run, and how many there are.
    private var runStart: [UInt32] = []
    private var runCount: [UInt8] = []
    private let radius: Int
    private let depth: Int

    var count: Int { cells.count }

    /// - Parameters:
    ///   - placeCount: the number of places, laid out cell after cell in rows.
    ///   - depth: the depth of the cells in the quadtree, in 0 ... 31.
    ///   - radius: how many cells around a cell are its neighbours, in each direction.
    ///   - cell: the cell of a place, row in the upper and column in the lower half.
    init(placeCount: Int, depth: Int, radius: Int, cell: (Int) -> UInt64) {
        self.radius = radius
        self.depth = depth
        for place in 0..<placeCount {
            let cell = cell(place)
            if cells.last != cell {
                cells.append(cell)
                starts.append(UInt32(place))
            }
        }
        starts.append(UInt32(placeCount))
        findRuns()
    }

    /// Calls `body` with runs of cells until it returns false: the cell itself and all around it, each once.
    @inline(__always)
    func forEachRun(around cell: Int, _ body: (Range<Int>) -> Bool) {
        let rows = 2 * radius + 1
        for row in cell * rows..<(cell + 1) * rows where runCount[row] > 0 {
            let start = Int(runStart[row])
            if !body(start..<start + Int(runCount[row])) { return }
        }
        let column = Int(cells[cell] & 0xffff_ffff)
        if column < radius || column >= width - radius {
            for run in runsAcrossTheAntimeridian(of: cell, column: column) where !body(run) { return }
        }
    }

    private var width: Int { 1 << depth }

    private mutating func findRuns() {
        let rows = 2 * radius + 1
        runStart = [UInt32](repeating: 0, count: cells.count * rows)
        runCount = [UInt8](repeating: 0, count: cells.count * rows)
        for row in 0..<rows {
            var first = 0
            for cell in cells.indices {
                guard let run = columns(around: cell, row: row - radius) else { continue }
                while first < cells.count, cells[first] < run.lowerBound { first += 1 }
                var end = first
                while end < cells.count, cells[end] <= run.upperBound { end += 1 }
                runStart[cell * rows + row] = UInt32(first)
                runCount[cell * rows + row] = UInt8(end - first)
            }
        }
    }

    /// The cells, occupied or not, from `radius` to the west to `radius` to the east in a row, short of the antimeridian.
    private func columns(around cell: Int, row offset: Int) -> ClosedRange<UInt64>? {
        let row = Int(cells[cell] >> 32) + offset
        guard (0..<width).contains(row) else { return nil }
        let column = Int(cells[cell] & 0xffff_ffff)
        let base = UInt64(row) << 32
        return base | UInt64(max(column - radius, 0))...base | UInt64(min(column + radius, width - 1))
    }

    /// The neighbours on the other side of the antimeridian that are no neighbours on this side.
    private func runsAcrossTheAntimeridian(of cell: Int, column: Int) -> [Range<Int>] {
        let near = max(column - radius, 0)...min(column + radius, width - 1)
        let east = column < radius ? max(width + column - radius, near.upperBound + 1) : width
        let west = column >= width - radius ? min(column + radius - width + 1, near.lowerBound) : 0
        let row = Int(cells[cell] >> 32)
        let rows = max(row - radius, 0)...min(row + radius, width - 1)
        return rows.flatMap { row in
            [run(inRow: row, fromColumn: 0, toColumn: west), run(inRow: row, fromColumn: east, toColumn: width)]
        }.filter { !$0.isEmpty }
    }

    private func run(inRow row: Int, fromColumn start: Int, toColumn end: Int) -> Range<Int> {
        let (base, cells) = (UInt64(row) << 32, cells.span)
        return cells.firstIndex(notBelow: base + UInt64(start))..<cells.firstIndex(notBelow: base + UInt64(end))
    }
}
