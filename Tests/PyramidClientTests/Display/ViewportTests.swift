import PyramidTiles
import TestSupport
import Testing

@testable import PyramidClient

@Suite struct ViewportTests {
    @Test func `a place is in the box of a rectangle if it is in the rectangle on the map`() throws {
        var random = SeededRandom(seed: 48)
        func share() -> Double { Double(random.next(below: 1 << 30)) * 0x1p-30 }
        var (insideCount, outsideCount) = (0, 0)
        for _ in 0..<300 {
            // Wherever MapKit begins to count, as far as a world off.
            let (x, y, width, height) = (share() * 3 - 1, share() * 1.4 - 0.2, share() * 1.1, share() * 0.6)
            let box = try #require(Viewport(x: x, y: y, width: width, height: height, zoom: 3)).box
            for _ in 0..<20 {
                let place = Coordinate(longitude: share() * 359.99 - 180, latitude: share() * 179.8 - 89.9)
                let world = WebMercator.project(place)
                let (east, south) = (Double(world.x) * 0x1p-32, Double(world.y) * 0x1p-32)
                let isInside =
                    [-1, 0, 1, 2, 3].contains { x <= east + $0 && east + $0 <= x + width }
                    && (y <= south && south <= y + height || y <= 0 && y + height > 0 && south == 0)
                // Off the map, all rectangles touch its edge.
                guard y > -0.001 && y + height < 1.001 || south > 0.001 && south < 0.999 else { continue }
                #expect(box.contains(place) == isInside, "\(x) \(y) \(width) \(height) \(place)")
                if isInside { insideCount += 1 } else { outsideCount += 1 }
            }
        }
        #expect(insideCount > 300 && outsideCount > 300)
    }

    @Test func `an animated zoom that ends a little too low shows the tiles of the whole one`() {
        for (zoom, tiles) in [(6.999, 7), (6.98, 6), (7, 7), (7.6, 7), (-0.7, 0)] {
            #expect(Viewport(x: 0.1, y: 0.2, width: 0.01, height: 0.02, zoom: zoom)?.tileZoom == tiles)
        }
    }

    @Test func `an empty rectangle, or one without a number, is no view`() {
        for position in 0..<5 {
            for wrong in [.nan, .infinity, -.infinity] + (2...3 ~= position ? [0, -0.1] : []) {
                var numbers = [0.9, 0.3, 0.2, 0.1, 4]
                numbers[position] = wrong
                let view = Viewport(
                    x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3], zoom: numbers[4])
                #expect(view == nil, "\(numbers)")
            }
        }
    }
}
