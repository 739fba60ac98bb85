import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

struct InputBytesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func gzip(_ content: Data) throws -> Data {
        try TestSupport.gzip("-c", folder.file("plain", content)).output
    }

    private func bytes(_ data: Data) throws -> [UInt8] {
        try copy(of: InputBytes(path: folder.file("t.csv", data)))
    }

    /// The parameter keeps the bytes alive.
    private func copy(of input: InputBytes) -> [UInt8] { Array(input.bytes) }

    @Test func `a plain file shows its bytes and the path that the user gave`() throws {
        let path = try folder.file("cities.csv", "lat,lon\n1,2")
        let input = try InputBytes(path: path)
        #expect(input.name == path)
        #expect(copy(of: input) == Array("lat,lon\n1,2".utf8))
        let empty = try bytes(Data())
        #expect(empty.isEmpty)
    }

    @Test func `gzip data of several members is inflated whole`() throws {
        var random = SeededRandom(seed: 5)
        let first = Data((0..<700_001).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        let second = Data(String(repeating: "51.25,-3.5\n", count: 100_000).utf8)
        let members = try [first, second, Data(), Data("end".utf8)].map { try gzip($0) }
        let inflated = try bytes(members.reduce(Data(), +))
        #expect(inflated == Array(first + second + Data("end".utf8)))
    }

    /// A gzip stream with a little content and the flags and fields of RFC 1952 that programs rarely write.
    private func header(flags: UInt8, _ fields: [UInt8], of data: Data) -> Data {
        Data([0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 2, 3] + fields) + data.dropFirst(10)
    }

    @Test func `gzip data is recognised whatever its header and members`() throws {
        let text = "lat,lon\n1,2\n"
        // gzip -c of a named file has the name in its header; -n leaves it out.
        let data = Data(Array(text.utf8).gzipped())
        let empty = Data([UInt8]().gzipped())
        let readable: [(String, Data, String)] = [
            ("extra field", header(flags: 4, [3, 0, 7, 8, 9], of: data), text),
            ("name and comment", header(flags: 8 | 16, Array("t.csv\0why\0".utf8), of: data), text),
            ("text flag", header(flags: 1, [], of: data), text),
            ("a row over two members", Data(Array("lat,l".utf8).gzipped() + Array("on\n1,2\n".utf8).gzipped()), text),
            ("empty members", (0..<300).reduce(into: data) { all, _ in all += empty } + data, text + text),
            ("no content", empty, ""),
            ("one byte of the magic", Data([0x1f]), "\u{1f}"),
        ]
        for (name, data, text) in readable {
            let content = try bytes(data)
            #expect(content == Array(text.utf8), "\(name)")
        }
        let (early, behind) = ("gzip data ends too early", "bytes follow the end of the gzip data")
        func corrupt(_ problem: String) -> String { "gzip data is corrupt (\(problem))" }
        var flipped = data
        flipped[data.count - 6] ^= 1
        let refused: [(String, Data, String)] = [
            ("magic alone", data.prefix(2), early), ("header alone", data.prefix(10), early),
            ("content cut", data.prefix(15), early),
            ("trailer cut", data.dropLast(), early), ("second member cut", data + data.dropLast(3), early),
            ("second member's magic alone", data + data.prefix(2), early),
            ("a name without end", header(flags: 8, Array("abc".utf8), of: Data()), early),
            ("another method", Data([0x1f, 0x8b, 7]) + data.dropFirst(3), corrupt("unknown compression method")),
            ("reserved flags", header(flags: 0xe0, [], of: data), corrupt("unknown header flags set")),
            ("wrong checksum of the header", header(flags: 2, [0, 0], of: data), corrupt("header crc mismatch")),
            ("wrong checksum", flipped, corrupt("incorrect data check")),
            ("a block of no kind", Data(data.prefix(10)) + Data([0x07]), corrupt("invalid block type")),
            ("zeros behind", data + Data(count: 512), behind), ("half a magic behind", data + Data([0x1f]), behind),
            ("text behind", data + Data("1,2\n".utf8), behind),
        ]
        for (name, data, problem) in refused {
            let error = #expect(throws: InputError.self, "\(name)") { try bytes(data) }
            #expect(error?.kind == .badData && error?.description.hasSuffix("t.csv: \(problem)") == true, "\(name)")
        }
    }

    @Test func `few bytes of gzip data may not inflate to very many`() throws {
        let bomb = [UInt8](repeating: 0x20, count: 10_000_000).gzipped()
        let region = MappedRegion(copying: bomb)
        let spool = try SpoolFile(for: "t.csv.gz")
        #expect(
            throws: InputError(
                .badData, in: "t.csv.gz",
                "\(bomb.count) bytes of gzip data expand to more than 3000000 bytes, the limit for this size; "
                    + "if that is intended, decompress the file first")
        ) { try spool.inflate(region, limitBytes: 3_000_000) }
        #expect(try spool.map().bytes.count <= 3_000_000)

        // Limited not by gzip's lowest compression but by its highest.
        #expect(InputLimits.inflatedBytes(from: bomb.count) == 1 << 30)
        #expect(InputLimits.inflatedBytes(from: 10 << 20) == 8_000 << 20)
        #expect(InputLimits.inflatedBytes(from: 1 << 40) == 256 << 30)
    }

    @Test func `a pipe is read to its end`() throws {
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let content = Data(String(repeating: "7,8\n", count: 100_000).utf8)
        let writer = Thread {
            let handle = FileHandle(forWritingAtPath: path)
            try? handle?.write(contentsOf: content)
            try? handle?.close()
        }
        writer.start()
        let read = try copy(of: InputBytes(path: path))
        #expect(read == Array(content))
    }

    @Test(arguments: [true, false])
    func `text in UTF-16 is read as UTF-8`(isBigEndian: Bool) throws {
        let encoding = isBigEndian ? String.Encoding.utf16BigEndian : .utf16LittleEndian
        let mark = Data(isBigEndian ? [0xfe, 0xff] : [0xff, 0xfe])
        // Scalars of every length, also on both sides of a step, and those next to the surrogates.
        let text = String(
            repeating: "n,lat\r\nZ\u{0}\u{7f}\u{80}ürich \u{7ff}\u{800}東\u{d7ff}\u{e000}\u{ffff}"
                + "\u{10000}🗼\u{10ffff}\u{feff}", count: 6_007)
        let content = mark + (try #require(text.data(using: encoding)))
        for data in [content, try gzip(content)] {
            let read = try bytes(data)
            #expect(read == Array(text.utf8))
        }
        #expect(try bytes(mark).isEmpty)
    }

    @Test(arguments: [
        ([0x61, 0x0a, 0x0a, 0xd800], 0, ":3: text in UTF-16 has half of a surrogate pair, expected whole characters"),
        ([0x61, 0x0a, 0xdc00, 0x61], 0, ":2: text in UTF-16 has half of a surrogate pair, expected whole characters"),
        ([0xd800, 0xd800, 0xdc00], 0, ":1: text in UTF-16 has half of a surrogate pair, expected whole characters"),
        ([0x61, 0x0d, 0x62], 1, ":2: text in UTF-16 has half of a character at its end, expected whole characters"),
    ])
    func `damaged UTF-16 is bad data`(units: [UInt16], cut: Int, problem: String) throws {
        let data = Data(([0xfeff] + units).flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }.dropLast(cut))
        let error = #expect(throws: InputError.self) { try bytes(data) }
        #expect(error?.kind == .badData)
        #expect(error?.description == folder.path("t.csv") + problem)
    }

    /// Reads what a thread writes into a pipe until the reader is gone.
    private func readStream(
        _ beginning: String, endlessly piece: String, _ encoding: String.Encoding = .utf8
    ) throws -> Int {
        signal(SIGPIPE, SIG_IGN)
        // A path of its own, or the writer of a stream before may go on in this one.
        let path = folder.path("stream \(UUID())")
        #expect(mkfifo(path, 0o600) == 0)
        Thread.detachNewThread {
            guard let handle = FileHandle(forWritingAtPath: path) else { return }
            guard let piece = String(repeating: piece, count: 1 << 16 / piece.utf8.count).data(using: encoding),
                let beginning = beginning.data(using: encoding), (try? handle.write(contentsOf: beginning)) != nil
            else { return }
            for _ in 0..<(40 << 20 / piece.count) {
                guard (try? handle.write(contentsOf: piece)) != nil else { return }
            }
        }
        return try InputBytes(path: path).bytes.count
    }

    @Test func `a stream without the end of a row stops at the limit of a row`() throws {
        let collection = #"{"type":"FeatureCollection","features":["#
        for (beginning, piece) in [
            ("", "y"), ("lat,lon\n", "\0"), ("\n\nlat,lon\r1,2\r", "}"), (collection + #"{"a":""#, "y\n"),
            ("[{", "[\n"), ("\u{feff}lat,lon\n", "}"), ("é[m],lat,lon\n", "}"),
        ] {
            let error = #expect(throws: InputError.self) { try readStream(beginning, endlessly: piece) }
            #expect(error?.kind == .badData)
            #expect(error?.description.hasSuffix("without the end of a row, expected at most 16777216") == true)
        }
        // These do end.
        for (beginning, piece) in [
            ("lat,lon\n", "1,2\n"), ("lat,lon\r", "1,2\r"), (" " + collection, GeoJSONText.feature() + ","),
        ] {
            #expect(try readStream(beginning, endlessly: piece) > 35 << 20)
        }
        for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
            let read = try readStream("\u{feff}" + collection, endlessly: GeoJSONText.feature() + ",", encoding)
            #expect(read > 18 << 20)
        }
    }

    @Test func `gzip data without the end of a row stop at the limit of a row`() throws {
        for start in ["", "lat,lon\n1,2\n", #"{"type":"FeatureCollection","features":[{"a":""#] {
            let spool = try SpoolFile(for: "t.csv.gz")
            let compressed = (Array(start.utf8) + [UInt8](repeating: UInt8(ascii: "y"), count: 40 << 20)).gzipped()
            let error = #expect(throws: InputError.self) {
                try spool.inflate(MappedRegion(copying: compressed), limitBytes: 1 << 30)
            }
            #expect(error?.description.hasSuffix("without the end of a row, expected at most 16777216") == true)
            #expect(try spool.map().bytes.count < 18 << 20)
        }
    }

    @Test func `a web address is no file but has a cure`() {
        let error = #expect(throws: InputError.self) { try InputBytes(path: "https://example.org/a.csv?b=1&c") }
        #expect(error?.kind == .missing)
        #expect(
            error?.problem.description == "is a web address, expected a file; download it: "
                + "curl -fL 'https://example.org/a.csv?b=1&c'")
    }

    @Test(arguments: ["rewritten", "appended to", "cut"])
    func `an input that is changed is noticed and one that is replaced may be`(how: String) throws {
        let path = folder.path("t.csv")
        let (first, second) = (Data("lat,lon\n1,2\n3,4\n".utf8), Data("lat,lon\n".utf8))
        try first.write(to: URL(fileURLWithPath: path))
        // Some systems take the time from a slow clock.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
        let input = try InputBytes(path: path)
        try input.requireUnchanged()
        // Another file of the same name.
        try second.write(to: URL(fileURLWithPath: path + "2"))
        #expect(rename(path, path + "1") == 0 && rename(path + "2", path) == 0)
        try input.requireUnchanged()
        // Another name, another owner's wishes: not the content.
        #expect(rename(path + "1", path) == 0 && chmod(path, 0o640) == 0)
        try input.requireUnchanged()
        let handle = try #require(FileHandle(forWritingAtPath: path))
        switch how {
        case "rewritten": try handle.write(contentsOf: Data("lat,lon\n1,2\n3,5\n".utf8))
        case "cut": try handle.truncate(atOffset: UInt64(first.count - 1))
        default:
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("5,6\n".utf8))
        }
        let error = #expect(throws: InputError.self) { try input.requireUnchanged() }
        #expect(error?.kind == .unreadable && error?.description.hasPrefix("\(path): was changed by") == true)
    }

    @Test func `a directory and a missing file are missing`() throws {
        for path in [folder.path, folder.path + "/none.csv"] {
            let error = #expect(throws: InputError.self) { try InputBytes(path: path) }
            #expect(error?.kind == .missing)
        }
    }
}
