import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput
@testable import PyramidParts

/// Rows on disk, against the same rows in arrays.
@Suite struct RowSpoolTests {
    private static func rows(_ count: Int, _ random: inout SeededRandom) -> AcceptedRows {
        var rows = AcceptedRows()
        for index in 0..<count {
            // Two towns, one of them on the antimeridian, and places all over the map.
            let (longitude, latitude) =
                switch index % 3 {
                case 0: (13_000_000 + random.next(below: 90_000), 52_000_000 + random.next(below: 40_000))
                case 1: (179_990_000 + random.next(below: 9_000), -17_000_000 - random.next(below: 20_000))
                default: (random.next(below: 359_000_000) - 180_000_000, random.next(below: 170_000_000) - 85_000_000)
                }
            rows.append(
                start: 7 * index, longitude: Int32(longitude), latitude: Int32(latitude),
                idHash: index % 5 == 3 ? nil : UInt64(random.next(below: count * 2)))
        }
        return rows
    }

    /// - Parameter budgetBytes: for ids.
    private static func spool(_ all: AcceptedRows, cuts: [Int], budgetBytes: Int = .max) throws -> RowSpool {
        let spool = RowSpool(
            SpoolOptions(rowLimit: 50, memory: ListMemory(budgetBytes: budgetBytes, folder: "/tmp")) { _ in false },
            of: InputSequence([]), jobs: 2)
        for (start, end) in zip([0] + cuts, cuts + [all.count]) {
            var rows = AcceptedRows()
            for index in start..<end {
                rows.append(
                    start: Int(all.starts[index]), longitude: all.longitudes[index], latitude: all.latitudes[index],
                    idHash: all.idHashes[index] == 0 ? nil : all.idHashes[index])
            }
            try spool.take(rows)
        }
        try spool.finish()
        return spool
    }

    @Test func `the rows of a part and its halo are those that a look at each row finds`() throws {
        var random = SeededRandom(seed: 29)
        let all = RowSpoolTests.rows(900, &random)
        let spool = try RowSpoolTests.spool(all, cuts: [100, 101, 640])
        #expect(spool.count == 900)
        var dropped: Set<UInt64> = []
        for round in 0..<120 {
            if round == 60 {
                for row in stride(from: 5, to: 900, by: 13) {
                    dropped.insert(spool[row].start)
                    spool.drop(row)
                }
            }
            let zoom = random.next(below: 12)
            let point = WebMercator.project(
                Coordinate(
                    longitudeMicrodegrees: all.longitudes[round], latitudeMicrodegrees: all.latitudes[round]))
            let tile = TileCoordinate(containing: point, atZoom: zoom)
            let area = PartArea(tile, haloUnits: UInt64(random.next(below: 1 << (32 - zoom))) * UInt64(round % 3))
            let expected = (0..<900).filter { row in
                let place = Coordinate(
                    longitudeMicrodegrees: all.longitudes[row], latitudeMicrodegrees: all.latitudes[row])
                return area.use(of: place) != .leftOut && !dropped.contains(all.starts[row])
            }
            #expect(Set(spool.rows(in: area).starts) == Set(expected.map { all.starts[$0] }), "\(tile)")
            #expect(spool.rows(in: area).count == expected.count)
        }
    }

    @Test func `cells and occupied cells are counted at every zoom`() throws {
        var random = SeededRandom(seed: 30)
        let all = RowSpoolTests.rows(700, &random)
        let spool = try RowSpoolTests.spool(all, cuts: [333])
        for drops in [0, 90] {
            for row in 0..<drops { spool.drop(row) }
            let codes = (drops..<700).map { spool[$0].code }
            for zoom in [0, 3, 9, 10, 11, 14, 18] {
                var expected: [UInt64: Int] = [:]
                for code in codes { expected[MortonCode(rawValue: code).node(atDepth: zoom), default: 0] += 1 }
                #expect(spool.cells(atZoom: zoom).counts.filter { $0.value > 0 } == expected, "zoom \(zoom)")
                if drops == 0 { #expect(spool.occupiedCells(atZoom: zoom, limit: 10_000) == expected.count) }
                #expect(spool.occupiedCells(atZoom: zoom, limit: 20) > min(expected.count, 20) - 1)
            }
        }
    }

    @Test func `runs come in the order of the input, and shared ids with any memory`() throws {
        var random = SeededRandom(seed: 31)
        let all = RowSpoolTests.rows(500, &random)
        let spool = try RowSpoolTests.spool(all, cuts: [120, 333])
        var starts: [UInt64] = []
        spool.forEachRun { run in
            for (row, start) in run {
                #expect(spool[row].start == start)
                starts.append(start)
            }
        }
        #expect(starts == all.starts)
        var expected: [UInt64: Set<UInt64>] = [:]
        for (hash, start) in zip(all.idHashes, all.starts) where hash != 0 { expected[hash, default: []].insert(start) }
        let shared = Set(expected.values.filter { $0.count > 1 })
        #expect(shared.count > 10)
        for budgetBytes in [1, 900, .max] {
            let spool = try RowSpoolTests.spool(all, cuts: [120, 333], budgetBytes: budgetBytes)
            var found: Set<Set<UInt64>> = []
            try spool.ids.forEachShared { found.insert(Set($0.map(\.start))) }
            #expect(found == shared, "\(budgetBytes) bytes")
        }
    }
}
