/// Somewhere to read tiles from.
public protocol TileSource: Sendable {
    /// The tile at an address, decoded; `nil` where the pyramid has no such tile, which means that no point lies there.
    func tile(at coordinate: TileCoordinate) throws -> Tile?
}

extension TileSource {
    /// The tile z/x/y, decoded; `nil` where the pyramid has no such tile or there can't be one.
    public func tile(z: Int, x: Int, y: Int) throws -> Tile? {
        try TileCoordinate(z: z, x: x, y: y).flatMap { try tile(at: $0) }
    }
}
