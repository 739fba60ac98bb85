import Testing

@testable import PyramidTiles

struct TileListTests {
    private static func entry(_ tile: String, _ number: Int) throws -> TileList.Entry {
        TileList.Entry(
            address: try #require(TileCoordinate(tile)), byteCount: 100 + number, crc32: UInt32(number) &* 0x9e37_79b9,
            bodyByteCount: 1_000 * number, bodyCRC32: ~UInt32(number))
    }

    private static let header = "tile\tbytes\tcrc32\tbody_bytes\tbody_crc32\n"

    @Test func `a list has these bytes`() throws {
        let list = TileList([
            TileList.Entry(
                address: try #require(TileCoordinate("3/4/2")), byteCount: 212, crc32: 0x9ae0_daaf, bodyByteCount: 430,
                bodyCRC32: 0x0c7e_7fd8),
            TileList.Entry(
                address: try #require(TileCoordinate("0/0/0")), byteCount: 1_024, crc32: 0, bodyByteCount: 65_536,
                bodyCRC32: .max),
        ])
        #expect(
            String(decoding: list.encoded(), as: UTF8.self) == TileListTests.header
                + "0/0/0\t1024\t00000000\t65536\tffffffff\n" + "3/4/2\t212\t9ae0daaf\t430\t0c7e7fd8\n")
    }

    @Test func `a list survives the way to bytes and back, sorted`() throws {
        let tiles = ["9/10/3", "0/0/0", "9/9/300", "2/3/1", "2/3/0", "10/0/0", "9/10/20"]
        let list = TileList(try tiles.enumerated().map { try TileListTests.entry($1, $0) })
        #expect(
            list.entries.map(\.address.description) == [
                "0/0/0", "2/3/0", "2/3/1", "9/9/300", "9/10/3", "9/10/20", "10/0/0",
            ])
        #expect(try TileList(decoding: list.encoded()) == list)
        #expect(try TileList(decoding: TileList([]).encoded()) == TileList([]))
    }

    @Test(arguments: 0...20)
    func `an entry is found by its tile, and a missing one is not`(count: Int) throws {
        let even = try (0..<count).map { try TileListTests.entry("6/\($0 * 2)/\(63 - $0)", $0) }
        let list = TileList(even.reversed())
        for entry in even { #expect(list.entry(of: entry.address) == entry) }
        for column in 0..<count {
            #expect(list.entry(of: try #require(TileCoordinate("6/\(column * 2 + 1)/\(63 - column)"))) == nil)
        }
        #expect(list.entry(of: try #require(TileCoordinate("5/0/0"))) == nil)
        #expect(list.entry(of: try #require(TileCoordinate("7/0/0"))) == nil)
    }

    @Test(arguments: [
        ("", "is empty"),
        ("\n", "line 1 is not the header"),
        ("tile\tbytes\n", "line 1 is not the header"),
        ("0/0/0\t1\t00000000\t1\t00000000\n", "line 1 is not the header"),
        ("tile\tbytes\tcrc32\tbody_bytes\tbody_crc32", "line 1 is not the header"),
        ("tile\tbytes\tcrc32\tbody_bytes\tbody_crc32\r\n", "line 1 is not the header"),
        (header + "0/0/0\t1\t00000000\t1\t00000000", "line 2 is"),
        (header + "\n", "line 2 is"), (header + "0/0/0\t1\t00000000\t1\n", "line 2 is"),
        (header + "0/0/0\t1\t00000000\t1\t00000000\t\n", "line 2 is"),
        (header + "0/0/1\t1\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "0/0/0\t\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "0/0/0\t-1\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "0/0/0\t+1\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "0/0/0\t01\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "0/0/0\t4294967296\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "0/0/0\t1\t00000000\t4294967296\t00000000\n", "line 2 is"),
        (header + "0/0/0\t1\t00000000\t-1\t00000000\n", "line 2 is"),
        (header + "0/0/0\t1\t0000000g\t1\t00000000\n", "line 2 is"),
        (header + "0/0/0\t1\t0000000\t1\t00000000\n", "line 2 is"),
        (header + "0/0/0\t1\t000000000\t1\t00000000\n", "line 2 is"),
        (header + "0/0/0\t1\t+0000000\t1\t00000000\n", "line 2 is"),
        (header + "0/0/0\t1\t00000000\t1\t0000000A\n", "line 2 is"),
        (header + "0/0/0\t1\t00000000\t1\t00000000\r\n", "line 2 is"),
        (header + "0/0/0\t1\t00000000\t1\t00000000\n0/0/0\t1\t00000000\t1\t00000000\n", "line 3 is"),
        (header + "1/1/0\t1\t00000000\t1\t00000000\n1/0/1\t1\t00000000\t1\t00000000\n", "line 3 is"),
    ])
    func `a list that is not as it should be is refused with its line`(text: String, message: String) {
        let error = #expect(throws: MetadataError.self) { try TileList(decoding: Array(text.utf8)) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "accepted")")
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        let bytes = Array(TileListTests.header.utf8) + [0xff] + Array("0/0/0\t1\t00000000\t1\t00000000\n".utf8)
        #expect(throws: MetadataError.self) { try TileList(decoding: bytes) }
    }

    @Test func `a list that comes in pieces is the list, wherever it is cut`() throws {
        let list = TileList(try (0..<9).map { try TileListTests.entry("7/\($0 * 11)/\(100 - $0)", $0 * $0) })
        let bytes = list.encoded()
        for size in 1...bytes.count {
            var decoder = FileListDecoder<TileCoordinate>()
            for start in stride(from: 0, to: bytes.count, by: size) {
                try decoder.append(Array(bytes[start..<min(start + size, bytes.count)]), of: bytes.count)
            }
            #expect(decoder.summary == Manifest.FileSummary(of: bytes))
            #expect(try decoder.finish() == list, "pieces of \(size)")
        }
    }
}
