import Foundation
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild

@Suite struct PartJoinerTests {
    @Test(arguments: PointScatter.Shape.allCases, 0..<3)
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
        #expect(try pyramid.differences() == [], "cut at \(cutZoom): \(tiles)")
    }

    /// Random options, all that parts have.
    private static func options(
        _ random: inout SeededRandom
    ) -> (ClusteringOptions, suffix: String, change: (inout BuildOptions) -> Void) {
        func flip(_ odds: Int = 2) -> Bool { random.next(below: odds) == 0 }
        let maxZoom = 3 + random.next(below: 9)
        var clustering = ClusteringOptions(
            clusterDistance: flip() ? 40 : PixelsByZoom("0-2:\(20 + random.next(below: 80)),3-:35") ?? 40,
            minPoints: flip(3) ? 4 : 2, maxZoom: maxZoom, clusterMaxZoom: maxZoom - 1 - random.next(below: 2))
        if flip(4) {
            clustering.method = .grid
            clustering.position = flip() ? .centroid : .inset
            clustering.clusterDistance = 30
        } else if flip(3) {
            clustering.position = .centroid
        }
        if flip(3) { clustering.priorityColumn = "n" }
        if flip(3) { clustering.weightColumn = "w" }
        if flip(3) { clustering.groupColumn = "g" }
        if flip(3) { clustering.unclustered = UnclusteredRule(column: "kind", value: "7") }
        if flip(3) { clustering.coincidentLimit = 5 }
        var clusters = ClusterContentOptions(
            accumulate: flip() ? [Accumulation(name: "n", operation: .mean, output: "m")] : [],
            countBy: flip() ? [CategoryCount(name: "kind", limit: 2)] : [], properties: flip() ? ["nr"] : [],
            hasScale: flip(3), memberLimit: flip(3) ? 6 : nil)
        if clusters.memberLimit != nil { clusters.memberProperties = ["nr"] }
        if clusters.memberLimit == nil, flip(3) {
            clusters.accumulate.append(Accumulation(name: "kind", operation: .comma, output: "kinds"))
        }
        let isArchive = flip(3)
        var storage = TileStorage(format: flip(3) ? .mvt : .geojson)
        if !isArchive, flip(3) { clusters.hasLeaves = true }
        if !isArchive, storage.format == .geojson, flip() {
            storage.bundleLimit = 1 + random.next(below: 40)
        } else if flip(3) {
            clusters.hasParents = true
        }
        let isStrict = flip(8)
        return (
            clustering, isArchive ? ".pmtiles" : "",
            { options in
                options.clusters = clusters
                options.storage = storage
                options.input.isStrict = isStrict
            }
        )
    }

    @Test func `a halo that is too small shows`() throws {
        var random = SeededRandom(seed: 77)
        let rows = PointScatter.features(.everywhere, count: 1500, random: &random)
        let pyramid = try JoinedPyramid(rows: rows, clustering: ClusteringOptions(maxZoom: 6))
        try pyramid.buildWhole()
        let tiles = try [(0, 0), (1, 0), (0, 1), (1, 1)].map { x, y in try #require(TileCoordinate(z: 1, x: x, y: y)) }
        // 60 pixels at zoom 3.
        let parts = try tiles.map { try pyramid.build($0, cutZoom: 3, haloUnits: 60 << 21) }
        // Where the numbers of points still agree, the tiles don't.
        guard (try? pyramid.join(parts)) != nil else { return }
        #expect(try pyramid.differences().contains { $0.hasPrefix("tiles/") })
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
    fileprivate var number: Int { PointScatter.Shape.allCases.firstIndex(of: self) ?? 0 }
}
