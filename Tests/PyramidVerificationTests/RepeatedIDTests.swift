import PyramidStore
import TestSupport
import Testing

@testable import PyramidTiles
@testable import PyramidVerification

/// Markers whose ids a zoom shows before, against all pairs.
struct RepeatedIDTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `a marker is found if one before has its id at its first zoom`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let ids = (0..<60).map { number in
            let first = random.next(below: 9)
            return ShownID(
                UInt64(random.next(below: 25)), at: MortonCode(rawValue: UInt64(number) << 40), in: UInt32(number),
                zooms: first...first + random.next(below: 4), isCluster: number % 2 == 0)
        }
        let expected = ids.filter { id in
            ids.contains { other in
                let isBefore = (other.zooms.lowerBound, other.file) < (id.zooms.lowerBound, id.file)
                return other.hash == id.hash && isBefore && other.zooms.contains(id.zooms.lowerBound)
            }
        }
        var sorter = RunSorter<ShownID>(.unlimited)
        for id in ids.shuffled(using: &random) { try sorter.append(id) }
        var found: [UInt32] = []
        try sorter.forEachRepeated { found.append($0.file) }
        #expect(found.sorted() == expected.map(\.file))
        #expect(!found.isEmpty && found.count < ids.count)
    }
}
