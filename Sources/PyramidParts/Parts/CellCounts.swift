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
