import PyramidStore
import TestSupport
import Testing

@testable import PyramidTiles
@testable import PyramidVerification

/// Markers that are too close, against the distances of all pairs.
struct DistanceCheckTests {
    /// Places of three groups in clumps, at the edges of the map and at its corners.
    private func markers(count: Int, seed: UInt64) throws -> StoredElements<PlacedMarker> {
        var random = SeededRandom(seed: seed)
        let middle = UInt32.random(in: 0 ... .max, using: &random)
        var sorter = RunSorter<PlacedMarker>(.unlimited)
        for number in 0..<count {
            let reach = UInt32.random(in: 0...31, using: &random)
            let x = (number % 3 == 0 ? 0 : middle) &+ (UInt32.random(in: 0 ... .max, using: &random) >> reach)
            let y = UInt32.random(in: 0 ... .max, using: &random) >> (number % 2 == 0 ? reach : 0)
            let place = WorldPoint(x: number % 5 == 0 ? 0 &- x : x, y: y)
            try sorter.append(
                PlacedMarker(
                    MortonCode(place), group: UInt64(number % 3), file: UInt32(number), isCluster: number % 4 == 0))
        }
        return try sorter.finish()
    }

    private func isTooClose(_ one: PlacedMarker, _ other: PlacedMarker, _ units: UInt64) -> Bool {
        let (a, b) = (one.code.point, other.code.point)
        let straight = Int128(max(a.x, b.x)) - Int128(min(a.x, b.x))
        let (east, south) = (min(straight, (1 << 32) - straight), Int128(a.y) - Int128(b.y))
        return one.group == other.group && east * east + south * south < Int128(units) * Int128(units)
    }

    @Test(arguments: [1, 2, 3, 5000, 1 << 20, (1 << 29) - 1, 1 << 30, (1 << 31) + 1, 1 << 32] as [UInt64])
    func `each marker that is too close to a later one is found once`(units: UInt64) throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            let markers = try markers(count: 20 + Int(seed) * 3, seed: seed)
            let pairs = DistanceCheck(markers, distanceUnits: units).pairsTooClose(jobs: 2)
            #expect(pairs.allSatisfy { isTooClose($0, $1, units) })
            #expect(Set(pairs.map(\.0.file)).count == pairs.count)
            // Pairs of different cells are found from the cell that comes first, so that each marker with a pair is in one.
            let found = Set(pairs.flatMap { [$0.0.file, $0.1.file] })
            let expected = markers.indices.contains { index in
                markers.indices.contains { $0 != index && isTooClose(markers[index], markers[$0], units) }
            }
            #expect(found.isEmpty != expected)
            // Of ten markers or fewer in a cell, none is left out.
            guard units <= 5000 else { continue }
            for (index, marker) in markers.enumerated() {
                let others = markers.enumerated().filter { $0.offset != index && isTooClose(marker, $0.element, units) }
                let isFound = found.contains(marker.file) || others.contains { found.contains($0.element.file) }
                #expect(others.isEmpty || isFound)
            }
        }
    }

    @Test(arguments: 0..<40 as Range<UInt32>)
    func `markers of different groups are never too close, even in the next cell`(east: UInt32) {
        let markers = ([0, 1] as [UInt32]).map { group in
            let place = WorldPoint(x: 1 << 30 + 40 + group * east, y: 1 << 29 + group * 3)
            return PlacedMarker(MortonCode(place), group: UInt64(group), file: group, isCluster: false)
        }
        #expect(DistanceCheck(StoredElements(markers), distanceUnits: 50).pairsTooClose(jobs: 1).isEmpty)
    }

    @Test func `markers in one place by the thousand are found in no time`() throws {
        var sorter = RunSorter<PlacedMarker>(.unlimited)
        let place = MortonCode(WorldPoint(x: 1 << 31 + 77, y: 1 << 30))
        for number in 0..<100_000 as Range<UInt32> {
            try sorter.append(PlacedMarker(place, group: 0, file: number, isCluster: false))
        }
        let pairs = DistanceCheck(try sorter.finish(), distanceUnits: 1 << 24).pairsTooClose(jobs: 2)
        #expect(pairs.count == 9)
    }
}
