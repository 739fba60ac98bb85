import Foundation
import TestSupport
import Testing

@testable import PyramidTiles

struct TileCoordinateTests {
    /// The tile numbers are those of the formulas in the OpenStreetMap wiki, "Slippy map tilenames".
    @Test(
        arguments: [
            (151.177222, -33.946111, "0/0/0"), (151.177222, -33.946111, "1/1/1"), (151.177222, -33.946111, "5/29/19"),
            (151.177222, -33.946111, "11/1884/1229"), (151.177222, -33.946111, "16/60288/39344"),
            (-77.0364, 38.8951, "1/0/0"), (-77.0364, 38.8951, "5/9/12"), (-77.0364, 38.8951, "11/585/783"),
            (-77.0364, 38.8951, "16/18743/25071"),
            (179.196389, -8.525, "5/31/16"), (179.196389, -8.525, "16/65389/34325"),
            (-175.2018, -21.1394, "1/0/1"), (-175.2018, -21.1394, "16/873/36706"),
            (15.465556, 78.246111, "11/1111/282"), (-68.2958, -54.8433, "16/20335/44757"),
        ] as [(Double, Double, String)])
    func `known places have their known tiles`(longitude: Double, latitude: Double, address: String) throws {
        let tile = try #require(TileCoordinate(address))
        let point = WebMercator.project(Coordinate(longitude: longitude, latitude: latitude))
        #expect(TileCoordinate(containing: point, atZoom: tile.z) == tile)
        #expect(tile.contains(point))
    }

