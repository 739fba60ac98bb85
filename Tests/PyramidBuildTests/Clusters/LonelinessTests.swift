import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidVerification

@Suite struct LonelinessTests {
    @Test(arguments: PointScatter.Shape.allCases)
    func `the places that stand alone are those whose group has no other place`(shape: PointScatter.Shape) throws {
        var random = SeededRandom(seed: 21)
        let options = ClusteringOptions(maxZoom: 16)
        for _ in 0..<4 {
            let scattered = PointScatter.points(shape, count: 40, random: &random)
            let (quadtree, _) = LinearQuadtree.sorting(
                count: scattered.count, worldPoint: { scattered[$0] }, precedes: { $0 < $1 })
            let points = (0..<quadtree.count).map { quadtree.point(at: $0) }
            let hierarchy = try #require(options.hierarchy(of: quadtree))
            let loneliness = Loneliness(of: hierarchy, in: quadtree, lastZoom: options.clusterMaxZoom)

            let places = Set(points).count
            #expect(loneliness.placeCount == places)
            var first: Int?
            for (zoom, groups) in BruteForceClustering(points: points, options: options).groupsByZoom() {
                let alone = groups.count { Set($0.members.map { points[$0] }).count == 1 }
                #expect(abs(loneliness.share(atZoom: zoom) - Double(alone) / Double(places)) < 1e-9)
                if Double(alone) >= 0.99 * Double(places) { first = min(first ?? zoom, zoom) }
            }
            // Brute force knows the clustered zooms alone.
            #expect((loneliness.firstZoomWithEnough ?? options.maxZoom) == (first ?? options.maxZoom))
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
}
