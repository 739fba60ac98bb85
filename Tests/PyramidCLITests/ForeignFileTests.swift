import Foundation
import PyramidStore
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

/// Files in the output that pyramid did not write.
@Suite(.tags(.slow)) struct ForeignFileTests {
    private static let cities = """
        name,lat,lon
        Suva,-18.1416,178.4419
        Reykjavík,64.1466,-21.9426
        Ushuaia,-54.8019,-68.3030

        """

    private let folder: TemporaryFolder
    private let out: String
    private let input: String

    init() throws {
        folder = try TemporaryFolder()
        out = folder.path("out")
        input = try folder.file("cities.csv", ForeignFileTests.cities)
    }

    private func build(_ options: String...) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(["build", input, out, "--max-zoom", "4", "--quiet"] + options)
    }

    private func put(_ content: String, _ name: String) throws {
        let url = URL(fileURLWithPath: out).appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: url)
    }

    private func findings() -> [Finding] { PyramidVerifier(tileset: DirectoryTileset(path: out)).verify().findings }

    private func tiles() throws -> [TileCoordinate] {
        try DirectoryTileset(path: out).tileEntries().map(\.address)
    }

    @Test func `files that pyramid did not write outlive builds and are found`() throws {
        // Ushuaia is in 4/4/10, which goes with its row.
        var foreign = [
            "index.html": "<p>", "tiles/README.txt": "read", "tiles/4/notes.json": "{}",
            "tiles/4/4/010.json": "other digits", "tiles/9/1/photo": "a zoom that there is not",
        ]
        for (name, content) in foreign { try put(content, name) }
        let refused = try build()
        #expect(refused.exitCode == 73)
        #expect(refused.standardError.contains("holds other files (index.html, tiles)"))
        #expect(refused.standardError.contains("--force"))
        #expect(try CommandLineProgram.run(["build", input, input]).exitCode == 73)
        #expect(try fileTree(at: out) == foreign.mapValues { Data($0.utf8) })

        #expect(try build("--force").exitCode == 0)
        #expect(try tiles().contains { $0 == TileCoordinate("4/4/10") })
        try put("PNG", "tiles/4/4/10.png")
        foreign["tiles/4/4/10.png"] = "PNG"
        // Now it is a pyramid, and a build needs no force.
        _ = try folder.file(
            "cities.csv", ForeignFileTests.cities.split(separator: "\n").dropLast().joined(separator: "\n"))
        #expect(try build().exitCode == 0)
        // An interrupted build looks for tiles everywhere.
        try put("A build of this pyramid is under way, or was interrupted.\nprocess 7\n", ".building")
        #expect(findings().map(\.kind) == [.incomplete])
        #expect(try build().exitCode == 0)

        let files = try fileTree(at: out, listsDirectories: true)
        for (name, content) in foreign { #expect(files[name] == Data(content.utf8), "\(name)") }
        #expect(files["tiles/4/4/10.json"] == nil)
        #expect(files["tiles/3/2/"] == nil)
        #expect(
            Set(findings().map(\.file)) == ["tiles/README.txt", "tiles/4/notes.json", "tiles/4/4", "tiles/9"])
        #expect(findings().allSatisfy { $0.kind == .extraFile })
    }

    @Test(
        arguments: ["manifest.json", "tilejson.json", "files.tsv", ".building", "tiles", "bundles"],
        ["precious", #"{"name":"My web app"}"#])
    func `a file that stands where pyramid writes is not replaced, not even by force`(
        name: String, content: String
    ) throws {
        try put(content, name)
        for options in [[], ["--force"]] {
            let refused = try CommandLineProgram.run(["build", input, out] + options)
            #expect(refused.exitCode == 73)
            #expect(options == [] || refused.standardError.contains("out/\(name): is "))
            #expect(try fileTree(at: out, listsDirectories: true) == [name: Data(content.utf8)])
        }
    }

    @Test func `a folder that a Mac's Finder has shown is still an empty one, and a tileset stays one`() throws {
        try put("Bud1", ".DS_Store")
        #expect(try build().exitCode == 0)
        try put("Bud1", "tiles/.DS_Store")
        try put("Bud1", "tiles/4/.DS_Store")
        try put("Bud1", "tiles/4/7/.DS_Store")
        #expect(findings() == [])
        let copy = folder.path("www")
        #expect(try CommandLineProgram.run(["publish", out, copy]).exitCode == 0)
        #expect(try CommandLineProgram.run(["diff", out, copy]).exitCode == 0)
        // The folders of zoom 4 are gone with their tiles.
        #expect(try build("--max-zoom", "3").exitCode == 0)
        #expect(findings() == [])
        let files = try fileTree(at: out, listsDirectories: true)
        #expect(files["tiles/.DS_Store"] != nil && files["tiles/4/"] == nil)
    }

    /// A build that fails couldn't tell it from one of its own, even if its points don't reach this tile.
    @Test(arguments: [
        ("tiles/9/1/1.json", #"{"type":"FeatureCollection","features":[]}"#), ("tiles/4/7/4.json", "precious"),
        ("tiles/0/0/0.geojson.gz", ""), ("bundles/2/1/3.json", #"{"type":"FeatureCollection","features":[]}"#),
        ("bundles/7/77/0.json", "\u{1f}"),
    ])
    func `a file that could be a tile is refused before anything is written`(name: String, content: String) throws {
        try put("read", "tiles/README.txt")
        try put(content, name)
        let before = try fileTree(at: out, listsDirectories: true)
        let refused = try build("--force")
        #expect(refused.exitCode == 73)
        #expect(
            refused.standardError
                == "error: \(out)/\(name): may be a tile of another program; move it away or build elsewhere\n")
        #expect(try fileTree(at: out, listsDirectories: true) == before)
        try FileManager.default.removeItem(atPath: "\(out)/\(name)")
        #expect(try build("--force").exitCode == 0)
        #expect(FileManager.default.contents(atPath: out + "/tiles/README.txt") == Data("read".utf8))
    }

    @Test func `a file in the place of a tile is not replaced`() throws {
        // A build looks for what an interrupted one left.
        try put("precious", "tiles/4/7/4.json")
        try put("A build of this pyramid is under way, or was interrupted.\nprocess 7\n", ".building")
        let refused = try build()
        #expect(refused.exitCode == 74)
        #expect(
            refused.standardError
                == "error: \(out)/tiles/4/7/4.json: is a file that pyramid did not write; move it away; "
                + "\(out) is unchanged\n")
        #expect(FileManager.default.contents(atPath: out + "/tiles/4/7/4.json") == Data("precious".utf8))
        try FileManager.default.removeItem(atPath: out + "/tiles/4/7/4.json")
        #expect(try build("--force").exitCode == 0)
        #expect(findings().isEmpty)
    }

    @Test func `only tiles are taken for what an interrupted build left`() throws {
        #expect(try build().exitCode == 0)
        let clean = try fileTree(at: out, listsDirectories: true)
        // What kills and power cuts leave: nothing, zeros, the beginning of a tile, a whole one, a temporary file, a
        // directory that was to be filled or to be removed.
        let tile = try Data(contentsOf: URL(fileURLWithPath: out + "/tiles/4/7/4.json"))
        let own = [
            "1.json": Data(), "2.json": Data(count: 400), "3.json": tile.prefix(40), "4.json": tile,
            "5.json.pyramid-tmp": tile,
        ]
        try FileManager.default.createDirectory(atPath: out + "/tiles/4/6", withIntermediateDirectories: true)
        for (name, content) in own { try content.write(to: URL(fileURLWithPath: out + "/tiles/4/6/" + name)) }
        try FileManager.default.createDirectory(atPath: out + "/tiles/5/20", withIntermediateDirectories: true)
        let foreign = ["tiles/4/8/7.json": "{}", "tiles/4/8/photo.pyramid-tmp": "mine", "notes.pyramid-tmp": "mine"]
        for (name, content) in foreign { try put(content, name) }
        try put("", ".building")
        #expect(try build().exitCode == 0)
        var expected = clean
        for (name, content) in foreign { expected[name] = Data(content.utf8) }
        expected["tiles/4/8/"] = Data()
        #expect(try fileTree(at: out, listsDirectories: true) == expected)
    }

    @Test func `a build that changes nothing touches no file`() throws {
        #expect(try build().exitCode == 0)
        let names = try fileTree(at: out).keys
        func states() throws -> [String: [Int]] {
            try Dictionary(
                uniqueKeysWithValues: names.map { name in
                    var status = stat()
                    try #require(lstat(out + "/" + name, &status) == 0)
                    #if canImport(Darwin)
                        let time = status.st_mtimespec
                    #else
                        let time = status.st_mtim
                    #endif
                    return (name, [Int(status.st_ino), time.tv_sec, time.tv_nsec])
                })
        }
        let before = try states()
        #expect(before.count > 10)
        #expect(try build("--jobs", "2").exitCode == 0)
        #expect(try states() == before)
        // One row more: the tiles that it is not in keep their files.
        _ = try folder.file("cities.csv", ForeignFileTests.cities + "Lautoka,-17.6161,177.4500\n")
        #expect(try build().exitCode == 0)
        let after = try states()
        #expect(after["tiles/4/4/10.json"] == before["tiles/4/4/10.json"])
        #expect(after["tiles/4/15/8.json"] != before["tiles/4/15/8.json"])
    }
}
