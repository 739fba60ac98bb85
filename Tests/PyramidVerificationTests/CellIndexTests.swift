import TestSupport
import Testing

@testable import PyramidTiles
@testable import PyramidVerification

struct CellIndexTests {
    /// Places in clumps, at the edges of the map and at its corners.
    private func codes(count: Int, seed: UInt64) -> [UInt64] {
        var random = SeededRandom(seed: seed)
        let middle = UInt32.random(in: 0 ... .max, using: &random)
        return (0..<count).map { number in
            let reach = UInt32.random(in: 0...31, using: &random)
            let x = (number % 3 == 0 ? 0 : middle) &+ (UInt32.random(in: 0 ... .max, using: &random) >> reach)
            let y = UInt32.random(in: 0 ... .max, using: &random) >> (number % 2 == 0 ? reach : 0)
            return MortonCode(WorldPoint(x: number % 5 == 0 ? 0 &- x : x, y: y)).rawValue
        }
        .sorted()
    }

    private static let distances: [UInt64] = [1, 2, 3, 5000, 1 << 20, (1 << 29) - 1, 1 << 30, (1 << 31) + 1, 1 << 32]

    @Test(arguments: distances)
    func `every place within a cell's width is in the cells around`(units: UInt64) {
        for seed in 1...20 as ClosedRange<UInt64> {
            let index = CellIndex(ascending: codes(count: 60, seed: seed), cellsAtLeast: units)
            var hint = Int(seed % 60)
            for code in index.codes {
                let place = MortonCode(rawValue: code)
                var near: [Int] = []
                index.forEachCell(around: place.node(atDepth: index.depth), from: &hint) {
                    near += index.places(ofCell: $0)
                }
                let expected = index.codes.indices.filter {
                    let other = MortonCode(rawValue: index.codes[$0]).point
                    return abs(place.point.eastward(from: other)) <= Int64(units)
                        && abs(place.point.southward(from: other)) <= Int64(units)
                }
                #expect(Set(near).isSuperset(of: expected))
                #expect(Set(near).count == near.count)
            }
        }
    }

    @Test(arguments: distances)
    func `pairs that are too close are found where there are any`(units: UInt64) {
        for seed in 1...40 as ClosedRange<UInt64> {
            let codes = codes(count: Int(seed), seed: seed &* units)
            let points = codes.map { MortonCode(rawValue: $0).point }
            let pairs = DistanceCheck(distanceUnits: units, codes: codes).pairsTooClose(jobs: 1)
            var areAny = false
            for first in points.indices {
                for second in points.indices where second > first {
                    let east = Double(points[first].eastward(from: points[second]))
                    let south = Double(points[first].southward(from: points[second]))
                    areAny = areAny || (east * east + south * south).squareRoot() < Double(units)
                }
            }
            #expect(pairs.isEmpty == !areAny)
            for (first, second) in pairs {
                #expect(first != second && points[first].isCloser(than: units, to: points[second]))
            }
        }
    }

    @Test func `the longest distance is compared exactly`() {
        let (west, east) = (WorldPoint(x: 0, y: 0), WorldPoint(x: 1 << 31, y: .max))
        #expect(west.squaredDistance(to: east) == nil)
        #expect(!west.isCloser(than: 1 << 32, to: east))
        #expect(west.isCloser(than: 1 << 32, to: WorldPoint(x: 0, y: .max)))
        #expect(!west.isCloser(than: (1 << 32) - 1, to: WorldPoint(x: 0, y: .max)))
        #expect(WorldPoint(x: .max, y: 7).isCloser(than: 2, to: WorldPoint(x: 0, y: 7)))
        #expect(!WorldPoint(x: .max, y: 7).isCloser(than: 1, to: WorldPoint(x: 0, y: 7)))
    }

    @Test func `a hundred thousand places in one cell are no obstacle`() {
        let codes = (0..<100_000 as Range<UInt64>).map { $0 * 3 }
        #expect(DistanceCheck(distanceUnits: 1 << 30, codes: codes).pairsTooClose(jobs: 2).count > 0)
    }

    @Test func `a cell with too many places is not searched`() {
        let index = CellIndex(ascending: Array(0..<2_000), cellsAtLeast: 1 << 20)
        var search = NearSearch(index: index)
        let isSearched = search.move(to: MortonCode(rawValue: 5))
        #expect(!isSearched)
        #expect(search.near.count <= CellIndex.placesLimit)
    }
}
