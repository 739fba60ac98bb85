import PyramidBuild
import PyramidParts
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidClusters
@testable import PyramidStore

@Suite struct WorthwhileZoomTests {
    private static func quadtree(_ points: [WorldPoint], groups: Int = 1) -> LinearQuadtree {
        LinearQuadtree.sorting(
            count: points.count, worldPoint: { points[$0] }, precedes: { $0 < $1 },
            groupNumbers: groups == 1 ? [] : points.indices.map { UInt32($0 % groups) },
            idMasks: Array(0..<UInt64(groups))
        ).quadtree
    }

    private static func tileCount(_ points: [WorldPoint], _ zoom: Int) -> Int {
        Set(points.map { TileCoordinate(containing: $0, atZoom: zoom) }).count
    }

    @Test(arguments: [1, 3])
    func `tiles are counted once, whatever the group of their points`(groups: Int) {
        var random = SeededRandom(seed: 5)
        for shape in PointScatter.Shape.allCases {
            let points = PointScatter.points(shape, count: 50, random: &random)
            let counts = TileCounts(of: WorthwhileZoomTests.quadtree(points, groups: groups))
            for zoom in ClusteringOptions.zooms {
                #expect(counts.total(zoom...zoom) == WorthwhileZoomTests.tileCount(points, zoom))
            }
            #expect(counts.total(3...5) == (3...5).reduce(0) { $0 + counts.total($1...$1) })
        }
    }

    /// The max zoom by the words of the article Clustering.
    private static func expectedZoom(_ points: [WorldPoint], minZoom: Int, freeTiles: Int) -> Int {
        let options = ClusteringOptions(maxZoom: 21)
        let groups = BruteForceClustering(points: points, options: options).groupsByZoom()
        let alone = (0...20).map { zoom in
            groups[zoom, default: []].count { Set($0.members.map { points[$0] }).count == 1 }
        }
        let places = Set(points).count
        let enough = (0...20).first { alone[$0] * 100 >= 95 * places }
        let gain = (1...20).last { (alone[$0] - alone[$0 - 1]) * 100 >= places }
        let wanted = max(enough ?? gain ?? 14, minZoom)
        var best: (zoom: Int, worth: Double)?
        for zoom in minZoom...wanted {
            let tiles = (minZoom...zoom).reduce(0) { $0 + tileCount(points, $1) }
            let worth = Double(alone[zoom]) - Double(max(tiles - freeTiles, 0)) / 3
            if best.map({ worth > $0.worth - 1e-6 }) ?? true { best = (zoom, worth) }
        }
        return best?.zoom ?? wanted
    }

    @Test func `outside bundles, the max zoom is the one that pays for its tiles`() {
        var random = SeededRandom(seed: 8)
        var lower = 0
        let cases = PointScatter.Shape.allCases.flatMap { shape in
            [(shape, 0, 0), (shape, 0, 60), (shape, 3, 120), (shape, 0, 100_000)]
        }
        for (shape, minZoom, freeTiles) in cases {
            let points = PointScatter.points(shape, count: 40, random: &random)
            var options = BuildOptions(
                inputPaths: ["-"], outputPath: "out", clustering: ClusteringOptions(minZoom: minZoom, maxZoom: 23))
            options.choosesMaxZoom = true
            options.freeTiles = freeTiles
            func choice(_ layout: TilesetLayout) -> MaxZoomChoice {
                options.storage.layout = layout
                let quadtree = WorthwhileZoomTests.quadtree(points)
                let rules = ClusteringRules(options.choiceClustering)
                let hierarchy = rules.hierarchy(of: quadtree)
                return options.maxZoomChoice(hierarchy.map { PlaceSeparation(of: $0, in: quadtree, rules) }) {
                    TileCounts(of: quadtree)
                }
            }
            let (files, archive, bundles) = (choice(.files), choice(.archive), choice(.bundles(limit: 9)))
            guard files.placeCount > 1 else { continue }
            let expected = { WorthwhileZoomTests.expectedZoom(points, minZoom: minZoom, freeTiles: $0) }
            #expect(files.zoom == expected(freeTiles) && archive.zoom == files.zoom)
            #expect(bundles.zoom == expected(.max / 2))
            #expect((files.reason == .tiles) == (files.zoom < bundles.zoom))
            lower += files.zoom < bundles.zoom ? 1 : 0
        }
        #expect(lower > 1)
    }

    /// Ten far places, and four pairs of near ones.
    private static let pairs: [WorldPoint] =
        (0..<10).map { WorldPoint(x: 400_000_000 * $0 + 7, y: 1_500_000_000) }
        + (0..<4).flatMap { pair in
            (0..<2).map { WorldPoint(x: 600_000_000 * pair + 90_000_000 + 60 * 256 * $0, y: 2_500_000_000 + pair) }
        }

    private func build(_ layout: TilesetLayout, maxZoom: Int? = nil) throws -> (BuildReport, MemoryTileset) {
        let folder = try TemporaryFolder()
        var options = BuildOptions(
            inputPaths: [try folder.file("points", .init(PointRows(WorthwhileZoomTests.pairs).csv.utf8))],
            outputPath: layout.isOneFile ? "out.pmtiles" : "out", clustering: ClusteringOptions(maxZoom: maxZoom ?? 23))
        options.choosesMaxZoom = maxZoom == nil
        options.freeTiles = 60
        options.storage = TileStorage(layout: layout)
        var tileset: MemoryTileset?
        let report = try PyramidBuilder(options: options).build { options in
            let opened = MemoryTileset(storage: options.storage)
            tileset = opened
            return opened
        }
        return (report, try #require(tileset))
    }

    @Test func `far places with a few pairs end early, and in bundles where the pairs come apart`() throws {
        let (files, bundles) = (try build(.files).0, try build(.bundles(limit: 9)).0)
        #expect(bundles.maxZoomChoice?.zoom == 16 && bundles.maxZoomChoice?.reason == .enough)
        // 1 tile, 2 and so on to 14 tiles for each zoom: the sixth has more than 60 with those before it.
        let choice = try #require(files.maxZoomChoice)
        #expect(choice.reason == .tiles && choice.aloneShare == 10.0 / 18)
        #expect(files.manifest.options.maxZoom == choice.zoom && choice.zoom < 8)
    }

    @Test func `with a given max zoom all layouts have the same markers`() throws {
        let reports = try [TilesetLayout.files, .bundles(limit: 9), .archive].map { try build($0, maxZoom: 17).0 }
        for report in reports {
            #expect(report.maxZoomChoice == nil)
            #expect(report.manifest.zooms.map(\.markers) == reports[0].manifest.zooms.map(\.markers))
            #expect(report.manifest.zooms.map(\.clusters) == reports[0].manifest.zooms.map(\.clusters))
        }
        #expect(reports[0].manifest.zooms.last?.markers == 18)
    }
}
