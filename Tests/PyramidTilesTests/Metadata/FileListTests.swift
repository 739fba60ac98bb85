import TestSupport
import Testing

@testable import PyramidTiles

struct FileListTests {
    private static func entry(_ address: String, _ number: Int) throws -> FileList.Entry {
        FileList.Entry(
            address: try #require(FileAddress(address)), byteCount: 100 + number, crc32: UInt32(number) &* 0x9e37_79b9,
            bodyByteCount: 1_000 * number, bodyCRC32: ~UInt32(number))
    }

    private static let header = "file\tbytes\tcrc32\tbody_bytes\tbody_crc32\n"

    @Test func `a list has these bytes`() throws {
        let list = FileList([
            FileList.Entry(
                address: try #require(FileAddress("tiles/3/4/2")), byteCount: 212, crc32: 0x9ae0_daaf,
                bodyByteCount: 430,
                bodyCRC32: 0x0c7e_7fd8),
            FileList.Entry(
                address: try #require(FileAddress("tiles/0/0/0")), byteCount: 1_024, crc32: 0, bodyByteCount: 65_536,
                bodyCRC32: .max),
        ])
        #expect(
            String(decoding: list.encoded(), as: UTF8.self) == FileListTests.header
                + "tiles/0/0/0\t1024\t00000000\t65536\tffffffff\n" + "tiles/3/4/2\t212\t9ae0daaf\t430\t0c7e7fd8\n")
    }

    @Test func `a list survives the way to bytes and back, sorted`() throws {
        let addresses = [
            "tiles/9/10/3", "bundles/3/1/0", "tiles/0/0/0", "tiles/9/9/300", "tiles/2/3/1", "tiles/2/3/0",
            "bundles/30/1073741823/1073741823", "tiles/10/0/0", "bundles/2/3/3", "tiles/9/10/20", "bundles/0/0/0",
            "tiles/30/1073741823/1073741823",
        ]
        let list = FileList(try addresses.enumerated().map { try FileListTests.entry($1, $0) })
        #expect(
            list.entries.map(\.address.description) == [
                "tiles/0/0/0", "tiles/2/3/0", "tiles/2/3/1", "tiles/9/9/300", "tiles/9/10/3", "tiles/9/10/20",
                "tiles/10/0/0", "tiles/30/1073741823/1073741823", "bundles/0/0/0", "bundles/2/3/3", "bundles/3/1/0",
                "bundles/30/1073741823/1073741823",
            ])
        #expect(try FileList(decoding: list.encoded()) == list)
        #expect(list[.tile].map(\.address.description) == list.entries.prefix(8).map(\.address.description))
        #expect(list[.bundle].count == 4)
        #expect(list.entries(of: .tile, atZoom: 9).map(\.address) == list.entries[3...5].map(\.address))
        #expect(list.entries(of: .bundle, atZoom: 1).isEmpty)
        #expect(MemoryLayout<FileList.Entry>.stride == 24)
        #expect(try FileList(decoding: FileList([]).encoded()) == FileList([]))
    }

    @Test(arguments: 0...20)
    func `an entry is found by its tile, and a missing one is not`(count: Int) throws {
        let even = try (0..<count).map { try FileListTests.entry("tiles/6/\($0 * 2)/\(63 - $0)", $0) }
        let list = FileList(even.reversed())
        for entry in even { #expect(list.file(at: entry.address) == entry.file) }
        for column in 0..<count {
            #expect(list.file(at: try #require(FileAddress("tiles/6/\(column * 2 + 1)/\(63 - column)"))) == nil)
        }
        #expect(list.file(at: try #require(FileAddress("tiles/5/0/0"))) == nil)
        #expect(list.file(at: try #require(FileAddress("tiles/7/0/0"))) == nil)
    }

    @Test(arguments: [
        ("", "is empty"),
        ("\n", "line 1 is not the header"),
        ("file\tbytes\n", "line 1 is not the header"),
        ("tiles/0/0/0\t1\t00000000\t1\t00000000\n", "line 1 is not the header"),
        ("file\tbytes\tcrc32\tbody_bytes\tbody_crc32", "line 1 is not the header"),
        ("file\tbytes\tcrc32\tbody_bytes\tbody_crc32\r\n", "line 1 is not the header"),
        (header + "tiles/0/0/0\t1\t00000000\t1\t00000000", "line 2 is"),
        (header + "pages/0/0\t1\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "0/0/0\t1\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "tiles/0/0\t1\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "tilesx0/0/0\t1\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "leaves/0/0/0\t1\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "bundles/7/0/0\t1\t00000000\t1\t00000000\ntiles/0/0/0\t1\t00000000\t1\t00000000\n", "line 3 is"),
        (header + "\n", "line 2 is"), (header + "tiles/0/0/0\t1\t00000000\t1\n", "line 2 is"),
        (header + "tiles/0/0/0\t1\t00000000\t1\t00000000\t\n", "line 2 is"),
        (header + "tiles/0/0/1\t1\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "tiles/0/0/0\t\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "tiles/0/0/0\t-1\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "tiles/0/0/0\t+1\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "tiles/0/0/0\t01\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "tiles/0/0/0\t4294967296\t00000000\t1\t00000000\n", "line 2 is"),
        (header + "tiles/0/0/0\t1\t00000000\t4294967296\t00000000\n", "line 2 is"),
        (header + "tiles/0/0/0\t1\t00000000\t-1\t00000000\n", "line 2 is"),
        (header + "tiles/0/0/0\t1\t0000000g\t1\t00000000\n", "line 2 is"),
        (header + "tiles/0/0/0\t1\t0000000\t1\t00000000\n", "line 2 is"),
        (header + "tiles/0/0/0\t1\t000000000\t1\t00000000\n", "line 2 is"),
        (header + "tiles/0/0/0\t1\t+0000000\t1\t00000000\n", "line 2 is"),
        (header + "tiles/0/0/0\t1\t00000000\t1\t0000000A\n", "line 2 is"),
        (header + "tiles/0/0/0\t1\t00000000\t1\t00000000\r\n", "line 2 is"),
        (header + "tiles/0/0/0\t1\t00000000\t1\t00000000\ntiles/0/0/0\t1\t00000000\t1\t00000000\n", "line 3 is"),
        (header + "tiles/1/1/0\t1\t00000000\t1\t00000000\ntiles/1/0/1\t1\t00000000\t1\t00000000\n", "line 3 is"),
    ])
    func `a list that is not as it should be is refused with its line`(text: String, message: String) {
        let error = #expect(throws: MetadataError.self) { try FileList(decoding: Array(text.utf8)) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "accepted")")
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        let bytes = Array(FileListTests.header.utf8) + [0xff] + Array("tiles/0/0/0\t1\t00000000\t1\t00000000\n".utf8)
        #expect(throws: MetadataError.self) { try FileList(decoding: bytes) }
    }

    @Test func `a list that comes in pieces is the list, wherever it is cut`() throws {
        let list = FileList(try (0..<9).map { try FileListTests.entry("tiles/7/\($0 * 11)/\(100 - $0)", $0 * $0) })
        let bytes = list.encoded()
        for size in 1...bytes.count {
            var decoder = FileListDecoder()
            var entries: [FileList.Entry] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                entries += try decoder.append(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(decoder.summary == Manifest.FileSummary(of: bytes))
            try decoder.finish()
            #expect(entries == Array(list.entries), "pieces of \(size)")
        }
    }
}
