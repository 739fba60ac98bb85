/// Tile numbers of PMTiles: zoom by zoom from 0, and along the Hilbert curve within a zoom. Tiles with close numbers
/// are close together on the map.
///
/// Source: [PMTiles 3](https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md).
extension TileCoordinate {
    /// The number of a zoom's first tile, which is the number of tiles at all lower zooms.
    static func firstPMTilesID(ofZoom zoom: Int) -> UInt64 { ((1 << UInt64(2 * zoom)) - 1) / 3 }

    /// One more than the highest number of a tile.
    static let pmtilesIDLimit = firstPMTilesID(ofZoom: zooms.upperBound + 1)

    /// O(zoom)
    package var pmtilesID: UInt64 {
        var (x, y) = (UInt32(self.x), UInt32(self.y))
        var position: UInt64 = 0
        for level in (0..<UInt32(z)).reversed() {
            let (right, lower) = (x >> level & 1, y >> level & 1)
            position = position << 2 | UInt64(3 * right ^ lower)
            // Each quarter holds the same curve; in two of them it is mirrored at a diagonal.
            if lower == 0 {
                if right == 1 { (x, y) = (~x, ~y) }
                swap(&x, &y)
            }
        }
        return TileCoordinate.firstPMTilesID(ofZoom: z) + position
    }

    /// The tile with a number; `nil` if there is none. O(zoom)
    package init?(pmtilesID id: UInt64) {
        guard id < TileCoordinate.pmtilesIDLimit else { return nil }
        let zoom = (63 - (3 * id + 1).leadingZeroBitCount) / 2
        let position = id - TileCoordinate.firstPMTilesID(ofZoom: zoom)
        var (x, y): (UInt32, UInt32) = (0, 0)
        for level in 0..<UInt32(zoom) {
            let quarter = UInt32(truncatingIfNeeded: position >> UInt64(2 * level) & 3)
            let right = quarter >> 1
            let lower = (quarter ^ right) & 1
            if lower == 0 {
                let mask: UInt32 = right == 1 ? (1 << level) - 1 : 0
                (x, y) = (y ^ mask, x ^ mask)
            }
            x |= right << level
            y |= lower << level
        }
        self.init(z: zoom, x: Int(x), y: Int(y))
    }
}
