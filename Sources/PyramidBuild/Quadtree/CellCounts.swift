import PyramidTiles

/// The number of rows in each cell of the world.
public struct CellCounts: Sendable {
    /// Cells are tiles of this zoom.
    public var zoom: Int
    /// By `TileCoordinate.node`; cells without rows may be missing.
    public var counts: [UInt64: Int]

    public init(zoom: Int, counts: [UInt64: Int] = [:]) {
        self.zoom = zoom
        self.counts = counts
    }
}

/// Cells in the order of the Z curve, to find those in and around tiles.
struct SortedCells {
    let zoom: Int
    /// Ascending.
    let nodes: [UInt64]

    /// Calls `body` with ranges of ``nodes``, ascending: the cells in the tile, and those at most `units` away from it,
    /// in world units; also across the antimeridian. O(cells along the border × log n)
    /// - Parameter tile: of a zoom that isn't higher than the cells'.
    func forEachRange<Failure: Error>(
        within units: UInt64, of tile: TileCoordinate, _ body: (Range<Int>) throws(Failure) -> Void
    ) throws(Failure) {
        let cellUnits = UInt64(1) << UInt64(32 - zoom)
        let (side, width) = (1 << (zoom - tile.z), 1 << zoom)
        let halo = Int((min(units, 1 << 32) + cellUnits - 1) / cellUnits)
        let y = tile.y * side - halo..<(tile.y + 1) * side + halo
        var x = [tile.x * side - halo..<(tile.x + 1) * side + halo]
        if x[0].count >= width {
            x = [0..<width]
        } else {
            x += [-width, width].map { x[0].lowerBound + $0..<x[0].upperBound + $0 }
        }
        func visit(_ cells: Range<Int>, west: Int, north: Int, depth: Int) throws(Failure) {
            let side = 1 << depth
            let (columns, lines) = (west..<west + side, north..<north + side)
            guard !cells.isEmpty, lines.overlaps(y), x.contains(where: { columns.overlaps($0) }) else { return }
            if lines.clamped(to: y) == lines, x.contains(where: { columns.clamped(to: $0) == columns }) {
                return try body(cells)
            }
            var rest = nodes[cells]
            for child in 0..<4 {
                let end = rest.partitioningIndex { Int($0 >> UInt64(2 * depth - 2) & 3) > child }
                try visit(
                    rest.startIndex..<end, west: west + (child & 1) * side / 2, north: north + (child >> 1) * side / 2,
                    depth: depth - 1)
                rest = rest[end...]
            }
        }
        try visit(nodes.indices, west: 0, north: 0, depth: zoom)
    }
}

/// Counts the rows in and around tiles.
struct CellSums {
    private let cells: SortedCells
    /// By cell, and one more at the end: the number of rows in the cells before it.
    private let rowsBefore: [Int]

    /// O(n log n)
    init(_ counted: CellCounts) {
        cells = SortedCells(zoom: counted.zoom, nodes: counted.counts.filter { $0.value > 0 }.keys.sorted())
        rowsBefore = [0] + cells.nodes.map { counted.counts[$0] ?? 0 }.runningTotals
    }

    /// The number of rows in the cells of the tile and in those at most `units` away from it, in world units.
    func rows(within units: UInt64, of tile: TileCoordinate) -> Int {
        var sum = 0
        cells.forEachRange(within: units, of: tile) { sum += rowsBefore[$0.upperBound] - rowsBefore[$0.lowerBound] }
        return sum
    }
}
