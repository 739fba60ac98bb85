import PyramidTiles
import Testing

@Suite struct CoveringTests {
    private static func box(_ west: Int32, _ south: Int32, _ east: Int32, _ north: Int32) -> BoundingBox {
        BoundingBox(west: west * 1_000_000, south: south * 1_000_000, east: east * 1_000_000, north: north * 1_000_000)
    }

    /// The tiles of a zoom that hold a place of the box, tried place by place along its borders and inside.
    private static func sampled(_ box: BoundingBox, z: Int) -> Set<TileCoordinate> {
        let west = Int64(box.west), width = (Int64(box.east) - west + 360_000_000) % 360_000_000
        let isWorld = box.west != box.east && width == 0
        var tiles: Set<TileCoordinate> = []
        for step in 0...400 {
            var longitude = west + (isWorld ? 359_999_999 : width) * Int64(step) / 400
            if longitude >= 180_000_000 { longitude -= 360_000_000 }
            for rise in 0...200 {
                let latitude = Int64(box.south) + (Int64(box.north) - Int64(box.south)) * Int64(rise) / 200
                let place = Coordinate(
                    longitudeMicrodegrees: Int32(longitude), latitudeMicrodegrees: Int32(latitude))
                tiles.insert(TileCoordinate(containing: WebMercator.project(place), atZoom: z))
            }
        }
        return tiles
    }

    @Test(arguments: [
        box(-75, 39, -71, 42), box(3, -8, 60, 51), box(170, -40, -160, 12), box(-180, -85, 180, 85),
        box(-180, -90, 180, 90),
        box(160, 5, 180, 20), box(-180, 5, -170, 20), box(0, 0, 0, 0), box(45, -10, 40, 10), box(180, 1, -170, 2),
        box(180, 1, 180, 2), box(-180, 1, -180, 2),
    ])
    func `the tiles of a box are those that hold a place of it`(box: BoundingBox) {
        for z in 0...4 {
            let covering = TileCoordinate.covering(box, atZoom: z)
            #expect(Set(covering) == CoveringTests.sampled(box, z: z))
            #expect(Set(covering).count == covering.count)
        }
    }

    @Test func `tiles come from west to east, across the antimeridian too`() {
        let tiles = TileCoordinate.covering(CoveringTests.box(170, 10, -150, 50), atZoom: 4)
        #expect(
            tiles.map(\.description) == [
                "4/15/5", "4/15/6", "4/15/7", "4/0/5", "4/0/6", "4/0/7", "4/1/5", "4/1/6", "4/1/7",
            ])
    }

    @Test func `the deepest zoom has its tiles too`() {
        let place = Coordinate(longitude: -71.0589, latitude: 42.3601)
        let expected = TileCoordinate(containing: WebMercator.project(place), atZoom: 30)
        #expect(TileCoordinate.covering(BoundingBox(place), atZoom: 30) == [expected])
    }
}
