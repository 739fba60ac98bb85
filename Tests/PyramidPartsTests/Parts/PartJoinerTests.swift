import Foundation
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidParts

@Suite(.tags(.threads)) struct PartJoinerTests {
    private static let seeds = 0..<(isCampaign ? 100 : 3)

    @Test(arguments: PointScatter.Shape.allCases, seeds)
    func `parts joined in any order are one build, byte for byte`(shape: PointScatter.Shape, seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) * 1000 + UInt64(shape.number))
        let rows = PointScatter.features(shape, count: 150, random: &random)
        let (clustering, suffix, change) = PartJoinerTests.options(&random)
        let pyramid = try JoinedPyramid(rows: rows, clustering: clustering, suffix: suffix, change: change)
        try pyramid.buildWhole()
        let cutZoom = random.next(below: clustering.clusterMaxZoom)
        let tiles = WorldCut(cutZoom: cutZoom, random: &random).tiles
        let parts = try tiles.map { try pyramid.build($0, cutZoom: cutZoom) }
        try pyramid.join(parts.shuffled(using: &random))
        let differences = try pyramid.differences()
        #expect(differences == [], "cut at \(cutZoom): \(tiles)")
    }

    /// What parts hand over becomes bundles at the cut zoom and above it, or the join writes those below.
    @Test(arguments: [PointScatter.Shape.everywhere, .lumps, .coincident], [1, 4, 25])
    func `bundles of joined parts are those of one build`(shape: PointScatter.Shape, limit: Int) throws {
        var random = SeededRandom(seed: UInt64(limit * 10 + shape.number))
        let rows = PointScatter.features(shape, count: 90, random: &random)
        var clustering = ClusteringOptions(minPoints: limit == 4 ? 3 : 2, maxZoom: 7, clusterMaxZoom: 6)
        if limit == 25 { clustering.coincidentLimit = 3 }
        let pyramid = try JoinedPyramid(rows: rows, clustering: clustering) {
            $0.storage.layout = .bundles(limit: limit)
            if limit != 4 { $0.clusters.filterBy = [FacetColumn(name: "kind"), FacetColumn(name: "nr", edges: [30])] }
        }
        try pyramid.buildWhole()
        for cutZoom in [1, 4] {
            let tiles = WorldCut(cutZoom: min(cutZoom, 2), random: &random).tiles
            try pyramid.join(try tiles.map { try pyramid.build($0, cutZoom: cutZoom) })
            #expect(try pyramid.differences() == [], "cut at \(cutZoom)")
        }
    }

    /// All numbers of most parts could be seconds, or even years.
    @Test(arguments: [TileCodec.geojson, .mvt])
    func `dates of parts are in the notation of all rows`(codec: TileCodec) throws {
        var random = SeededRandom(seed: 12)
        let rows = PointScatter.features(.everywhere, count: 150, random: &random).enumerated().map { index, row in
            let number = [index == 0 ? 1.7e12 : 1e9 + Double(index) * 5e7, index == 149 ? 7 : 1900 + Double(index)]
            let text = ["\"2024-0\(1 + index % 9)\"", "[\"2023-11-05\",\"2024-0\(1 + index % 7)\"]", "null"][index % 3]
            return row.replacing(
                "\"nr\":", with: "\"ms\":\(number[0]),\"s\":\(number[1]),\"opened\":\(text),\"nr\":")
        }
        let pyramid = try JoinedPyramid(rows: rows, clustering: ClusteringOptions(maxZoom: 6)) {
            $0.storage = TileStorage(codec: codec)
            $0.clusters.filterBy = ["ms:day", "s:year", "opened:month"].compactMap { FacetColumn($0) }
        }
        try pyramid.buildWhole()
        let tiles = (0..<16).compactMap { TileCoordinate(z: 2, x: $0 % 4, y: $0 / 4) }
        try pyramid.join(try tiles.map { try pyramid.build($0, cutZoom: 3) })
        #expect(try pyramid.differences() == [])
        let joined = try LocalTileset.open(path: pyramid.path("joined"))
        let columns = try #require(try joined.tileJSON().facets).columns
        #expect(columns.map(\.dates?.notation) == [.milliseconds, .seconds, .iso8601])
        let input = pyramid.path("points.ndjson")
        #expect(try InputVerifier(tileset: joined, inputPaths: [input], jobs: 2).verify().differences == [])
    }

    /// Random options, all that parts have.
    static func options(
        _ random: inout SeededRandom
    ) -> (ClusteringOptions, suffix: String, change: (inout BuildOptions) -> Void) {
        func flip(_ odds: Int = 2) -> Bool { random.next(below: odds) == 0 }
        let maxZoom = 3 + random.next(below: 9)
        var clustering = ClusteringOptions(
            clusterDistance: flip() ? 40 : PixelsByZoom("0-2:\(20 + random.next(below: 80)),3-:35") ?? 40,
            minPoints: flip(3) ? 4 : 2, maxZoom: maxZoom, clusterMaxZoom: maxZoom - 1 - random.next(below: 2))
        if flip(3) { clustering.position = .centroid }
        if flip(3) { clustering.priorityColumn = "n" }
        if flip(3) { clustering.weightColumn = "w" }
        if flip(3) { clustering.groupColumn = "g" }
        if flip(3) { clustering.unclustered = UnclusteredRule(column: "kind", value: "7") }
        if flip(3) { clustering.coincidentLimit = 5 }
        var clusters = ClusterContentOptions(
            accumulate: flip() ? [Accumulation(name: "n", operation: .mean, output: "m")] : [],
            countBy: flip() ? [CategoryCount(name: "kind", limit: 2)] : [], properties: flip() ? ["nr"] : [],
            memberLimit: flip(3) ? 6 : nil)
        if clusters.memberLimit != nil { clusters.memberProperties = ["nr"] }
        if clusters.memberLimit == nil, flip(3) {
            clusters.accumulate.append(Accumulation(name: "kind", operation: .comma, output: "kinds"))
        }
        let isArchive = flip(3)
        var storage = TileStorage(codec: flip(3) ? .mvt : .geojson, layout: isArchive ? .archive : .files)
        if !isArchive, storage.codec == .geojson, flip() {
            storage.layout = .bundles(limit: 1 + random.next(below: 40))
        }
        if clusters.countBy.isEmpty, clusters.accumulate.isEmpty, clusters.filterBy.isEmpty,
            storage.layout.bundleLimit == nil, flip(4)
        {
            clusters = ClusterContentOptions()
            (clustering.mode, clustering.minPoints, clustering.coincidentLimit) = (.filter, 2, nil)
            clustering.position = .anchor
        }
        if storage.codec == .mvt, flip() { storage.layer = "shops" }
        if !isArchive, flip(4) { storage.compression = .none }
        let exclude = clustering.groupColumn == nil && flip(4) ? ["g"] : []
        let include = flip(4) ? ["nr", "kind", "g"] : nil
        let idColumn = flip(4) ? "nr" : nil
        if clustering.mode == .markers, flip() {
            clusters.filterBy = [FacetColumn(name: "kind")]
            // Ids are no properties.
            if idColumn == nil { clusters.filterBy.append(FacetColumn(name: "nr", edges: [5, 60.5])) }
        }
        let isStrict = flip(8)
        return (
            clustering, isArchive ? ".pmtiles" : "",
            { options in
                options.clusters = clusters
                options.storage = storage
                options.input.isStrict = isStrict
                options.input.exclude = exclude
                options.input.include = include
                options.input.idColumn = idColumn
                options.tileJSON.description = "What it shows"
            }
        )
    }

    @Test func `a halo one pixel smaller than the data need is caught, and the one that is taken is wide enough`()
        throws
    {
        var random = SeededRandom(seed: 77)
        let rows = PointScatter.features(.everywhere, count: 5000, random: &random)
        let cutZoom = 4
        let pyramid = try JoinedPyramid(rows: rows, clustering: ClusteringOptions(maxZoom: cutZoom + 2))
        let tile = try #require(TileCoordinate(z: 2, x: 1, y: 2))
        /// All that a part hands over but the digests of its halo.
        func part(haloPixels: Int?) throws -> [Data] {
            let path = try pyramid.build(
                tile, cutZoom: cutZoom, haloUnits: haloPixels.map { UInt64($0) << UInt64(24 - cutZoom) }
            ) { $0.jobs = 1 }
            let opened = try OpenedPart(path: path)
            let sections = [
                PartSection.rows, PartSection.candidates, PartSection.texts, PartSection.totals, PartSection.ids,
                PartSection.manifest,
            ]
            return try withExtendedLifetime(opened) {
                try sections.map { Data(try opened.file.section($0)) }
                    + opened.file.entries().map { Data(opened.file.body(of: $0)) }
            }
        }
        // The world is 4096 pixels wide.
        let expected = try part(haloPixels: 4096)
        #expect(try part(haloPixels: nil) == expected)
        var (tooSmall, enough) = (0, 992)
        while enough - tooSmall > 1 {
            let pixels = (tooSmall + enough) / 2
            if try part(haloPixels: pixels) == expected { enough = pixels } else { tooSmall = pixels }
        }
        #expect(tooSmall > 40)

        let parts = try (0..<16).map { index in
            try pyramid.build(
                try #require(TileCoordinate(z: 2, x: index % 4, y: index / 4)), cutZoom: cutZoom,
                haloUnits: UInt64(tooSmall) << UInt64(24 - cutZoom))
        }
        #expect(throws: StoreError.self) { try pyramid.join(parts) }
    }

    @Test func `bad rows are counted once, wherever they are`() throws {
        var random = SeededRandom(seed: 3)
        var rows = PointScatter.features(.everywhere, count: 60, random: &random)
        rows += [
            #"{"type":"Feature","geometry":null,"properties":{}}"#,
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[200,3]},"properties":{}}"#,
            #"{"type":"Feature","id":[],"geometry":{"type":"Point","coordinates":[100,-30]},"properties":{}}"#,
            #"{"type":"Feature","id":{},"geometry":{"type":"Point","coordinates":[-100,-30]},"properties":{}}"#,
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[100,-89]},"properties":{"late":1}}"#,
            "no JSON", "[1]",
        ]
        let pyramid = try JoinedPyramid(rows: rows, clustering: ClusteringOptions(maxZoom: 5))
        try pyramid.buildWhole()
        let tiles = WorldCut(cutZoom: 2, random: &random).tiles
        try pyramid.join(try tiles.map { try pyramid.build($0, cutZoom: 2) })
        #expect(try pyramid.differences() == [])
    }
}

extension PointScatter.Shape {
    var number: Int { PointScatter.Shape.allCases.firstIndex(of: self) ?? 0 }
}
