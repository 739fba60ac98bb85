import Testing

@testable import PyramidClusters

@Suite struct NearTestTests {
    private static let edges: [UInt32] = [0, 1, 2, 999, 1 << 30, 1 << 31 - 1, 1 << 31, 1 << 31 + 1, .max - 1, .max]
    private static let distances: [UInt64] = [1, 2, 1000, 1 << 31, 1 << 32 - 1, 1 << 32]

    @Test(arguments: distances)
    func `nearness is exact at the edges of the number range`(distance: UInt64) {
        let near = NearTest(distanceUnits: distance)
        for x1 in NearTestTests.edges {
            for x2 in NearTestTests.edges {
                for y1 in NearTestTests.edges {
                    for y2 in NearTestTests.edges {
                        let straight = abs(Int128(x1) - Int128(x2))
                        let dx = min(straight, (1 << 32) - straight)
                        let dy = Int128(y1) - Int128(y2)
                        let square = dx * dx + dy * dy
                        let expected = square < Int128(distance) * Int128(distance) ? UInt64(square) : nil
                        #expect(near.squaredDistance(x1, y1, x2, y2) == expected)
                    }
                }
            }
        }
    }
}
