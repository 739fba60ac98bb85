import TestSupport
import Testing

@testable import PyramidTiles

struct ListDifferenceTests {
    private static func entry(_ tile: String, _ number: Int = 1) throws -> FileList.Entry {
        FileList.Entry(
            address: try #require(FileAddress("tiles/\(tile)")), byteCount: 100, crc32: UInt32(number),
            bodyByteCount: 300,
            bodyCRC32: 7)
    }

    @Test func `tiles are added, changed and removed, in the order of tiles and not of text`() throws {
        let old = FileList([
            try ListDifferenceTests.entry("0/0/0"), try ListDifferenceTests.entry("2/1/3"),
            try ListDifferenceTests.entry("9/9/30"), try ListDifferenceTests.entry("9/10/3"),
            try ListDifferenceTests.entry("10/0/4"),
        ])
        let new = FileList([
            try ListDifferenceTests.entry("0/0/0", 2), try ListDifferenceTests.entry("1/0/1"),
            try ListDifferenceTests.entry("9/9/30"), try ListDifferenceTests.entry("9/10/3", 5),
            try ListDifferenceTests.entry("11/0/4"), try ListDifferenceTests.entry("11/1/0"),
        ])
        let difference = ListDifference(from: old, to: new)
        #expect(difference.added.map(\.description) == ["tiles/1/0/1", "tiles/11/0/4", "tiles/11/1/0"])
        #expect(difference.changed.map(\.description) == ["tiles/0/0/0", "tiles/9/10/3"])
        #expect(difference.removed.map(\.description) == ["tiles/2/1/3", "tiles/10/0/4"])
        let back = ListDifference(from: new, to: old)
        #expect(back.added == difference.removed && back.removed == difference.added)
        #expect(back.changed == difference.changed)
        #expect(ListDifference(from: new, to: new).isEmpty && !difference.isEmpty)
    }

    @Test func `each of the sizes and checksums counts`() throws {
        let tile = try #require(FileAddress("tiles/3/4/2"))
        func list(_ a: Int, _ b: UInt32, _ c: Int, _ d: UInt32) -> FileList {
            FileList([
                FileList.Entry(address: tile, byteCount: a, crc32: b, bodyByteCount: c, bodyCRC32: d)
            ])
        }
        for other in [list(2, 2, 3, 4), list(1, 1, 3, 4), list(1, 2, 4, 4), list(1, 2, 3, 3)] {
            #expect(ListDifference(from: list(1, 2, 3, 4), to: other).changed == [tile])
        }
    }

    @Test(arguments: UInt64(1)...20)
    func `differences of random lists are those of sets`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func list() throws -> FileList {
            let tiles = (0..<Int(random.next() % 60)).map { _ in
                "\(4 + random.next() % 2)/\(random.next() % 3)/\(random.next() % 16)"
            }
            return FileList(
                try Set(tiles).map { try ListDifferenceTests.entry($0, Int(random.next() % 2)) })
        }
        let (old, new) = (try list(), try list())
        let difference = ListDifference(from: old, to: new)
        let (before, after) = (Set(old.entries.map(\.address)), Set(new.entries.map(\.address)))
        #expect(difference.added == after.subtracting(before).sorted())
        #expect(difference.removed == before.subtracting(after).sorted())
        let changed = before.intersection(after).filter { old.file(at: $0) != new.file(at: $0) }
        #expect(difference.changed == changed.sorted())
    }
}
