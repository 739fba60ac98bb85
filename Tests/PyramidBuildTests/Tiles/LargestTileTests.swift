import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidClusters

@Suite struct LargestTileTests {
    private func tile(
        _ z: Int, places: [Int], bytes: Int, unclustered: Int = 0, apart zoom: Int = 32
    ) -> LargestTile {
        // A place is a quadtree node at `zoom`.
        let codes = places.enumerated().flatMap {
            [UInt64](repeating: UInt64($0.offset) << UInt64(64 - 2 * zoom), count: $0.element)
        }
        return LargestTile(
            TileCoordinate(containing: WorldPoint(x: 7, y: 5), atZoom: z), codes: codes,
            markerCount: codes.count + unclustered, storedBytes: bytes)
    }

    private func cure(
        _ tile: LargestTile, _ options: ClusteringOptions = ClusteringOptions(),
        _ content: ClusterContentOptions = ClusterContentOptions()
    ) -> String? {
        tile.cure(options, content)?.description
    }

    @Test func `the largest tile is that of the list, and the fullest that of the tiles`() throws {
        var random = SeededRandom(seed: 31)
        let points = [PointScatter.Shape.everywhere, .lumps, .coincident].flatMap {
            PointScatter.points($0, count: 70, random: &random)
        }
        for position in [ClusteringOptions.Position.anchor, .centroid] {
            let pyramid = try BuiltPyramid(
                csv: PointRows(points).csv, clustering: ClusteringOptions(position: position, maxZoom: 5))
            let entries = try pyramid.directory.tileEntries()
            let bytes = try #require(entries.map(\.file.byteCount).max())
            let largest = try #require(pyramid.report.largestTile)
            #expect(largest.storedBytes == bytes)
            #expect(largest.tile == entries.filter { $0.file.byteCount == bytes }.map(\.address).min())
            let counts = try entries.map {
                ($0.address, try pyramid.directory.tile(at: $0.address)?.markers.count ?? 0)
            }
            let count = try #require(counts.map(\.1).max())
            #expect(pyramid.report.fullestTile?.countedMarkers == count)
            #expect(pyramid.report.fullestTile?.tile == counts.filter { $0.1 == count }.map(\.0).min())
        }
    }

    @Test func `points that never merge don't count`() throws {
        let rows = (0..<40).map { "\($0),\(10 + Double($0) / 1000),50,yes\n" } + ["a,-70,-30,\n", "b,-70.001,-30,\n"]
        var options = ClusteringOptions(maxZoom: 3)
        options.unclustered = UnclusteredRule("fixed")
        let pyramid = try BuiltPyramid(csv: "id,lon,lat,fixed\n" + rows.joined(), clustering: options)
        #expect(pyramid.report.fullestTile?.countedMarkers == 2)
        #expect(pyramid.report.fullestTile?.tile == TileCoordinate(z: 3, x: 2, y: 4))
        // Where nothing counts, no tile is the largest.
        let alone = try BuiltPyramid(csv: "id,lon,lat,fixed\n" + rows.dropLast(2).joined(), clustering: options)
        #expect(alone.report.largestTile == nil && alone.report.fullestTile == nil)

        let places = [Int](repeating: 1, count: 3000)
        #expect(cure(tile(14, places: places, bytes: 900_000, unclustered: 3000)) == nil)
        let mixed = tile(14, places: places, bytes: 900_000, unclustered: 1000)
        #expect((mixed.markerCount, mixed.countedMarkers, mixed.countedBytes) == (4000, 3000, 675_000))
    }

    @Test func `points that never merge are not what a cure is for`() throws {
        // 6000 at one place and 40,000 others, which never merge.
        let codes = [UInt64](repeating: 5, count: 6000) + (0..<40_000).map { 9 + $0 << 20 }
        let numbers = codes.indices.map { MarkerNumber.point(($0 + 40_000) % 46_000) }
        var largest = LargestTiles()
        largest.add(
            TileCoordinate(containing: WorldPoint(x: 0, y: 0), atZoom: 14),
            StoredFile(byteCount: 460_000, crc32: 0, bodyByteCount: 460_000, bodyCRC32: 0), codes[...], numbers[...],
            unclustered: 0..<40_000)
        let tile = try #require(largest.byMarkers)
        #expect([tile.markerCount, tile.countedMarkers, tile.countedBytes] == [46_000, 6000, 60_000])
        #expect(cure(tile) == "coincident limit 1000, because many points share a place,")
    }

