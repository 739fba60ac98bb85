import Foundation
import TestSupport
import Testing

@testable import PyramidTiles

struct WebMercatorTests {
    /// Half the circumference of the sphere of EPSG:3857 in metres, π * 6,378,137.
    private static let edgeMetres = 20_037_508.342789244

    /// The metres are R * λ and R * asinh(tan(φ)), computed elsewhere.
    @Test(
        arguments: [
            (151.177222, -33.946111, 16_828_971.373, -4_021_568.343),
            (-77.036400, 38.895100, -8_575_652.821, 4_706_656.667),
            (179.196389, -8.525000, 19_948_050.775, -952_519.694),
            (-175.201800, -21.139400, -19_503_375.162, -2_408_508.332),
            (15.465556, 78.246111, 1_721_617.819, 14_501_806.427),
            (-68.295800, -54.843300, -7_602_653.679, -7_331_513.040),
            (-100.000000, 20.000000, -11_131_949.079, 2_273_030.927),
        ] as [(Double, Double, Double, Double)])
    func `known places have their metres of EPSG 3857`(
        longitude: Double, latitude: Double, eastMetres: Double, northMetres: Double
    ) {
        let point = WebMercator.project(Coordinate(longitude: longitude, latitude: latitude))
        let metresPerUnit = 2 * WebMercatorTests.edgeMetres / 0x1p32
        // Half a unit is 5 mm, and the table has millimetres.
        #expect(abs((Double(point.x) + 0.5) * metresPerUnit - WebMercatorTests.edgeMetres - eastMetres) < 0.006)
        #expect(abs(WebMercatorTests.edgeMetres - (Double(point.y) + 0.5) * metresPerUnit - northMetres) < 0.006)
    }

    /// The example of IOGP Guidance Note 7-2 for the method of EPSG:3857 (1024): 24°22'54.433"N 100°20'00.000"W.
    @Test func `the published example has its metres`() {
        let point = WebMercator.project(Coordinate(longitude: -100.333_333_333, latitude: 24.381_786_944))
        let metresPerUnit = 2 * WebMercatorTests.edgeMetres / 0x1p32
        // Half a microdegree is 56 mm on the equator, and 61 mm at this latitude.
        #expect(abs(Double(point.x) * metresPerUnit - WebMercatorTests.edgeMetres + 11_169_055.58) < 0.075)
        #expect(abs(WebMercatorTests.edgeMetres - Double(point.y) * metresPerUnit - 2_800_000) < 0.08)
    }

    @Test func `x is the exact whole part of the way from the antimeridian`() {
        var random = SeededRandom(seed: 1)
        let edges: [Int32] = [-180_000_000, -179_999_999, -1, 0, 1, 90_000_000, 179_999_998, 179_999_999]
        for longitude in edges + (0..<2_000).map({ _ in .random(in: -180_000_000..<180_000_000, using: &random) }) {
            let point = WebMercator.project(
                Coordinate(longitudeMicrodegrees: longitude, latitudeMicrodegrees: 12_345_678))
            let east = Int64(longitude) + 180_000_000
            // x <= east * 2³² / 360,000,000 < x + 1, in whole numbers.
            #expect(Int64(point.x) * 360_000_000 <= east << 32)
            #expect(east << 32 < (Int64(point.x) + 1) * 360_000_000)
        }
    }

    @Test func `the equator and the prime meridian cross in the middle of the map`() {
        let middle = WebMercator.project(Coordinate(longitude: 0, latitude: 0))
        #expect(middle == WorldPoint(x: 1 << 31, y: 1 << 31))
    }

    @Test func `y grows to the south without a step back`() {
        var last: UInt32 = 0
        for latitude in stride(from: Int32(85_000_000), through: -85_000_000, by: -1_234) {
            let y = WebMercator.project(Coordinate(longitudeMicrodegrees: 0, latitudeMicrodegrees: latitude)).y
            #expect(y > last)
            last = y
        }
    }