    @Test(arguments: TileCoordinate.zooms)
    func `an address keeps its numbers, and is ordered by zoom, column, row`(zoom: Int) throws {
        var random = SeededRandom(seed: UInt64(zoom) + 70)
        var numbers = [(0, 0, 0), (zoom, 0, 0), (zoom, (1 << zoom) - 1, 0), (zoom, 0, (1 << zoom) - 1)]
        for _ in 0..<40 {
            let z = Int.random(in: 0...zoom, using: &random)
            let (x, y) = (Int.random(in: 0..<1 << z, using: &random), Int.random(in: 0..<1 << z, using: &random))
            numbers.append((z, x, y))
        }
        let tiles = try numbers.map { try #require(TileCoordinate(z: $0.0, x: $0.1, y: $0.2)) }
        for (tile, (z, x, y)) in zip(tiles, numbers) {
            #expect((tile.z, tile.x, tile.y) == (z, x, y))
            for (other, otherNumbers) in zip(tiles, numbers) {
                #expect((tile < other) == ((z, x, y) < otherNumbers), "\(tile) < \(other)")
            }
        }
    }

    @Test(arguments: TileCoordinate.zooms)
    func `random places have the tiles of the textbook formula`(zoom: Int) {
        var random = SeededRandom(seed: UInt64(zoom) + 7)
        let scale = pow(2, Double(zoom))
        // Rounding down to whole units moves a place by up to 2⁻³² of the map, and Double by far less.
        let margin = scale * 0x1p-31
        var compared = 0
        for _ in 0..<500 {
            let coordinate = Coordinate(
                longitudeMicrodegrees: .random(in: -180_000_000..<180_000_000, using: &random),
                latitudeMicrodegrees: .random(in: -85_051_000...85_051_000, using: &random))
            let radians = coordinate.latitude * .pi / 180
            let x = (coordinate.longitude + 180) / 360 * scale
            let y = (1 - asinh(tan(radians)) / .pi) / 2 * scale
            guard abs(x - x.rounded()) > margin, abs(y - y.rounded()) > margin else { continue }
            compared += 1
            let tile = TileCoordinate(containing: WebMercator.project(coordinate), atZoom: zoom)
            #expect(tile == TileCoordinate(z: zoom, x: Int(x), y: Int(y)))
        }
        // At the deepest zoom a border is never further than two margins away.
        #expect(compared > 400 || zoom > 26)
    }

    @Test(arguments: ["0/0/0", "1/1/0", "3/7/2", "14/8190/5449", "30/1073741823/0", "30/0/1073741823"])
    func `an address is read and written`(text: String) {
        #expect(TileCoordinate(text)?.description == text)
    }

    @Test(arguments: [
        "", "/", "//", "1", "1/1", "1/1/1/1", "/1/1", "1//1", "1/1/", "a/1/1", "1/1/x",
        "+1/1/1", "1/+1/1", "-1/0/0", "1/-1/0", "1/0/-1", "1/-0/0", "01/1/1", "1/01/1", "1/1/00",
        " 1/1/1", "1/1/1 ", "1/1 /1", "1/1/1\n", "1.0/1/1", "1/1/1.json", "0x1/1/1", "1/1/1e0", "1,1,1", "\u{661}/1/1",
        "0/1/0", "0/0/1", "1/2/0", "1/0/2", "3/8/7", "31/0/0", "30/1073741824/0", "99999999999999999999/0/0",
    ])
    func `text that is no address is refused`(text: String) {
        #expect(TileCoordinate(text) == nil)
    }

    @Test func `numbers outside the map are refused`() {
        #expect(TileCoordinate(z: -1, x: 0, y: 0) == nil)
        #expect(TileCoordinate(z: 31, x: 0, y: 0) == nil)
        #expect(TileCoordinate(z: 4, x: 16, y: 3) == nil)
        #expect(TileCoordinate(z: 4, x: 3, y: 16) == nil)
        #expect(TileCoordinate(z: 4, x: -1, y: 3) == nil)
        #expect(TileCoordinate(z: 4, x: 3, y: Int.min) == nil)
        #expect(TileCoordinate(z: 4, x: 15, y: 0) != nil)
    }

    @Test func `a border belongs to the tile east and south of it`() throws {
        // 3/5/2 spans 2²⁹ units from (5 * 2²⁹, 2 * 2²⁹).
        let tile = try #require(TileCoordinate(z: 3, x: 5, y: 2))
        let west: UInt32 = 5 << 29
        let north: UInt32 = 2 << 29
        let last: UInt32 = (1 << 29) - 1
        #expect(tile.contains(WorldPoint(x: west, y: north)))
        #expect(tile.contains(WorldPoint(x: west + last, y: north + last)))
        #expect(!tile.contains(WorldPoint(x: west - 1, y: north)))
        #expect(!tile.contains(WorldPoint(x: west, y: north - 1)))
        #expect(!tile.contains(WorldPoint(x: west + last + 1, y: north)))
        #expect(!tile.contains(WorldPoint(x: west, y: north + last + 1)))
    }

    @Test func `the map's corners lie in the outermost tiles`() {
        let first = WorldPoint(x: 0, y: 0)
        let last = WorldPoint(x: .max, y: .max)
        for zoom in TileCoordinate.zooms {
            let end = (1 << zoom) - 1
            #expect(TileCoordinate(containing: first, atZoom: zoom) == TileCoordinate(z: zoom, x: 0, y: 0))
            #expect(TileCoordinate(containing: last, atZoom: zoom) == TileCoordinate(z: zoom, x: end, y: end))
        }
    }

    @Test(arguments: TileCoordinate.zooms)
    func `the codes of a tile are those of the places in it`(zoom: Int) {
        var random = SeededRandom(seed: UInt64(zoom) + 41)
        func isInside(_ code: UInt64, _ tile: TileCoordinate) -> Bool {
            tile.contains(MortonCode(rawValue: code).point)
        }
        for _ in 0..<50 {
            let place = WorldPoint(
                x: .random(in: 0...(.max), using: &random), y: .random(in: 0...(.max), using: &random))
            let tile = TileCoordinate(containing: place, atZoom: zoom)
            let codes = tile.codes
            #expect(codes.contains(MortonCode(place).rawValue))
            #expect(isInside(codes.lowerBound, tile) && isInside(codes.upperBound, tile))
            #expect(codes.lowerBound == 0 || !isInside(codes.lowerBound - 1, tile))
            #expect(codes.upperBound == .max || !isInside(codes.upperBound + 1, tile))
            #expect(TileCoordinate(node: tile.node, atZoom: zoom) == tile)
            #expect(tile.node == MortonCode(place).node(atDepth: zoom))
        }
    }

    @Test func `tiles are ordered by zoom, then column, then row`() {
        let sorted = ["0/0/0", "1/0/1", "1/1/0", "2/0/3", "2/1/0", "2/1/2", "10/2/9", "10/10/1"]
        var random = SeededRandom(seed: 3)
        #expect(sorted.shuffled(using: &random).compactMap { TileCoordinate($0) }.sorted().map(\.description) == sorted)
    }
}
