import PyramidTiles
import TestSupport
import Testing

@testable import PyramidClusters

@Suite struct NearSweepTests {
    @Test(arguments: [0, 1, 3, 17, 31])
    func `a key holds a place, and goes by rows`(depth: Int) {
        var random = SeededRandom(seed: 5)
        let order = RowOrder(depth: depth)
        let edges: [UInt32] = [0, 1, 1 << 31 - 1, 1 << 31, .max - 1, .max]
        var points = edges.flatMap { x in edges.map { WorldPoint(x: x, y: $0) } }
        points += PointScatter.points(.everywhere, count: 50, random: &random)
        for point in points {
            let key = order.key(point)
            #expect(order.point(key) == point)
            #expect(order.row(key) == UInt64(point.y) >> UInt64(32 - depth))
            for other in points where (order.row(key), point.x) < (order.row(order.key(other)), other.x) {
                #expect(key < order.key(other))
            }
        }
    }

    @Test(arguments: PointScatter.Shape.allCases)
    func `a sweep finds all places near others, wherever it begins`(shape: PointScatter.Shape) {
        var random = SeededRandom(seed: 6)
        for _ in 0..<40 {
            let order = RowOrder(depth: Int.random(in: 0...24, using: &random))
            // Up to the height of a row.
            let height = UInt64(1) << UInt64(32 - order.depth)
            let distance = UInt64.random(in: height / 2 + 1...height, using: &random)
            let near = NearTest(distanceUnits: distance)
            let points = PointScatter.points(shape, count: 60, random: &random)
            let keys = points[..<40].map { order.key($0) }.sorted()
            let asked = points[20...].map { order.key($0) }.sorted()
            let first = Int.random(in: 0..<asked.count, using: &random)
            var sweep = NearSweep(from: asked[first], in: keys.span, order: order, near: near)
            for key in asked[first...] {
                let place = order.point(key)
                var found: [Int] = []
                sweep.forEachNear(key, in: keys.span) { index, squaredDistance in
                    let other = order.point(keys[index])
                    #expect(NearSweepTests.squaredDistance(place, other) == Int128(squaredDistance))
                    found.append(index)
                    return true
                }
                let expected = keys.indices.filter {
                    let other = order.point(keys[$0])
                    return NearSweepTests.squaredDistance(place, other) < Int128(distance) * Int128(distance)
                }
                #expect(found.sorted() == expected)
            }
        }
    }

    /// The short way round the world.
    private static func squaredDistance(_ one: WorldPoint, _ other: WorldPoint) -> Int128 {
        let straight = abs(Int128(one.x) - Int128(other.x))
        let dx = min(straight, (1 << 32) - straight)
        let dy = Int128(one.y) - Int128(other.y)
        return dx * dx + dy * dy
    }
}
