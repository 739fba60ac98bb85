import PyramidTiles
import TestSupport
import Testing

@testable import PyramidClusters

struct TileCountsTests {
    @Test(arguments: [[], [0], [140], [1, 2, 2, 279], [280]])
    func `the tiles of points that come in pieces are those of all points`(cuts: [Int]) {
        var random = SeededRandom(seed: 7)
        // All over the map, and close together; some places twice.
        let places = (0..<260).map { $0 % 2 == 0 ? random.next() : random.next() >> 24 }
        let codes = (places + places.prefix(20)).sorted()
        var counts = TileCounts(codes: [])
        for (start, end) in zip([0] + cuts, cuts + [codes.count]) {
            counts.append(TileCounts(codes: codes[start..<end]))
        }
        for zoom in ClusteringOptions.zooms {
            #expect(counts.total(zoom...zoom) == Set(codes.map { $0 >> UInt64(64 - 2 * zoom) }).count, "zoom \(zoom)")
        }
    }
}