    @Test func `north and south mirror each other`() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<1_000 {
            let latitude = Int32.random(in: 1...85_000_000, using: &random)
            let north = WebMercator.project(Coordinate(longitudeMicrodegrees: 7, latitudeMicrodegrees: latitude))
            let south = WebMercator.project(Coordinate(longitudeMicrodegrees: 7, latitudeMicrodegrees: -latitude))
            // y and its mirror image fill the map but for the unit that rounding down takes from one of them.
            #expect((UInt64(1) << 32) - UInt64(north.y) - UInt64(south.y) <= 2)
        }
    }

    @Test(
        arguments: [
            (85.051_129, 0), (89.5, 0), (90, 0), (-85.051_129, .max),
            (-89.5, .max), (-90, .max),
        ] as [(Double, UInt32)])
    func `a latitude beyond the map lands on its edge`(latitude: Double, y: UInt32) {
        #expect(WebMercator.project(Coordinate(longitude: -12.5, latitude: latitude)).y == y)
    }

    @Test func `the last latitude inside the map is not on its edge`() {
        #expect(WebMercator.project(Coordinate(longitude: -12.5, latitude: 85.051_128)).y > 0)
        #expect(WebMercator.project(Coordinate(longitude: -12.5, latitude: -85.051_128)).y < .max)
        #expect(abs(WebMercator.maximumLatitude - atan(sinh(Double.pi)) * 180 / .pi) < 1e-12)
    }

    @Test func `the antimeridian is the map's left edge`() {
        #expect(WebMercator.project(Coordinate(longitude: 180, latitude: 3)).x == 0)
        #expect(WebMercator.project(Coordinate(longitude: -180, latitude: 3)).x == 0)
        // A microdegree is 11.93 units, and the map is 4,294,967,296 wide.
        #expect(WebMercator.project(Coordinate(longitude: 179.999_999, latitude: 3)).x == 4_294_967_284)
    }

    @Test func `a coordinate survives the way to the map and back`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<5_000 {
            let coordinate = Coordinate(
                longitudeMicrodegrees: .random(in: -180_000_000..<180_000_000, using: &random),
                latitudeMicrodegrees: .random(in: -84_000_000...84_000_000, using: &random))
            // A unit is less than a tenth of a microdegree.
            #expect(WebMercator.unproject(WebMercator.project(coordinate)) == coordinate)
        }
    }

    @Test func `a world point moves no further than rounding allows on the way to degrees and back`() {
        var random = SeededRandom(seed: 4)
        let corners: [UInt32] = [0, 1, 1 << 31, .max - 1, .max]
        var points = corners.flatMap { x in corners.map { WorldPoint(x: x, y: $0) } }
        points += (0..<5_000).map { _ in
            WorldPoint(x: .random(in: 0 ... .max, using: &random), y: .random(in: 0 ... .max, using: &random))
        }
        for point in points {
            let coordinate = WebMercator.unproject(point)
            let back = WebMercator.project(coordinate)
            let limit = Int64(WebMercator.roundingUnits(atLatitude: coordinate.latitude).rounded(.up))
            #expect(abs(back.eastward(from: point)) <= 7)
            #expect(abs(back.southward(from: point)) <= limit)
        }
    }

    @Test func `a place is as far east of another as the short way round`() {
        let suva = WebMercator.project(Coordinate(longitude: 178.4415, latitude: -18.1416))
        let apia = WebMercator.project(Coordinate(longitude: -171.7667, latitude: -13.8333))
        let degrees: Double = Double(apia.eastward(from: suva)) / 0x1p32 * 360
        #expect(abs(degrees - 9.7918) < 2e-7)
        #expect(apia.eastward(from: suva) == -suva.eastward(from: apia))
        #expect(apia.southward(from: suva) < 0)
        #expect(WorldPoint(x: 0, y: .max).southward(from: WorldPoint(x: 0, y: 0)) == 4_294_967_295)
    }
}
