import Foundation
import Testing

@testable import PyramidPublishing
@testable import PyramidTiles

struct PublishingJournalTests {
    private static func journal() throws -> PublishingJournal {
        let tile = try #require(TileCoordinate("3/4/2"))
        let file = StoredFile(byteCount: 212, crc32: 0x9ae0_daaf, bodyByteCount: 430, bodyCRC32: 0x0c7e_7fd8)
        let bundle = try #require(TileCoordinate("20/1048575/12"))
        return PublishingJournal(
            header: .init(
                lists: [.init(list: .init(of: [1, 2]), suffix: ".x")],
                files: [.init(name: "index.html", file: .init(of: [3]))], settledCount: 1),
            items: [
                .init(place: PlacedFile(address: .tile(tile), suffix: ".json.gz"), file: file),
                .init(place: PlacedFile(address: .tile(tile), suffix: ".json"), file: nil),
                .init(place: PlacedFile(address: .bundle(bundle), suffix: ".json"), file: file),
                .init(
                    place: PlacedFile(folder: "0123456789abcdef/", address: .bundle(bundle), suffix: ".json"), file: nil
                ),
            ])
    }

    @Test func `a journal survives the way to bytes and back`() throws {
        let journal = try PublishingJournalTests.journal()
        let bytes = try journal.encoded()
        #expect(try PublishingJournal(decoding: bytes) == journal)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines[1] == "tiles/3/4/2.json.gz\t212\t9ae0daaf\t430\t0c7e7fd8")
        #expect(lines[2] == "tiles/3/4/2.json\t-")
        #expect(lines[3] == "bundles/20/1048575/12.json\t212\t9ae0daaf\t430\t0c7e7fd8")
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
        "bundles/3/4/2", "bundles/3/4/../2.json", "/bundles/3/4/2.json", "bundles/3/4/02.json", "bundles/3/-4/2.json",
        "bundles/3/4/2/1.json", "bundles//4/2.json", "bundles/3/4.json", "tiles/3/4.json", "leaves/3/4.json",
        "leaves/3/4/2.json",
        "0123456789abcde/tiles/3/4/2.json", "0123456789ABCDEF/tiles/3/4/2.json", "0123456789abcdef/../tiles/3/4/2.json",
        "0123456789abcdef/0123456789abcdef/tiles/3/4/2.json", "0123456789abcdef//tiles/3/4/2.json",
    ])
    func `only paths of tiles and bundles are taken`(path: String) throws {
        #expect(PlacedFile(path: path) == nil)
        let bytes = try PublishingJournalTests.journal().encoded() + Array("\(path)\t-\n".utf8)
        #expect(throws: MetadataError.self) { try PublishingJournal(decoding: bytes) }
    }

    @Test(arguments: ["/../../x", "", ".json/../../x", "json"])
    func `a list whose files could lie elsewhere is refused`(suffix: String) throws {
        var journal = try PublishingJournalTests.journal()
        journal.header.lists[0].suffix = suffix
        let bytes = try journal.encoded()
        #expect(throws: MetadataError.self) { try PublishingJournal(decoding: bytes) }
    }

    @Test func `a status is read as it was written, and nothing else is`() throws {
        var status = PublishingStatus()
        #expect(try PublishingStatus(decoding: status.encoded()) == status)
        status.owner = .init(since: Date(timeIntervalSince1970: 1_795_000_000.7))
        (status.journal, status.doneCount) = ("a", 4000)
        let text = String(decoding: try status.encoded(), as: UTF8.self)
        #expect(try PublishingStatus(decoding: Array(text.utf8)) == status)
        for (found, other) in [
            (":4000", ":-1"), ("\"format_version\":6", "\"format_version\":5"), ("Z\"", "\""), ("{", ""),
        ] {
            let damaged = text.replacing(found, with: other)
            #expect(throws: MetadataError.self, "\(other)") { try PublishingStatus(decoding: Array(damaged.utf8)) }
        }
    }
}
