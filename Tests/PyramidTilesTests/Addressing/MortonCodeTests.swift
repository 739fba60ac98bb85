import TestSupport
import Testing

@testable import PyramidTiles

struct MortonCodeTests {
    /// Asymmetric corners and random points.
    private static let points: [WorldPoint] = {
        var random = SeededRandom(seed: 8)
        let corners: [UInt32] = [0, 1, 2, 0x8000_0000, 0x5555_5555, 0xffff_0000, .max - 1, .max]
        return corners.flatMap { x in corners.map { WorldPoint(x: x, y: $0) } }
            + (0..<1_000).map { _ in
                WorldPoint(x: .random(in: 0 ... .max, using: &random), y: .random(in: 0 ... .max, using: &random))
            }
    }()

    /// The code, a bit at a time.
    private static func interleaved(_ point: WorldPoint) -> UInt64 {
        var code: UInt64 = 0
        for bit in 0..<32 {
            if point.x & (1 << UInt32(bit)) != 0 { code += 1 << UInt64(2 * bit) }
            if point.y & (1 << UInt32(bit)) != 0 { code += 1 << UInt64(2 * bit + 1) }
        }
        return code
    }

    @Test(
        arguments: [
            (WorldPoint(x: 0, y: 0), 0), (WorldPoint(x: 1, y: 0), 1), (WorldPoint(x: 0, y: 1), 2),
            (WorldPoint(x: 2, y: 0), 4), (WorldPoint(x: 3, y: 5), 0b100111), (WorldPoint(x: .max, y: .max), .max),
            (WorldPoint(x: .max, y: 0), 0x5555_5555_5555_5555), (WorldPoint(x: 0, y: .max), 0xaaaa_aaaa_aaaa_aaaa),
        ] as [(WorldPoint, UInt64)])
    func `x takes the even bits and y the odd ones`(point: WorldPoint, code: UInt64) {
        #expect(MortonCode(point).rawValue == code)
    }

    @Test func `the code is the interleaved bits, and the point comes back`() {
        for point in MortonCodeTests.points {
            let code = MortonCode(point)
            #expect(code.rawValue == MortonCodeTests.interleaved(point))
            #expect(code.point == point)
            #expect(MortonCode(rawValue: code.rawValue) == code)
        }
    }

    @Test func `the order is that of the quadtree`() {
        /// The quadrants on the way down: north-west 0, north-east 1, south-west 2, south-east 3.
        func quadrants(of point: WorldPoint) -> [UInt8] {
            (0..<32).map { level in
                let isEast = point.x >> UInt32(31 - level) & 1 == 1
                let isSouth = point.y >> UInt32(31 - level) & 1 == 1
                return (isEast ? 1 : 0) + (isSouth ? 2 : 0)
            }
        }
        let sorted = MortonCodeTests.points.map { MortonCode($0) }.sorted().map { quadrants(of: $0.point) }
        for (left, right) in zip(sorted, sorted.dropFirst()) {
            #expect(left == right || left.lexicographicallyPrecedes(right))
        }
    }

    @Test(arguments: 0...32)
    func `a node is the square that holds the point`(depth: Int) {
        for point in MortonCodeTests.points.prefix(400) {
            // The column and row of the square, found by division.
            let side = (UInt64(1) << 32) / (UInt64(1) << UInt64(depth))
            let square = WorldPoint(x: UInt32(UInt64(point.x) / side), y: UInt32(UInt64(point.y) / side))
            #expect(MortonCode(point).node(atDepth: depth) == MortonCodeTests.interleaved(square))
        }
    }

    @Test func `a node at a tile's depth is the tile`() {
        for point in MortonCodeTests.points.prefix(400) {
            for zoom in [0, 1, 7, 14, 30] {
                let tile = TileCoordinate(containing: point, atZoom: zoom)
                let square = WorldPoint(x: UInt32(tile.x), y: UInt32(tile.y))
                #expect(MortonCode(point).node(atDepth: zoom) == MortonCodeTests.interleaved(square))
            }
        }
    }

    @Test func `a cluster's id is a one and 26 bits of either axis, and exact as a Double`() {
        for point in MortonCodeTests.points {
            let id = MortonCode(point).clusterID
            #expect(id == MortonCodeTests.interleaved(WorldPoint(x: point.x >> 6, y: point.y >> 6)) + (1 << 52))
            #expect(id < 1 << 53 && id >= 1 << 52)
            #expect(UInt64(Double(id)) == id)
        }
    }

    @Test func `a place's id is another than the cluster's, and exact as a Double`() {
        var ids: Set<UInt64> = []
        // No longitude has the greatest code.
        let codes = Set(MortonCodeTests.points.map { MortonCode($0) }).filter { $0.rawValue != .max }
        for code in codes {
            #expect(code.placeID != code.clusterID)
            #expect(code.placeID < 1 << 53 && code.placeID >= 1 << 52)
            ids.insert(code.placeID)
        }
        #expect(ids.count == codes.count)
    }
}
