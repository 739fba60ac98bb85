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