    @Test func `a tile that is large has the cure that fits`() {
        #expect(cure(tile(14, places: [Int](repeating: 1, count: 5000), bytes: 500_000)) == nil)
        let apart = [Int](repeating: 1, count: 5001)
        #expect(cure(tile(14, places: apart, bytes: 90_000, apart: 22)) == "max zoom 16")
        // A node of zoom 17 has 4^6 of zoom 23; 4^7 would be too many.
        #expect(cure(tile(14, places: apart, bytes: 90_000, apart: 23)) == "max zoom 17")
        // 16 markers are too many bytes, 4 are not.
        #expect(cure(tile(14, places: [Int](repeating: 1, count: 70), bytes: 8_500_000, apart: 20)) == "max zoom 19")
        // 3000 at each of two places that are together up to zoom 19.
        #expect(cure(tile(14, places: [3000, 3000], bytes: 90_000, apart: 20)) == "max zoom 20")
        #expect(
            cure(tile(23, places: apart, bytes: 90_000), ClusteringOptions(maxZoom: 23))
                == "fewer columns in include")
        let given = ClusteringOptions(maxZoom: 16, clusterMaxZoom: 8)
        #expect(cure(tile(9, places: apart, bytes: 90_000, apart: 19), given) == "cluster max zoom 12")
        #expect(
            cure(tile(9, places: apart, bytes: 90_000, apart: 23), given) == "max zoom 17 with cluster max zoom 16")
    }

    @Test func `a tile of many points at a place has a limit as its cure`() {
        #expect(
            cure(tile(14, places: [30_000, 2], bytes: 90_000))
                == "coincident limit 1000, because many points share a place,")
        let places = tile(14, places: [Int](repeating: 400, count: 100), bytes: 90_000)
        #expect(cure(places) == "coincident limit 100, because many points share a place,")
        // A limit is the most points that stay apart.
        let atLimit = tile(14, places: [Int](repeating: 1000, count: 6), bytes: 90_000)
        #expect(cure(atLimit) == "coincident limit 100, because many points share a place,")
        // No limit is enough, but the first is as good as any.
        #expect(
            cure(tile(14, places: [6000] + [Int](repeating: 1, count: 6001), bytes: 90_000))
                == "coincident limit 1000, because many points share a place,")
        var filter = ClusteringOptions()
        filter.mode = .filter
        #expect(
            cure(places, filter)
                == "mode markers with coincident limit 100, because many points share a place,")
    }

    @Test func `a large tile of clusters has the cure that fits`() throws {
        let apart = [Int](repeating: 1, count: 5001)
        #expect(cure(tile(5, places: apart, bytes: 90_000)) == "a greater cluster distance")
        #expect(cure(tile(5, places: apart, bytes: 90_000), ClusteringOptions(minPoints: 9)) == "a smaller min points")
        let heavy = tile(5, places: [1, 1], bytes: 600_000)
        func cureOfHeavy(_ content: ClusterContentOptions) -> String? { cure(heavy, ClusteringOptions(), content) }
        #expect(cureOfHeavy(ClusterContentOptions()) == "fewer columns in include")
        #expect(cureOfHeavy(ClusterContentOptions(properties: ["a"])) == "fewer columns in cluster properties")
        #expect(cureOfHeavy(ClusterContentOptions(properties: ["a"], memberLimit: 9)) == "a smaller members")
        let joined = ClusterContentOptions(accumulate: [try #require(Accumulation("a:comma"))], memberLimit: 9)
        #expect(cureOfHeavy(joined) == "accumulate attribute without concat and comma")
    }
}
