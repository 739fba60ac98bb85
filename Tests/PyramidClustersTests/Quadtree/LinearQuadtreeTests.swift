import PyramidTiles
import TestSupport
import Testing

@testable import PyramidClusters

struct LinearQuadtreeTests {
    @Test(arguments: [0, 1, 2, 700, 50_000], [1, 3, 40, 1 << 32])
    func `points are sorted by place and content, by any number of jobs`(count: Int, width: Int) {
        var random = SeededRandom(seed: UInt64(count + width))
        // The narrower the world, the more points share a place: up to more than any job has.
        let points = (0..<count).map { _ in
            WorldPoint(x: UInt32(random.next(below: width)), y: UInt32(random.next(below: (width + 1) / 2)))
        }
        let contents = (0..<count).map { _ in random.next() }
        let expected = points.indices.sorted {
            (MortonCode(points[$0]).rawValue, contents[$0]) < (MortonCode(points[$1]).rawValue, contents[$1])
        }
        for jobs in [1, 2, 5] {
            let (quadtree, order) = LinearQuadtree.sorting(
                count: count, worldPoint: { points[$0] }, precedes: { contents[$0] < contents[$1] }, jobs: jobs)
            #expect(order == expected.map { UInt32($0) }, "\(jobs) jobs")
            #expect(quadtree.codes == expected.map { MortonCode(points[$0]).rawValue }, "\(jobs) jobs")
            #expect(quadtree.isWhole)
        }
    }
}
