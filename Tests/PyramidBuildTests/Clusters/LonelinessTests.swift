import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidVerification

@Suite struct LonelinessTests {
    @Test(arguments: PointScatter.Shape.allCases)
    func `the places that stand alone are those whose group has no other place`(shape: PointScatter.Shape) throws {
        var random = SeededRandom(seed: 21)
        for minZoom in [0, 0, 5, 10] {
            let options = ClusteringOptions(minZoom: minZoom, maxZoom: 16)
            let scattered = PointScatter.points(shape, count: 40, random: &random)
            let (quadtree, _) = LinearQuadtree.sorting(
                count: scattered.count, worldPoint: { scattered[$0] }, precedes: { $0 < $1 })
            let points = (0..<quadtree.count).map { quadtree.point(at: $0) }
            let hierarchy = try #require(ClusteringRules(options).hierarchy(of: quadtree))
            let loneliness = Loneliness(of: hierarchy, in: quadtree, ClusteringRules(options))

            let places = Set(points).count
            #expect(loneliness.placeCount == places)
            var first: Int?
            for (zoom, groups) in BruteForceClustering(points: points, options: options).groupsByZoom() {
                let alone = groups.count { Set($0.members.map { points[$0] }).count == 1 }
                #expect(abs(loneliness.share(atZoom: zoom) - Double(alone) / Double(places)) < 1e-9)
                if Double(alone) >= 0.99 * Double(places) { first = min(first ?? zoom, zoom) }
            }
            // The first zoom without clusters is not among the groups.
            let last = loneliness.share(atZoom: 16) >= 0.99 ? 16 : nil
            #expect(loneliness.firstZoomWithEnough == first ?? last)
        }
    }

    @Test func `the max zoom is the first at which the places stand alone`() throws {
        // Two places 60 pixels apart at zoom 6, 30 at zoom 5.
        let pixel = UInt32(1) << 18
        let points = [0, 60].map { WorldPoint(x: 3_000_000_000 + $0 * pixel, y: 1_800_000_000 + $0) }
        let pyramid = try BuiltPyramid(
            csv: PointRows(points + points).csv, clustering: ClusteringOptions(), choosesMaxZoom: true)
        #expect(pyramid.report.manifest.options.maxZoom == 6)
        #expect(pyramid.report.maxZoomChoice?.placeCount == 2)
        #expect(pyramid.report.maxZoomChoice?.aloneShare == 1)
        #expect(PyramidVerifier(tileset: pyramid.directory).verify().isSound)
    }

    @Test func `a zoom before the min zoom is never enough`() throws {
        // All alone at zoom 0, but nobody has looked there.
        let points = (0..<5).map { WorldPoint(x: 800_000_000 * $0 + 7, y: 1_800_000_000) }
        let pyramid = try BuiltPyramid(
            csv: PointRows(points).csv, clustering: ClusteringOptions(minZoom: 10, maxZoom: 12))
        #expect(pyramid.report.sufficientZoom == 10)
    }
}
