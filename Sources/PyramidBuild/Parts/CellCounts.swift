import PyramidTiles

/// The number of rows in each cell of the world.
public struct CellCounts: Sendable {
    /// Cells are tiles of this zoom.
    public var zoom: Int
    /// By ``TileCoordinate/node``; cells without rows may be missing.
    public var counts: [UInt64: Int]

    public init(zoom: Int, counts: [UInt64: Int] = [:]) {
        self.zoom = zoom
        self.counts = counts
    }
}

/// Cells in the order of the Z curve, to count the rows in and around tiles.
struct CellSums {
    private let zoom: Int
    /// Of the occupied cells, ascending.
    private let nodes: [UInt64]
    /// By cell, and one more at the end: the number of rows in the cells before it.
    private let rowsBefore: [Int]

    /// O(n log n)
    init(_ cells: CellCounts) {
        zoom = cells.zoom
        nodes = cells.counts.filter { $0.value > 0 }.keys.sorted()
        rowsBefore = [0] + nodes.map { cells.counts[$0] ?? 0 }.runningTotals
    }

    /// The number of rows in the tile and in the cells at most `units` away from it, in world units; also across the
    /// antimeridian. O(occupied cells along the border × log n)
    /// - Parameter tile: of a zoom that isn't higher than the cells'.
    func rows(within units: UInt64, of tile: TileCoordinate) -> Int {
        let cellUnits = UInt64(1) << UInt64(32 - zoom)
        let (side, width) = (1 << (zoom - tile.z), 1 << zoom)
        let halo = Int((min(units, 1 << 32) + cellUnits - 1) / cellUnits)
        let (west, east) = (tile.x * side - halo, (tile.x + 1) * side + halo)
        let y = (tile.y * side - halo..<(tile.y + 1) * side + halo).clamped(to: 0..<width)
        if east - west >= width { return rows(x: 0..<width, y: y) }
        return [-width, 0, width].reduce(0) { sum, turn in
            sum + rows(x: (west + turn..<east + turn).clamped(to: 0..<width), y: y)
        }
    }

    /// The number of rows in a rectangle of cells.
    private func rows(x: Range<Int>, y: Range<Int>) -> Int {
        func rows(_ cells: Range<Int>, x west: Int, y north: Int, depth: Int) -> Int {
            let side = 1 << depth
            let (columns, lines) = (west..<west + side, north..<north + side)
            guard !cells.isEmpty, columns.overlaps(x), lines.overlaps(y) else { return 0 }
            if columns.clamped(to: x) == columns, lines.clamped(to: y) == lines {
                return rowsBefore[cells.upperBound] - rowsBefore[cells.lowerBound]
            }
            var (sum, rest) = (0, nodes[cells])
            for child in 0..<4 {
                let end = rest.partitioningIndex { Int($0 >> UInt64(2 * depth - 2) & 3) > child }
                sum += rows(
                    rest.startIndex..<end, x: west + (child & 1) * side / 2, y: north + (child >> 1) * side / 2,
                    depth: depth - 1)
                rest = rest[end...]
            }
            return sum
        }
        return rows(nodes.indices, x: 0, y: 0, depth: zoom)
    }
}
