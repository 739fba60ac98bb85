/// The markers of one tile, in the order of the Morton codes of their places.
public struct Tile: Hashable, Sendable {
    public let coordinate: TileCoordinate
    public let markers: [Marker]

    public init(coordinate: TileCoordinate, markers: [Marker]) {
        self.coordinate = coordinate
        self.markers = markers
    }

    /// The number of points that the tile's markers stand for.
    public var pointCount: Int { markers.reduce(0) { $0 + $1.pointCount } }
}

/// A source of decoded tiles.
public protocol TileSource: Sendable {
    /// The tile at an address, decoded; `nil` if the tileset has no such tile, because no point lies there.
    func tile(at coordinate: TileCoordinate) throws -> Tile?
}

extension TileSource {
    /// The tile z/x/y, decoded; `nil` if the tileset has no such tile, or if the address is invalid.
    public func tile(z: Int, x: Int, y: Int) throws -> Tile? {
        try TileCoordinate(z: z, x: x, y: y).flatMap { try tile(at: $0) }
    }
}
