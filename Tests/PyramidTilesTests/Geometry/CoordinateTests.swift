import TestSupport
import Testing

@testable import PyramidTiles

struct CoordinateTests {
    @Test(
        arguments: [
            (12.345_678_4, 12_345_678), (12.345_678_6, 12_345_679), (-12.345_678_4, -12_345_678),
            (-12.345_678_6, -12_345_679), (0.000_000_4, 0), (-0.000_000_4, 0), (-0.000_000_6, -1),
            (179.999_999_4, 179_999_999), (179.999_999_6, -180_000_000), (180, -180_000_000), (-180, -180_000_000),
            (0.1, 100_000), (-122.4, -122_400_000), (145.123_456, 145_123_456),
        ] as [(Double, Int32)])
    func `degrees are rounded to the nearest millionth`(degrees: Double, microdegrees: Int32) {
        let coordinate = Coordinate(longitude: degrees, latitude: 1)
        #expect(coordinate.longitudeMicrodegrees == microdegrees)
        #expect(coordinate.latitudeMicrodegrees == 1_000_000)
    }

    @Test func `a pole stays a pole`() {
        #expect(Coordinate(longitude: 17, latitude: 90).latitudeMicrodegrees == 90_000_000)
        #expect(Coordinate(longitude: 17, latitude: -90).latitudeMicrodegrees == -90_000_000)
        #expect(Coordinate(longitude: 17, latitude: -89.999_999_6).latitudeMicrodegrees == -90_000_000)
    }

    @Test func `180 degrees east and west are one meridian`() {
        let east = Coordinate(longitudeMicrodegrees: 180_000_000, latitudeMicrodegrees: -5)
        let west = Coordinate(longitudeMicrodegrees: -180_000_000, latitudeMicrodegrees: -5)
        #expect(east == west)
        #expect(east.longitude == -180)
    }

    @Test func `degrees that were read from a coordinate make the same coordinate`() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<5_000 {
            let coordinate = Coordinate(
                longitudeMicrodegrees: .random(in: -180_000_000..<180_000_000, using: &random),
                latitudeMicrodegrees: .random(in: -90_000_000...90_000_000, using: &random))
            #expect(Coordinate(longitude: coordinate.longitude, latitude: coordinate.latitude) == coordinate)
        }
    }
}
