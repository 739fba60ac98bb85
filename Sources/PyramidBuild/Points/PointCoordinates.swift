import PyramidTiles

/// The coordinates of points, as parallel arrays.
struct PointCoordinates: Sendable {
    /// Microdegrees east and north.
    let longitudes, latitudes: [Int32]

    @inline(__always)
    subscript(point: Int) -> Coordinate {
        Coordinate(longitudeMicrodegrees: longitudes[point], latitudeMicrodegrees: latitudes[point])
    }
}
