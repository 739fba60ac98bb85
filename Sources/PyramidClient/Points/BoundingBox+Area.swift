import PyramidTiles

extension BoundingBox {
    /// The middle on the map.
    var middle: WorldPoint {
        let longitude = Coordinate(
            longitudeMicrodegrees: BoundingBox.wrapped(Int64(west) + width / 2), latitudeMicrodegrees: 0)
        return WorldPoint(x: WebMercator.project(longitude).x, y: UInt32((Int64(top) + Int64(bottom)) / 2))
    }

    /// The size on the map, in widths of the world.
    var extent: (width: Double, height: Double) {
        (Double(width) / 360_000_000, (Double(bottom) - Double(top)) * 0x1p-32)
    }

    /// The box with at least so much more on each side, in world units.
    func grown(byUnits units: Double) -> BoundingBox {
        guard units > 0 else { return self }
        let side = Int64((units * 360_000_000 / 0x1p32).rounded(.up)) + 1
        let isWorld = width + 2 * side >= 360_000_000
        func latitude(_ row: Double) -> Int32 {
            WebMercator.unproject(WorldPoint(x: 0, y: UInt32(row))).latitudeMicrodegrees
        }
        let (above, below) = (Double(top) - units - 1, Double(bottom) + units + 1)
        return BoundingBox(
            west: isWorld ? -180_000_000 : BoundingBox.wrapped(Int64(west) - side),
            south: below < 0x1p32 ? min(latitude(below) - 1, south) : -90_000_000,
            east: isWorld ? 180_000_000 : BoundingBox.wrapped(Int64(east) + side),
            north: above >= 0 ? max(latitude(above) + 1, north) : 90_000_000)
    }

    /// What two boxes have in common.
    func intersections(with other: BoundingBox) -> [BoundingBox] {
        let (south, north) = (max(south, other.south), min(north, other.north))
        guard south <= north else { return [] }
        return longitudes.flatMap { own in
            other.longitudes.filter(own.overlaps).map { other in
                let both = own.clamped(to: other)
                return BoundingBox(west: both.lowerBound, south: south, east: both.upperBound, north: north)
            }
        }
    }

    /// At least the number of tiles that the box touches.
    func tileLimit(atZoom zoom: Int) -> Double {
        let tiles = 0x1p-32 * Double(1 << zoom)
        return (Double(width) / 360_000_000 * Double(1 << zoom) + 2) * (Double(Int64(bottom) - Int64(top)) * tiles + 2)
    }

    private var top: UInt32 { BoundingBox.row(north) }
    private var bottom: UInt32 { BoundingBox.row(south) }

    private static func row(_ latitude: Int32) -> UInt32 {
        WebMercator.project(Coordinate(longitudeMicrodegrees: 0, latitudeMicrodegrees: latitude)).y
    }

    /// On each side of the antimeridian, which is there as 180 and as -180 degrees if a border lies on it.
    private var longitudes: [ClosedRange<Int32>] {
        if west > east { return [west...180_000_000, -180_000_000...east] }
        return [west...east] + (east == 180_000_000 && west > -180_000_000 ? [-180_000_000 ... -180_000_000] : [])
    }

    private static func wrapped(_ longitude: Int64) -> Int32 {
        let way = (longitude + 180_000_000) % 360_000_000
        return Int32(way < 0 ? way + 180_000_000 : way - 180_000_000)
    }
}

extension TileCoordinate {
    var middle: WorldPoint {
        func middle(_ number: Int) -> UInt32 { UInt32((UInt64(number) * 2 + 1) << UInt64(31 - z)) }
        return WorldPoint(x: middle(x), y: middle(y))
    }
}
