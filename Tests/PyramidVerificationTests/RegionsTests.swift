import TestSupport
import Testing

@testable import PyramidTiles
@testable import PyramidVerification

struct RegionsTests {
    @Test func `each place belongs to one region`() {
        let regions = Regions(cuts: [90, 7, 7, 1 << 60])
        #expect(regions.count == 4)
        let codes: [ClosedRange<UInt64>] = [0...6, 7...89, 90...(1 << 60 - 1), (1 << 60)...(.max)]
        #expect((0..<4).map { regions[$0].codes } == codes)
        for code in [0, 6, 7, 89, 90, 1 << 60 - 1, 1 << 60, .max] as [UInt64] {
            let owners = (0..<4).filter { regions[$0].owns(code) }
            #expect(owners == [regions.index(of: code)])
        }
    }

    @Test func `all regions around a place are found, across the antimeridian too`() {
        var random = SeededRandom(seed: 29)
        func number(_ bits: Int) -> UInt64 { random.next() >> UInt64(64 - bits) }
        for _ in 0..<200 {
            let regions = Regions(cuts: (0..<30).map { _ in number(64) })
            let point = WorldPoint(x: UInt32(number(32)) | [0, 0xffff_ff00][Int(number(1))], y: UInt32(number(32)))
            let units = number(Int(number(5)) + 1)
            var found: [Int] = []
            regions.forEach(within: units, of: MortonCode(point).rawValue) { found.append($0) }
            #expect(Set(found).count == found.count)
            for _ in 0..<100 {
                let (east, south) = (number(32) % (2 * units + 1), number(32) % (2 * units + 1))
                let row = Int64(point.y) + Int64(south) - Int64(units)
                guard let y = UInt32(exactly: row) else { continue }
                let x = UInt32(truncatingIfNeeded: Int64(point.x) + Int64(east) - Int64(units))
                #expect(found.contains(regions.index(of: MortonCode(WorldPoint(x: x, y: y)).rawValue)))
            }
        }
    }

    @Test func `a small square in one region is in no other`() {
        let cut = MortonCode(WorldPoint(x: 1 << 30, y: 1 << 29)).rawValue
        let regions = Regions(cuts: [cut])
        var found: [Int] = []
        regions.forEach(within: 1 << 20, of: cut | 0xffff_ffff_ffff) { found.append($0) }
        #expect(found == [1])
    }
}
