import Testing

@testable import PyramidBuild

struct ZIPDirectoryTests {
    private func advice(_ bytes: [UInt8], name: String = "a.zip") -> String {
        ZIPDirectory.advice(for: InputBytes(bytes, name: name), command: "unzip -p FILE MEMBER", ending: nil)
            .description
    }

    private func advice(_ files: (name: String, content: String)...) -> String {
        advice(ZIPArchive(files.map { ($0.name, Array($0.content.utf8)) }).bytes)
    }

    @Test func `a single file is named, whatever it is`() {
        #expect(advice(("a.pdf", "x")) == "it has \"a.pdf\"; read it: unzip -p a.zip a.pdf")
        #expect(
            advice(("__MACOSX/._a.csv", "x"), ("d/", ""), ("d/a b.csv", "x"))
                == "it has \"d/a b.csv\"; read it: unzip -p a.zip 'd/a b.csv'")
        #expect(advice(ZIPArchive([]).bytes) == "it has no files")
    }

    @Test(arguments: [
        (["agency.txt", "stops.txt", "trips.csv"], "stops.txt"), (["README.txt", "places.csv"], "places.csv"),
        (["a.csv", "bb.csv", "c.csv"], "bb.csv"), (["big-metadata.json", "p.tsv"], "p.tsv"),
        (["x.pdf", "notes.txt"], "notes.txt"), (["x.pdf", "p.CSV.gz"], "p.CSV.gz"),
        (["gtfs/Stops.txt", "gtfs/shapes.txt"], "gtfs/Stops.txt"), (["é.geojson", "x.pdf"], "'é.geojson'"),
    ])
    func `of several files, the most promising one is suggested`(names: [String], member: String) {
        // A longer name has a longer content.
        let archive = ZIPArchive(names.map { ($0, Array($0.utf8)) })
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(
            advice(archive.bytes)
                == "it has \(names.count) files, \(list); read one of them: unzip -p a.zip \(member)")
    }

    @Test func `a name that unzip would read as a pattern is not suggested`() {
        for name in [
            "a*.csv", "a?.csv", "[a].csv", "-a.csv", "a\\b.csv", "a\u{1b}.csv",
            String(repeating: "n", count: 300) + ".csv",
        ] {
            let archive = ZIPArchive([(name, [1]), ("x.pdf", [])])
            #expect(
                advice(archive.bytes).hasSuffix("; read the MEMBER that has points: unzip -p a.zip MEMBER"), "\(name)")
            #expect(
                advice(ZIPArchive([(name, [1])]).bytes, name: "a b").hasSuffix("; read it: unzip -p FILE"), "\(name)")
        }
        #expect(advice(("it's.csv", "1"), ("x.pdf", "")).hasSuffix(#": unzip -p a.zip 'it'\''s.csv'"#))
    }

    @Test func `of a zipped shapefile, the shapes are converted`() {
        func cure(_ names: String...) -> String {
            let archive = ZIPArchive(names.map { ($0, Array($0.utf8)) }).bytes
            return ZIPDirectory.advice(
                for: InputBytes(archive, name: "a.zip"), command: "ogr2ogr /vsizip/FILE/MEMBER", ending: ".shp"
            ).description
        }
        #expect(cure("a.csv", "s/p 1.shp", "s/p 1.dbf") == "convert it: ogr2ogr /vsizip/a.zip/'s/p 1.shp'")
        #expect(cure("a.shp", "long.SHP", "b.shp") == "convert it: ogr2ogr /vsizip/a.zip/long.SHP")
        #expect(cure("a*.shp") == "convert it: ogr2ogr /vsizip/a.zip")
        #expect(cure("a*.shp", "a*.dbf") == "convert it: ogr2ogr /vsizip/a.zip/MEMBER")
    }

    @Test func `names that have the words for the archive and its file in them`() {
        let archive = ZIPArchive([("FILE-MEMBER.csv", [1])]).bytes
        #expect(advice(archive, name: "MEMBER-FILE.zip").hasSuffix(": unzip -p MEMBER-FILE.zip FILE-MEMBER.csv"))
    }

    @Test func `only a few of many files are shown`() {
        let archive = ZIPArchive((0..<70_000).map { ("f\($0).csv", $0 == 69_000 ? [1, 2] : []) }, isZip64: true)
        #expect(
            advice(archive.bytes)
                == "it has 70,000 files, \"f0.csv\", \"f1.csv\", \"f2.csv\", \"f3.csv\", \"f4.csv\" and 69,995 more; "
                + "read one of them: unzip -p a.zip f69000.csv")
    }

    @Test func `a comment behind the archive and a program before it don't matter`() {
        let archive = ZIPArchive([("a.csv", [1])], comment: Array("PK\u{5}\u{6} is the end".utf8)).bytes
        #expect(advice(Array("#!/bin/sh\n".utf8) + archive) == "it has \"a.csv\"; read it: unzip -p a.zip a.csv")
    }

    @Test(arguments: [false, true]) func `a damaged archive gives advice too`(isZip64: Bool) {
        let archive = ZIPArchive([("a.csv", [1]), ("b.csv", [2])], isZip64: isZip64).bytes
        let damaged = "its list of files is missing or damaged; is it cut off?"
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

    init(_ files: [(name: String, content: [UInt8])], comment: [UInt8] = [], isZip64: Bool = false) {
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
        if isZip64 {
            let end = bytes.count
            bytes +=
                Array("PK\u{6}\u{6}".utf8) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8)
                + number(files.count, 8) + number(files.count, 8) + number(directory.count, 8) + number(start, 8)
            bytes += Array("PK\u{6}\u{7}".utf8) + number(0, 4) + number(end, 8) + number(1, 4)
        }
        bytes += Array("PK\u{5}\u{6}".utf8) + number(0, 4)
        bytes +=
            isZip64
            ? Array(repeating: 0xff, count: 12)
            : number(files.count, 2) + number(files.count, 2)
                + number(directory.count, 4) + number(start, 4)
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
