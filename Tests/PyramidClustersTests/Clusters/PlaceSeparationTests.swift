import PyramidBuild
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidClusters

@Suite struct PlaceSeparationTests {
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
            let separation = PlaceSeparation(of: hierarchy, in: quadtree, ClusteringRules(options))

            let places = Set(points).count
            #expect(separation.placeCount == places)
            var first: Int?
            for (zoom, groups) in BruteForceClustering(points: points, options: options).groupsByZoom() {
                let alone = groups.count { Set($0.members.map { points[$0] }).count == 1 }
                #expect(abs(separation.share(atZoom: zoom) - Double(alone) / Double(places)) < 1e-9)
                if Double(alone) >= 0.95 * Double(places) { first = min(first ?? zoom, zoom) }
            }
            // The first zoom without clusters is not among the groups.
            let last = separation.share(atZoom: 16) >= 0.95 ? 16 : nil
            #expect(separation.sufficientZoom == first ?? last)
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
        #expect(pyramid.report.maxZoomChoice?.reason == .enough)
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().isSound)
    }

    @Test func `a zoom before the min zoom is never enough`() throws {
        // All alone at zoom 0, but nobody has looked there.
        let points = (0..<5).map { WorldPoint(x: 800_000_000 * $0 + 7, y: 1_800_000_000) }
        let rules = ClusteringRules(ClusteringOptions(minZoom: 10, maxZoom: 12))
        let (quadtree, _) = LinearQuadtree.sorting(
            count: points.count, worldPoint: { points[$0] }, precedes: { $0 < $1 })
        let hierarchy = try #require(rules.hierarchy(of: quadtree))
        #expect(PlaceSeparation(of: hierarchy, in: quadtree, rules).sufficientZoom == 10)
    }

    /// Rows of points on a line, each this many pixels of a zoom east of the one before, from a place of their own.
    private static func line(_ count: Int, pixels: Int, atZoom zoom: Int, x: UInt32) -> [WorldPoint] {
        (0..<count).map { WorldPoint(x: x + UInt32($0 * pixels) << UInt32(24 - zoom), y: 1_700_000_000 + x / 7) }
    }

    private func choice(
        _ points: [WorldPoint], minZoom: Int = 0, clusterMaxZoom: Int? = nil, distance: PixelsByZoom = 40
    ) throws -> MaxZoomChoice {
        var clustering = ClusteringOptions(clusterDistance: distance, minZoom: minZoom, maxZoom: 23)
        if let clusterMaxZoom { clustering.clusterMaxZoom = clusterMaxZoom }
        let pyramid = try BuiltPyramid(
            csv: PointRows(points).csv, clustering: clustering, choosesMaxZoom: true,
            choosesClusterMaxZoom: clusterMaxZoom == nil)
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().isSound)
        let choice = try #require(pyramid.report.maxZoomChoice)
        #expect(pyramid.report.manifest.options.maxZoom == choice.zoom)
        #expect(pyramid.report.manifest.options.clusterMaxZoom == clusterMaxZoom ?? choice.zoom - 1)
        return choice
    }

    @Test func `nineteen of twenty places are enough, and eighteen are not`() throws {
        // 60 pixels apart at zoom 9, and the last two places 60 apart at zoom 12.
        let far = PlaceSeparationTests.line(39, pixels: 60, atZoom: 9, x: 700_000_001)
        let near = PlaceSeparationTests.line(2, pixels: 60, atZoom: 12, x: 3_000_000_001)
        let few = try choice(far + near)
        #expect((few.zoom, few.reason) == (9, .enough))
        #expect(few.aloneShare == 39.0 / 41)
        let many = try choice(far.dropLast() + near)
        #expect((many.zoom, many.aloneShare) == (9, 38.0 / 40))
        let more = try choice(far.dropLast(2) + near)
        #expect((more.zoom, more.aloneShare) == (12, 1))
    }

    @Test func `where nothing is enough, it is the last zoom that separates one place of a hundred`() throws {
        // Most places are a microdegree or so apart, which no zoom separates; 5 of 100 come apart at zoom 17.
        let close = (0..<95).map { WorldPoint(x: 900_000_000 + UInt32($0) * 14, y: 1_600_000_000) }
        let gain = try choice(close + PlaceSeparationTests.line(5, pixels: 60, atZoom: 17, x: 3_000_000_001))
        #expect((gain.zoom, gain.reason, gain.placeCount) == (17, .lastGain, 100))
        // Nothing comes apart at any zoom.
        let none = try choice(close)
        #expect((none.zoom, none.reason, none.aloneShare) == (14, .noGain, 0))
    }

    @Test func `rows at one place say nothing of zooms`() throws {
        let place = WorldPoint(x: 3_000_000_000, y: 1_800_000_000)
        for count in [1, 300] {
            let choice = try choice([WorldPoint](repeating: place, count: count))
            #expect((choice.zoom, choice.reason, choice.placeCount) == (14, .onePlace, 1))
        }
    }

    @Test func `zooms that are given are kept`() throws {
        let points = PlaceSeparationTests.line(10, pixels: 60, atZoom: 6, x: 700_000_001)
        #expect(try choice(points, minZoom: 4).zoom == 6)
        let deep = try choice(points, minZoom: 9)
        #expect((deep.zoom, deep.reason) == (9, .givenZooms))
        #expect(try choice(points, clusterMaxZoom: 3).zoom == 6)
        #expect(try choice(points, clusterMaxZoom: -1).zoom == 6)
        #expect(try choice(points, clusterMaxZoom: 11).zoom == 12)
        // They would be alone at zoom 19, but clusters a pixel apart can't have distinct ids beyond zoom 17.
        let close = PlaceSeparationTests.line(10, pixels: 2, atZoom: 20, x: 700_000_001)
        #expect(try choice(close, distance: 1).zoom == 14)
    }

    @Test func `options that no choice makes valid are refused`() {
        func problem(_ clustering: ClusteringOptions, choosesClusterMaxZoom: Bool = true) -> String? {
            var options = BuildOptions(inputPaths: ["-"], outputPath: "out", clustering: clustering)
            options.choosesMaxZoom = true
            options.choosesClusterMaxZoom = choosesClusterMaxZoom
            return options.problem?.description
        }
        #expect(problem(ClusteringOptions(clusterDistance: 1)) == nil)
        #expect(problem(ClusteringOptions(minZoom: 24)) == "min zoom is 24, expected 0 to 23, the max zoom")
        #expect(problem(ClusteringOptions(minZoom: -1)) == "min zoom is -1, expected 0 to 20, the max zoom")
        let deep = ClusteringOptions(clusterMaxZoom: 23)
        #expect(
            problem(deep, choosesClusterMaxZoom: false)
                == "cluster max zoom is 23, expected -1 to 22, one less than the max zoom")
        #expect(problem(ClusteringOptions(minPoints: 1)) == "min points is 1, expected 2 or more")
    }
}
