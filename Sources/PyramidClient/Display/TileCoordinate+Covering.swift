import PyramidTiles

extension TileCoordinate {
    /// The tiles that a box touches, from west to east, and from north to south within a column.
    ///
    /// O(tiles). A view of w × h pixels has about (w / 256 + 1) × (h / 256 + 1) tiles.
    /// - Parameters:
    ///   - box: it may cross the antimeridian. Latitudes off the map are moved to its edge.
    ///   - z: a zoom level, in ``zooms``.
    public static func covering(_ box: BoundingBox, atZoom z: Int) -> [TileCoordinate] {
        precondition(zooms.contains(z), "no such zoom level")
        guard box.south <= box.north else { return [] }
        let rows = row(atLatitude: box.north, z)...row(atLatitude: box.south, z)
        return columns(of: box, z).flatMap { x in rows.compactMap { y in TileCoordinate(z: z, x: x, y: y) } }
    }

    private static func columns(of box: BoundingBox, _ z: Int) -> [Int] {
        let count = 1 << z
        guard !box.goesRoundTheWorld else { return Array(0..<count) }
        // Longitude 180 is the same meridian as -180, in the first column.
        let (west, east) = (
            box.west == 180_000_000 ? -box.west : box.west, box.east == 180_000_000 ? -box.east : box.east
        )
        let (first, last) = (column(atLongitude: west, z), column(atLongitude: east, z))
        guard west > east else { return Array(first...last) }
        return Array(first..<count) + Array(0..<min(last + 1, first))
    }

    private static func column(atLongitude microdegrees: Int32, _ z: Int) -> Int {
        Int(((Int64(microdegrees) + 180_000_000) << Int64(z)) / 360_000_000)
    }

    private static func row(atLatitude microdegrees: Int32, _ z: Int) -> Int {
        let place = Coordinate(longitudeMicrodegrees: 0, latitudeMicrodegrees: microdegrees)
        return TileCoordinate(containing: WebMercator.project(place), atZoom: z).y
    }
}
