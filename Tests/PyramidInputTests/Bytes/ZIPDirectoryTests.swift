import Testing

@testable import PyramidInput

struct ZIPDirectoryTests {
    private func advice(_ bytes: [UInt8], name: String = "a.zip") -> String {
        ZIPDirectory.advice(for: InputBytes(bytes, name: name)).description
    }

    private func advice(_ files: String...) -> String { advice(ZIPArchive(files.map { ($0, [1]) }).bytes) }

    @Test func `a single file is named, whatever it is`() {
        #expect(advice("a.pdf") == "it has 1 file, \"a.pdf\"; read the one that has points: unzip -p a.zip a.pdf")
        #expect(
            advice("__MACOSX/._a.csv", "d/", "d/a.csv")
                == "it has 1 file, \"d/a.csv\"; read the one that has points: unzip -p a.zip d/a.csv")
        #expect(advice() == "it has no files")
    }

    @Test(arguments: [
        (["agency.txt", "stops.txt", "trips.csv"], "stops.txt"), (["README.txt", "places.csv"], "places.csv"),
        (["a.csv", "bb.csv", "c.csv"], "a.csv"), (["big-metadata.json", "p.tsv"], "p.tsv"),
        (["x.pdf", "notes.txt"], "notes.txt"), (["x.pdf", "p.csv.gz"], "p.csv.gz"),
        (["gtfs/shapes.txt", "gtfs/stops.txt"], "gtfs/stops.txt"), (["x.pdf", "y.pdf"], "MEMBER"),
    ])
    func `of several files, the most promising one is suggested`(names: [String], member: String) {
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(
            advice(ZIPArchive(names.map { ($0, Array($0.utf8)) }).bytes)
                == "it has \(names.count) files, \(list); read the one that has points: unzip -p a.zip \(member)")
    }

    @Test func `of a zipped shapefile, the shapes are converted`() {
        #expect(
            advice("p/a.dbf", "p/README.txt", "p/a.shp")
                .hasSuffix(": ogr2ogr -f GeoJSONSeq /vsistdout/ /vsizip/a.zip/p/a.shp"))
        #expect(advice("a.shp", "a.csv").hasSuffix(": unzip -p a.zip a.csv"))
    }

    @Test func `a name that unzip or a shell would read as something else is not suggested`() {
        for name in [
            "a*.csv", "a?.csv", "[a].csv", "-a.csv", "a\\b.csv", "a\u{1b}.csv", "it's.csv", "é.csv", "a b.csv",
        ] {
            #expect(advice(name, "x.pdf").hasSuffix(": unzip -p a.zip MEMBER"), "\(name)")
            #expect(advice(ZIPArchive([(name, [1])]).bytes, name: "a b").hasSuffix(": unzip -p FILE MEMBER"), "\(name)")
        }
    }

    @Test func `names that have the words for the archive and its file in them`() {
        let archive = ZIPArchive([("FILE-MEMBER.csv", [1])]).bytes
        #expect(advice(archive, name: "MEMBER-FILE.zip").hasSuffix(": unzip -p MEMBER-FILE.zip FILE-MEMBER.csv"))
    }

    @Test func `only a few of many files are shown`() {
        let archive = ZIPArchive((0..<60_000).map { ("f\($0).csv", []) })
        #expect(
            advice(archive.bytes)
                == "it has 60,000 files, \"f0.csv\", \"f1.csv\", \"f2.csv\", \"f3.csv\", \"f4.csv\" and 59,995 more; "
                + "read the one that has points: unzip -p a.zip f0.csv")
    }

    @Test func `a comment behind the archive and a program before it don't matter`() {
        let archive = ZIPArchive([("a.csv", [1])], comment: Array("PK\u{5}\u{6} is the end".utf8)).bytes
        #expect(advice(Array("#!/bin/sh\n".utf8) + archive).hasSuffix(": unzip -p a.zip a.csv"))
    }

    @Test func `a damaged archive gives advice too`() {
        let archive = ZIPArchive([("a.csv", [1]), ("b.csv", [2])]).bytes
        let damaged = "its list of files can't be read; is it cut off?"
        for length in archive.indices { #expect(advice(Array(archive[..<length])) == damaged, "\(length)") }
        for index in archive.indices {
            for byte: UInt8 in [0, 1, 0x7f, 0x80, 0xff] {
                var bytes = archive
                bytes[index] = byte
                _ = advice(bytes)
            }
        }
    }
}

/// Writes ZIP archives without compression.
struct ZIPArchive {
    private(set) var bytes: [UInt8] = []

    init(_ files: [(name: String, content: [UInt8])], comment: [UInt8] = []) {
        var directory: [UInt8] = []
        for (name, content) in files {
            let name = Array(name.utf8)
            let facts =
                number(0, 2) + number(0, 2) + number(0, 4) + number(ZIPArchive.checksum(content), 4)
                + number(content.count, 4) + number(content.count, 4) + number(name.count, 2) + number(0, 2)
            directory +=
                Array("PK\u{1}\u{2}".utf8) + number(20, 2) + number(20, 2) + facts + number(0, 2) + number(0, 2)
                + number(0, 2) + number(0, 4) + number(bytes.count, 4) + name
            bytes += Array("PK\u{3}\u{4}".utf8) + number(20, 2) + facts + name + content
        }
        let start = bytes.count
        bytes += directory
        bytes += Array("PK\u{5}\u{6}".utf8) + number(0, 4)
        bytes +=
            number(files.count, 2) + number(files.count, 2) + number(directory.count, 4) + number(start, 4)
        bytes += number(comment.count, 2) + comment
    }

    private func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(value >> ($0 * 8) & 0xff) }
    }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        var sum: UInt32 = .max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
        }
        return Int(~sum)
    }
}
