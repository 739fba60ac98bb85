import PyramidTiles

/// A part of the world that is built separately and joined with the others later.
///
/// A part has the tiles of its area at all zooms higher than the cut zoom, and hands over its markers of the cut zoom.
/// From these, the join makes the tiles of the cut zoom and of all lower zooms.
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
