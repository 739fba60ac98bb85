import Testing

@testable import PyramidPublishing
@testable import PyramidTiles

struct PublishingJournalTests {
    private static func journal() throws -> PublishingJournal {
        let tile = try #require(TileCoordinate("3/4/2"))
        let file = StoredFile(byteCount: 212, crc32: 0x9ae0_daaf, bodyByteCount: 430, bodyCRC32: 0x0c7e_7fd8)
        let page = PointPage(clusterID: 6_219_475_510_301_847, page: 12)
        return PublishingJournal(
            header: .init(
                host: "somewhere", process: 17, token: "0123",
                lists: [.init(list: .init(of: [1, 2]), suffix: ".x", pageSuffix: ".y")],
                names: ["files.tsv", "index.html"], settledCount: 1),
            items: [
                .init(place: PlacedFile(address: .tile(tile), suffix: ".json.gz"), file: file),
                .init(place: PlacedFile(address: .tile(tile), suffix: ".json"), file: nil),
                .init(place: PlacedFile(address: .page(page), suffix: ".json"), file: file),
            ])
    }

    @Test func `a journal survives the way to bytes and back`() throws {
        let journal = try PublishingJournalTests.journal()
        let bytes = try journal.encoded()
        #expect(try PublishingJournal(decoding: bytes) == journal)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines[1] == "tiles/3/4/2.json.gz\t212\t9ae0daaf\t430\t0c7e7fd8")
        #expect(lines[2] == "tiles/3/4/2.json\t-")
        #expect(lines[3] == "leaves/6219475510301847/12.json\t212\t9ae0daaf\t430\t0c7e7fd8")
    }

    @Test func `a journal that is cut off is refused`() throws {
        let bytes = try PublishingJournalTests.journal().encoded()
        for count in bytes.indices where count == 0 || bytes[count - 1] != UInt8(ascii: "\n") {
            #expect(throws: MetadataError.self) { try PublishingJournal(decoding: Array(bytes[..<count])) }
        }
    }

    @Test(arguments: [
        "manifest.json", "tiles/3/4/2", "tiles/3/4/../2.json", "../tiles/3/4/2.json", "/tiles/3/4/2.json",
        "tiles/3/4/9.json", "tiles/3/04/2.json", "tiles/3/4/2.JSON", "tiles//4/2.json", "tiles/3/4/2.json/x", "",
        "2.json",
        "leaves/7/1", "leaves/7/../1.json", "/leaves/7/1.json", "leaves/7/01.json", "leaves/-7/1.json",
        "leaves/7/1/2.json",
        "leaves//1.json", "leaves/7.json", "tiles/7/1.json", "leaves/3/4/2.json",
    ])
    func `only paths of tiles and pages are taken`(path: String) throws {
        #expect(PlacedFile(path: path) == nil)
        var text = String(decoding: try PublishingJournalTests.journal().encoded(), as: UTF8.self)
        text += "\(path)\t-\n"
        #expect(throws: MetadataError.self) { try PublishingJournal(decoding: Array(text.utf8)) }
    }

    @Test func `a note is read as it was written, and nothing else is`() {
        let note = PublishingProgressNote(journal: 0xbeef, settled: RangeSet([0..<4_000, 4_003..<4_010]))
        #expect(PublishingProgressNote(decoding: note.encoded()) == note)
        let empty = PublishingProgressNote(journal: 0xbeef, settled: RangeSet())
        #expect(PublishingProgressNote(decoding: empty.encoded()) == empty)
        for text in [
            "", "\n", "0000beef 0-4000", "0000beef 4000\n", "0000beef 7-7\n", "0000beef 1-2-3\n", "beef x\n", "x 1-2\n",
        ] {
            #expect(PublishingProgressNote(decoding: Array(text.utf8)) == nil)
        }
    }
}
