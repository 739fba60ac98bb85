import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild

@Suite struct LargestTileTests {
    private func tile(
        _ z: Int, places: [Int], bytes: Int, unclustered: Int = 0
    ) -> LargestTile {
        let codes = places.enumerated().flatMap { [UInt64](repeating: UInt64($0.offset), count: $0.element) }
        return LargestTile(
            TileCoordinate(containing: WorldPoint(x: 7, y: 5), atZoom: z), codes: codes[...],
            unclusteredCount: unclustered, storedBytes: bytes)
    }

    private func cure(_ tile: LargestTile, _ options: ClusteringOptions = ClusteringOptions()) -> String? {
        tile.cure(options)?.description
    }

    @Test func `the largest tile is that of the list, and the fullest that of the tiles`() throws {
        var random = SeededRandom(seed: 31)
        let points = [PointScatter.Shape.everywhere, .lumps, .coincident].flatMap {
            PointScatter.points($0, count: 70, random: &random)
        }
        for position in [ClusteringOptions.Position.anchor, .centroid] {
            let pyramid = try BuiltPyramid(
                csv: PointRows(points).csv, clustering: ClusteringOptions(position: position, maxZoom: 5))
            let entries = try pyramid.directory.tileList().entries
            let bytes = try #require(entries.map(\.file.byteCount).max())
            let largest = try #require(pyramid.report.largestTile)
            #expect(largest.storedBytes == bytes)
            #expect(largest.tile == entries.filter { $0.file.byteCount == bytes }.map(\.address).min())
            let counts = try entries.map {
                ($0.address, try pyramid.directory.tile(at: $0.address)?.markers.count ?? 0)
            }
            let count = try #require(counts.map(\.1).max())
            #expect(pyramid.report.fullestTile?.markerCount == count)
            #expect(pyramid.report.fullestTile?.tile == counts.filter { $0.1 == count }.map(\.0).min())
        }
    }

    @Test func `points that never merge don't count`() throws {
        let rows = (0..<40).map { "\($0),\(10 + Double($0) / 1000),50,yes\n" } + ["a,-70,-30,\n", "b,-70.001,-30,\n"]
        var options = ClusteringOptions(maxZoom: 3)
        options.unclustered = UnclusteredRule("fixed")
        let pyramid = try BuiltPyramid(csv: "id,lon,lat,fixed\n" + rows.joined(), clustering: options)
        #expect(pyramid.report.fullestTile?.markerCount == 2)
        #expect(pyramid.report.fullestTile?.tile == TileCoordinate(z: 3, x: 2, y: 4))
        #expect(cure(tile(14, places: [Int](repeating: 1, count: 6000), bytes: 900_000, unclustered: 3000)) == nil)
    }

    @Test func `a tile that is large has the cure that fits`() {
        #expect(cure(tile(14, places: [Int](repeating: 1, count: 5000), bytes: 500_000)) == nil)
        let apart = [Int](repeating: 1, count: 5001)
        #expect(cure(tile(14, places: apart, bytes: 90_000)) == "max zoom 15 or so")
        #expect(cure(tile(14, places: [Int](repeating: 1, count: 70), bytes: 8_500_000)) == "max zoom 17 or so")
        #expect(
            cure(tile(23, places: apart, bytes: 90_000), ClusteringOptions(maxZoom: 23))
                == "included columns with fewer columns")
        #expect(
            cure(tile(9, places: apart, bytes: 90_000), ClusteringOptions(clusterMaxZoom: 8)) == "cluster max zoom 13")
        #expect(
            cure(tile(14, places: [30_000, 2], bytes: 90_000))
                == "coincident limit 1000, as many points are at one place")
        #expect(
            cure(tile(14, places: [Int](repeating: 400, count: 100), bytes: 90_000))
                == "coincident limit 100, as many points are at one place")
        #expect(cure(tile(5, places: apart, bytes: 90_000)) == "a greater cluster distance")
        #expect(
            cure(tile(5, places: apart, bytes: 90_000), ClusteringOptions(minPoints: 9)) == "less than 9 as min points")
        #expect(cure(tile(5, places: [1, 1], bytes: 600_000)) == "included columns with fewer columns")
    }
}
