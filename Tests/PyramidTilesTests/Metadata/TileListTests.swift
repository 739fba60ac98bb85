import Testing

@testable import PyramidTiles

struct TileListTests {
    private static let text = """
        tile\tbytes\tcrc32\tbody_bytes\tbody_crc32
        5/4/2\t212\t9ae0daaf\t430\t0c7e7fd8
        5/4/10\t1\t00000000\t0\tffffffff

        """

    @Test func `a list is read as it was written`() throws {
        let bytes = Array(TileListTests.text.utf8)
        let list = try TileList(decoding: bytes)
        #expect(list.encoded() == bytes)
        let tile = try #require(TileCoordinate(z: 5, x: 4, y: 2))
        #expect(
            list.entry(of: tile)
                == TileList.Entry(
                    tile: tile, byteCount: 212, crc32: 0x9ae0_daaf, bodyByteCount: 430, bodyCRC32: 0x0c7e_7fd8))
        #expect(list.entries.map(\.tile.y) == [2, 10])
    }

    @Test(arguments: [
        ("tile\t", "til\t"), ("\n5", "\n\n5"), ("5/4/2", "5/4/02"), ("5/4/2", "+5/4/2"), ("5/4/2", "5/32/2"),
        ("5/4/2", "31/4/2"), ("5/4/2", "5/4"), ("5/4/2", "5/4/10"), ("5/4/2", "6/4/2"), ("212", "-1"), ("212", ""),
        ("212", "9999999999999999999"), ("212", "2 2"), ("9ae0daaf", "9AE0DAAF"), ("9ae0daaf", "9ae0daa"),
        ("9ae0daaf", "9ae0daaf0"), ("430", "430\t1"), ("\t0c7e7fd8", ""), ("0c7e7fd8\n", "0c7e7fd8\r\n"),
        ("ffffffff\n", "ffffffff"), ("ffffffff\n", "fffff"),
    ])
    func `a list that can't have been written is refused`(found: String, replacement: String) {
        #expect(TileListTests.text.contains(found))
        let text = TileListTests.text.replacingFirst(found, replacement)
        #expect(throws: MetadataError.self) { try TileList(decoding: Array(text.utf8)) }
    }

    @Test func `an error names the line`() {
        let text = TileListTests.text.replacingFirst("5/4/10", "5/4/x")
        #expect {
            try TileList(decoding: Array(text.utf8))
        } throws: {
            "\($0)".hasPrefix("line 3 is \"5/4/x\t1")
        }
    }
}
