/// The markers of one tile, in the order of the Morton codes of their places.
public struct Tile: Hashable, Sendable {
    public let coordinate: TileCoordinate
    public let markers: [Marker]

    public init(coordinate: TileCoordinate, markers: [Marker]) {
        self.coordinate = coordinate
        self.markers = markers
    }

    /// How many points the tile's markers stand for.
    public var pointCount: Int { markers.reduce(0) { $0 + $1.pointCount } }
}

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
