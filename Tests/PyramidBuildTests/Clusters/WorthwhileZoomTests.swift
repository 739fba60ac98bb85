import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidStore
@testable import PyramidVerification

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
                #expect(counts[zoom] == WorthwhileZoomTests.tileCount(points, zoom))
            }
            #expect(counts.total(3...5) == counts[3] + counts[4] + counts[5])
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
            #expect(bundles.nextZoom == nil)
            if let next = files.nextZoom {
                #expect(next.tileCount == WorthwhileZoomTests.tileCount(points, files.zoom + 1))
            }
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
        #expect(bundles.nextZoomCost == nil)
        // 1 tile, 2 and so on to 14 tiles for each zoom: the sixth has more than 60 with those before it.
        let choice = try #require(files.maxZoomChoice)
        #expect(choice.reason == .tiles && choice.aloneShare == 10.0 / 18)
        #expect(files.manifest.options.maxZoom == choice.zoom && choice.zoom < 8)
        let cost = try #require(files.nextZoomCost)
        let (next, _) = try build(.files, maxZoom: choice.zoom + 1)
        #expect(cost.zoom == choice.zoom + 1 && cost.tileCount == next.manifest.zooms.last?.tiles)
    }

    @Test func `with a given max zoom all layouts have the same markers`() throws {
        let reports = try [TilesetLayout.files, .bundles(limit: 9), .archive].map { try build($0, maxZoom: 17).0 }
        for report in reports {
            #expect(report.maxZoomChoice == nil && report.nextZoomCost == nil)
            #expect(report.manifest.zooms.map(\.markers) == reports[0].manifest.zooms.map(\.markers))
            #expect(report.manifest.zooms.map(\.clusters) == reports[0].manifest.zooms.map(\.clusters))
        }
        #expect(reports[0].manifest.zooms.last?.markers == 18)
    }

    private static func zoom(_ zoom: Int, tiles: Int, markers: Int, bytes: Int) -> Manifest.ZoomSummary {
        .init(
            zoom: zoom, tiles: tiles, markers: markers, clusters: 0, bodyBytes: 0, storedBytes: bytes,
            minimumDistanceUnits: nil)
    }

    @Test func `the next zoom's bytes follow from what the two last zooms say of tiles and markers`() {
        // 100 bytes for a tile and 30 for a marker.
        let zooms = [
            WorthwhileZoomTests.zoom(3, tiles: 4, markers: 9, bytes: 1),
            WorthwhileZoomTests.zoom(4, tiles: 10, markers: 50, bytes: 2_500),
            WorthwhileZoomTests.zoom(5, tiles: 20, markers: 170, bytes: 7_100),
        ]
        let cost = NextZoomCost(after: zooms, tileCount: 31, clusteredMarkerCount: 90)
        #expect(cost.map { abs($0.byteCount - (31 * 100 + 90 * 30)) <= 1 && $0.zoom == 6 } == true)
        let half = NextZoomCost(after: zooms, tileCount: 31, clusteredMarkerCount: 90, storedShare: 0.5)
        #expect(half.map { abs($0.byteCount - 2_900) <= 1 } == true)
        // One zoom, or two alike, tell only what a tile takes.
        #expect(NextZoomCost(after: [zooms[2]], tileCount: 40, clusteredMarkerCount: 90)?.byteCount == 14_200)
        let alike = [zooms[2], WorthwhileZoomTests.zoom(6, tiles: 20, markers: 170, bytes: 7_100)]
        #expect(NextZoomCost(after: alike, tileCount: 40, clusteredMarkerCount: 90)?.byteCount == 14_200)
        #expect(NextZoomCost(after: [], tileCount: 40, clusteredMarkerCount: 90) == nil)
    }
}
