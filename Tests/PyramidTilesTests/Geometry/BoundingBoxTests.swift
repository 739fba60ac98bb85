import TestSupport
import Testing

@testable import PyramidTiles

struct BoundingBoxTests {
    private static let africa = BoundingBox(west: -17_500_000, south: -34_800_000, east: 51_400_000, north: 37_300_000)
    /// Across the antimeridian, 177° east to 178° west.
    private static let fiji = BoundingBox(west: 177_000_000, south: -21_000_000, east: -178_000_000, north: -12_000_000)
    private static let world = BoundingBox(
        west: -180_000_000, south: -90_000_000, east: 180_000_000, north: 90_000_000)

    @Test(
        arguments: [
            // Inside, on each border, and one microdegree beyond each.
            (africa, 28.187_8, -25.744_9, true),
            (africa, -17.5, 0, true), (africa, 51.4, 0, true), (africa, 0, -34.8, true), (africa, 0, 37.3, true),
            (africa, -17.500_001, 0, false), (africa, 51.400_001, 0, false),
            (africa, 0, -34.800_001, false), (africa, 0, 37.300_001, false),
            // Both sides of the antimeridian, the meridian itself, the borders, and the long way round.
            (fiji, 178.441_5, -18.141_6, true), (fiji, -179.5, -18, true), (fiji, 180, -18, true),
            (fiji, -180, -18, true), (fiji, 177, -12, true), (fiji, -178, -21, true),
            (fiji, 176.999_999, -18, false), (fiji, -177.999_999, -18, false), (fiji, 0, -18, false),
            (fiji, 178, -11.999_999, false), (fiji, 178, -21.000_001, false),
            (world, -180, 90, true), (world, 180, -90, true), (world, 0, 0, true), (world, 179.999_999, 45, true),
        ] as [(BoundingBox, Double, Double, Bool)])
    func `a box holds the places inside it and on its border`(
        box: BoundingBox, longitude: Double, latitude: Double, isInside: Bool
    ) {
        #expect(box.contains(Coordinate(longitude: longitude, latitude: latitude)) == isInside)
    }

    @Test func `a box that ends at 180 degrees holds the antimeridian`() {
        let east = BoundingBox(west: 170_000_000, south: 0, east: 180_000_000, north: 1)
        #expect(east.contains(Coordinate(longitude: -180, latitude: 0)))
        #expect(!east.contains(Coordinate(longitude: -179.999_999, latitude: 0)))
    }

    @Test func `the box of one place holds that place alone`() {
        let suva = Coordinate(longitude: 178.441_5, latitude: -18.141_6)
        let box = BoundingBox(suva)
        #expect(box.contains(suva))
        #expect(!box.contains(Coordinate(longitude: 178.441_501, latitude: -18.141_6)))
        #expect(!box.contains(Coordinate(longitude: 178.441_5, latitude: -18.141_601)))
    }

    @Test(
        arguments: [
            (0, 0, true), (0, 1, false), (85_051_128, 85_051_129, false), (85_051_129, 90_000_000, true),
            (-90_000_000, -85_051_129, true), (-85_051_129, -85_051_128, false), (-90_000_000, 90_000_000, false),
        ] as [(Int32, Int32, Bool)])
    func `places off the map are drawn on its edge`(south: Int32, north: Int32, isOnePlace: Bool) {
        let box = BoundingBox(west: -31_250_000, south: south, east: -31_250_000, north: north)
        #expect(box.isOnePlace == isOnePlace)
        let wider = BoundingBox(west: box.west, south: south, east: box.east + 1, north: north)
        #expect(!wider.isOnePlace)
    }

    @Test func `a box holds itself and no wider one`() {
        for box in [BoundingBoxTests.africa, BoundingBoxTests.fiji, BoundingBoxTests.world] {
            #expect(box.contains(box))
        }
        #expect(BoundingBoxTests.world.contains(BoundingBoxTests.fiji))
        #expect(!BoundingBoxTests.fiji.contains(BoundingBoxTests.world))
        #expect(!BoundingBoxTests.africa.contains(BoundingBoxTests.fiji))
    }

    @Test func `a box does not hold one that goes round the other side`() {
        // From 10° east all the way round to 10° west, and the 20 degrees that it leaves out.
        let most = BoundingBox(west: 10_000_000, south: -5, east: -10_000_000, north: 5)
        let rest = BoundingBox(west: -10_000_000, south: -5, east: 10_000_000, north: 5)
        #expect(!most.contains(rest))
        #expect(!rest.contains(most))
        #expect(most.contains(Coordinate(longitude: 10, latitude: 0)))
        #expect(rest.contains(Coordinate(longitude: 10, latitude: 0)))
    }

    @Test func `containment agrees with walking round the globe`() {
        // Boxes between whole degrees, as the sets of half degrees that lie in them, walked from west to east: two boxes
        // with different gaps differ by a half degree at least.
        func halfDegrees(from west: Int32, to east: Int32) -> Set<Int32> {
            var covered: Set<Int32> = [west * 2]
            var place = west * 2
            while place != east * 2 {
                place = place == 359 ? -360 : place + 1
                covered.insert(place)
            }
            return covered
        }
        func box(from west: Int32, to east: Int32) -> BoundingBox {
            BoundingBox(west: west * 1_000_000, south: -3, east: east * 1_000_000, north: 7)
        }
        var random = SeededRandom(seed: 6)
        var insideCount = 0
        for round in 0..<600 {
            var ends = (0..<4).map { _ in Int32.random(in: -180..<180, using: &random) }
            // Two of three times, narrower inner boxes, so that many lie inside.
            if round % 3 > 0 { ends[3] = (ends[2] + 180 + .random(in: 0...20, using: &random)) % 360 - 180 }
            let isInside = halfDegrees(from: ends[2], to: ends[3])
                .isSubset(of: halfDegrees(from: ends[0], to: ends[1]))
            insideCount += isInside ? 1 : 0
            #expect(box(from: ends[0], to: ends[1]).contains(box(from: ends[2], to: ends[3])) == isInside, "\(ends)")
        }
        #expect((100...500).contains(insideCount))
    }

    @Test func `degrees come in the order of GeoJSON`() {
        #expect(BoundingBoxTests.fiji.degrees == [177, -21, -178, -12])
    }
}
