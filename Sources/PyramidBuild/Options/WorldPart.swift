import PyramidTiles

/// A part of the world that is built apart from the others, to be joined with them.
///
/// It writes the tiles of the zooms beyond the cut zoom, and hands over the markers of the cut zoom, from which the join
/// makes all others.
public struct WorldPart: Equatable, Sendable {
    /// The tile whose points are the part's own; parts of different zooms can make up the world.
    public var tile: TileCoordinate
    /// The last zoom that the join writes, the same for all parts.
    public var cutZoom: Int

    public init(tile: TileCoordinate, cutZoom: Int) {
        self.tile = tile
        self.cutZoom = cutZoom
    }
}
