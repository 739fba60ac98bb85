import PyramidTiles

/// A part of the world that is built separately and joined with the others later.
///
/// A part writes its tiles at higher zooms than the cut zoom, and hands over its markers of the cut zoom. From those,
/// the join makes the tiles of the cut zoom and of all lower ones.
public struct WorldPart: Equatable, Sendable {
    /// The tile whose points belong to the part. Parts may have tiles of different zooms.
    public var tile: TileCoordinate
    /// The last zoom that the join writes, the same for all parts.
    public var cutZoom: Int

    public init(tile: TileCoordinate, cutZoom: Int) {
        self.tile = tile
        self.cutZoom = cutZoom
    }
}
