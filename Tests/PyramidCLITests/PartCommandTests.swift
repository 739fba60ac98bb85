import Foundation
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

/// `schema`, `build --part` and `join`, as programs.
@Suite(.tags(.slow)) struct PartCommandTests {
    private static let tiles = ["1/0/0", "1/1/0", "1/0/1", "1/1/1"]
    private static let rows = (0..<200).map { index in
        feature(index, longitude: index * 7919 % 359 - 179, latitude: index * 613 % 160 - 80)
    }
    private static let zooms = ["--max-zoom", "6"]
    private static let options = zooms + ["--accumulate-attribute", "n:sum", "--count-by", "kind"]

    private let folder: TemporaryFolder
    private let input: String
    private let schema: String

    init() throws {
        folder = try TemporaryFolder()
        input = try folder.file("points.ndjson", PartCommandTests.rows.joined())
        let outcome = try CommandLineProgram.run(["schema", input])
        try #require(outcome.exitCode == 0)
        schema = try folder.file("schema.json", outcome.standardOutput)
    }

    private static func feature(_ index: Int, longitude: Int, latitude: Int) -> String {
        #"{"type":"Feature","id":\#(index),"geometry":{"type":"Point","coordinates":[\#(longitude).5,\#(latitude).25]},"#
            + #""properties":{"n":\#(index % 7),"kind":"\#(index % 3)"}}"# + "\n"
    }

    /// Builds a part.
    private func build(
        _ tile: String, name: String? = nil, input: String? = nil, cutZoom: Int = 2, standardInput: Data = Data(),
        _ options: [String] = options
    ) throws -> (path: String, outcome: CommandLineProgram.Outcome) {
        let path = folder.path(name ?? "part-" + tile.replacing("/", with: "-"))
        let outcome = try CommandLineProgram.run(
            ["build", input ?? self.input, path, "--part", tile, "--cut-zoom", "\(cutZoom)", "--schema", schema]
                + options, input: standardInput)
        return (path, outcome)
    }

    private func buildAll(_ options: [String] = options) throws -> [String] {
        try PartCommandTests.tiles.map { tile in
            let (path, outcome) = try build(tile, options)
            try #require(outcome.exitCode == 0, "\(outcome.standardError)")
            return path
        }
    }

    private func join(_ parts: [String], _ options: String...) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(["join"] + parts + [folder.path("out")] + options)
    }

    private func output() throws -> [String: Data] { try fileTree(at: folder.path("out"), listsDirectories: true) }

    @Test(arguments: [
        ("out", []), ("out", ["--format", "mvt"]), ("out", ["--bundle", "16", "--name", "a b"]),
        ("out.pmtiles", ["--format", "geojson"]), ("out.pmtiles", ["--format", "mvt"]),
    ])
    func `parts joined in another order are one build`(output: String, options: [String]) throws {
        let all = PartCommandTests.options + options
        let (whole, joined) = (folder.path("whole-" + output), folder.path(output))
        let build = try CommandLineProgram.run(["build", input, whole] + all)
        #expect(build.exitCode == 0)
        let parts = try buildAll(all)
        let outcome = try CommandLineProgram.run(["join", parts[2], parts[0], parts[3], parts[1], joined])
        #expect(outcome.exitCode == 0)
        #expect(outcome.standardOutput.isEmpty)
        #expect(outcome.standardError.contains("200 read, 200 accepted, 0 skipped"))
        let largest = build.standardError.split(separator: "\n").first { $0.hasPrefix("largest ") }
        #expect(outcome.standardError.contains(try #require(largest)))
        #expect(try CommandLineProgram.run(["diff", whole, joined]).exitCode == 0)
        #expect(try CommandLineProgram.run(["verify", joined]).exitCode == 0)
    }

    @Test func `joining once more writes nothing, and the page is that of build`() throws {
        let parts = try buildAll()
        #expect(try join(parts, "--preview").exitCode == 0)
        let again = try join(parts, "--preview", "--json", "--quiet")
        #expect(again.standardOutput.contains(#""written" : 0"#))
        let whole = folder.path("whole")
        let build = ["build", input, whole, "--preview"] + PartCommandTests.options
        #expect(try CommandLineProgram.run(build).exitCode == 0)
        let found = try #require(try output()["index.html"])
        #expect(found == FileManager.default.contents(atPath: whole + "/index.html"))
    }

    @Test func `a part from standard input ends with its figures`() throws {
        let bad = Data((PartCommandTests.rows.joined() + #"{"type":"Feature"}"# + "\n[3]\n").utf8)
        let (_, outcome) = try build(
            "1/0/0", input: "-", standardInput: bad, PartCommandTests.options + ["--json"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.standardError.contains("1/0/0, zooms from 3"))
        #expect(outcome.standardError.contains("2 skipped"))
        let json = try outcome.json()
        let rows = try #require(json["input"] as? [String: Any])
        let accepted = try #require(rows["rows_accepted"] as? Int)
        #expect(rows["rows_read"] as? Int == accepted + 2)
        #expect(accepted > 20 && accepted + (json["halo_rows"] as? Int ?? 0) <= 200)
        #expect(json["part"] as? String == "1/0/0")
        // Another part doesn't count them.
        let other = try build("1/1/1", input: "-", standardInput: bad, PartCommandTests.options + ["--strict"])
        #expect(other.outcome.exitCode == 0)
        #expect(other.outcome.standardError.contains("0 skipped"))
        #expect(
            try build("1/0/0", input: "-", standardInput: bad, ["--max-zoom", "6", "--strict"]).outcome.exitCode == 65)
    }

    @Test func `parts that don't fit are named, and the output is as it was`() throws {
        let old = try folder.file("old.csv", "lat,lon\n1,2\n-30,70\n")
        #expect(try CommandLineProgram.run(["build", old, folder.path("out"), "--max-zoom", "3"]).exitCode == 0)
        let before = try output()
        let parts = try buildAll()
        func expect(_ code: Int32, _ words: String, _ parts: [String]) throws {
            let outcome = try join(parts)
            #expect(outcome.exitCode == code)
            #expect(outcome.standardError.contains(words) && outcome.standardError.hasPrefix("error: "))
            #expect(try output() == before)
        }
        try expect(66, "part 1/0/1: is missing", [parts[0], parts[1], parts[3]])
        try expect(66, "part 1/1/1: is missing", Array(parts.dropLast()))
        try expect(66, "nowhere", Array(parts.dropLast()) + [folder.path("nowhere")])
        try expect(65, "\(parts[2]): is given twice", parts + [parts[2]])
        let double = try build("1/1/0", name: "double").path
        try expect(65, "is part 1/1/0, which overlaps", parts + [double])
        let inner = try build("2/0/0", name: "inner").path
        try expect(65, "is part 2/0/0, which overlaps \(parts[0]), part 1/0/0", parts + [inner])
        try expect(65, "\(input): is not a part", Array(parts.dropLast()) + [input])

        let bytes = try Data(contentsOf: URL(fileURLWithPath: parts[3]))
        let last = folder.path("part-1-1-1")
        try bytes.dropLast(5).write(to: URL(fileURLWithPath: last))
        try expect(65, "\(last): is cut off", parts)
        var altered = bytes
        altered[bytes.count / 3] ^= 4
        try altered.write(to: URL(fileURLWithPath: last))
        try expect(65, "\(last): is damaged", parts)

        _ = try build("1/1/1", PartCommandTests.options + ["--cluster-distance", "50"])
        try expect(65, "\(last): was built with another clusterDistance (40, 50) than", parts)
        _ = try build("1/1/1", cutZoom: 3)
        try expect(65, "\(last): was built with another cut zoom (2, 3) than", parts)
        _ = try build("1/1/1", PartCommandTests.zooms)
        try expect(65, "\(last): was built with another accumulate (", parts)
        let columns = try String(contentsOfFile: schema, encoding: .utf8)
        _ = try folder.file("schema.json", columns.replacing(#""string""#, with: #""string", "number""#))
        _ = try build("1/1/1")
        try expect(65, "\(last): was built with another schema than", parts)

        try bytes.write(to: URL(fileURLWithPath: last))
        let forgotten = try CommandLineProgram.run(["join"] + parts)
        #expect(forgotten.exitCode == 73 && forgotten.standardError.contains("\(last): is a part, expected the output"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: last)) == bytes)
        #expect(try join(parts).exitCode == 0)
        #expect(try output() != before)
    }

    @Test(arguments: ["out", "out.pmtiles"])
    func `a join that needs more memory than it may is refused`(output: String) throws {
        let parts = try buildAll(PartCommandTests.options + ["--format", "mvt"])
        let join = ["join"] + parts + [folder.path(output)]
        let refused = try CommandLineProgram.run(join + ["--memory-limit", "12k"])
        #expect(refused.exitCode == 71, "\(refused.standardError)")
        let words = " MiB of memory, --memory-limit is 12 KiB; build the parts with a lower --cut-zoom, raise the limit"
        #expect(refused.standardError.contains(words), "\(refused.standardError)")
        #expect(!FileManager.default.fileExists(atPath: folder.path(output)))
        #expect(try CommandLineProgram.run(join + ["--memory-limit", "1G"]).exitCode == 0)
    }

    @Test func `a part of other rows than its neighbours is found`() throws {
        // A cluster of three points on both sides of the border, whose place is that of the two in the west.
        let west = (1...2).map { _ in PartCommandTests.feature(5, longitude: -1, latitude: 40) }.joined()
        let east = PartCommandTests.feature(6, longitude: 0, latitude: 40)
        // The part in the east lacks its point, so there is one too many in the cluster; or that in the west does, and it
        // is in no marker.
        for (rowsOfWest, rowsOfEast) in [(west + east, west), (west, west + east)] {
            var parts: [String] = []
            for (tile, rows) in zip(PartCommandTests.tiles, [rowsOfWest, rowsOfEast, west + east, west + east]) {
                let input = try folder.file("rows.ndjson", rows.replacing(#""id":5,"#, with: ""))
                parts.append(try build(tile, input: input, PartCommandTests.zooms).path)
            }
            let outcome = try join(parts)
            #expect(outcome.exitCode == 65)
            #expect(outcome.standardError.contains("the input changed between the parts; build all of them again"))
        }
    }

    @Test(arguments: [
        (["--max-zoom", "auto"], "--max-zoom with a number"),
        (["--preview"], "--preview can't be used with --part"),
        (["--types", "n:number"], "--types can't be used with --part"),
        (["--cluster-maxzoom", "2"], "--cut-zoom is 2, expected 0 to 1"),
        (["--min-zoom", "3"], "--cut-zoom is 2, expected 3, lower than the last zoom with clusters"),
    ])
    func `options that parts can't have are refused with the reason`(options: [String], words: String) throws {
        let zooms = options.contains("--max-zoom") ? [] : ["--max-zoom", "5"]
        let outcome = try build("1/0/0", zooms + options).outcome
        #expect(outcome.exitCode == 64)
        #expect(outcome.standardError.contains(words))
    }

    @Test func `what a part needs is said`() throws {
        func expect(_ code: Int32, _ words: String, _ arguments: [String]) throws {
            let outcome = try CommandLineProgram.run(["build"] + arguments + PartCommandTests.zooms)
            #expect(outcome.exitCode == code)
            #expect(outcome.standardError.contains(words))
        }
        let part = folder.path("part")
        try expect(64, "--part needs --cut-zoom", [input, part, "--part", "1/0/0", "--schema", schema])
        try expect(64, "--cut-zoom needs --part", [input, part, "--cut-zoom", "2"])
        try expect(64, "--part needs --schema FILE; make", [input, part, "--part", "1/0/0", "--cut-zoom", "2"])
        let usual = ["--part", "1/0/0", "--cut-zoom", "2", "--schema"]
        try expect(64, "--part can't be used with .pmtiles output", [input, part + ".pmtiles"] + usual + [schema])
        try expect(64, "found \"1/2/0\", expected a tile", [input, part, "--part", "1/2/0"])
        try expect(66, "nowhere.json", [input, part] + usual + [folder.path("nowhere.json")])
        try expect(65, "is no schema of version 1", [input, part] + usual + [input])
        let csv = try folder.file("points.csv", "lat,lon\n1,2\n")
        try expect(64, "is not GeoJSON, which --schema and parts need; convert it", [csv, part] + usual + [schema])
        let other = try folder.file(
            "other.ndjson",
            #"{"type":"Feature","geometry":null,"properties":{"#
                + "}}\n" + PartCommandTests.feature(9, longitude: 0, latitude: 0).replacing("kind", with: "sort"))
        try expect(65, "the property \"sort\" is missing from the schema", [other, part] + usual + [schema])
        // A file of somebody else's is not replaced.
        try expect(73, "is not a part", [input, input] + usual + [schema])
        #expect(!FileManager.default.fileExists(atPath: part))
    }

    @Test func `a part is no tileset, and that is said`() throws {
        let (part, outcome) = try build("1/0/0")
        #expect(outcome.exitCode == 0)
        for arguments in [["verify", part], ["show", part], ["diff", part, part]] {
            let outcome = try CommandLineProgram.run(arguments)
            #expect(outcome.exitCode > 1)
            #expect(outcome.standardError.contains("\(part): is a part of a tileset, expected the tileset joined"))
        }
    }

    @Test func `a part without rows is a part`() throws {
        let (path, outcome) = try build("0/0/0", input: "-", PartCommandTests.options)
        #expect(outcome.exitCode == 0)
        // Joined, nothing is there, which is an error as for build.
        #expect(try join([path]).exitCode == 65)
    }

    @Test func `the schema says the types of all columns, whatever the order of the rows`() throws {
        let first = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"a":1,"b":null}}"#
        let second =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"a":"x","ä":[true]}}"#
        let bad = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,92]},"properties":{"c":1}}"#
        let files = [
            try folder.file("first.ndjson", first + "\n" + second + "\n" + bad + "\n"),
            try folder.file("second.ndjson", bad + "\n" + second + "\n" + first + "\n"),
        ]
        let outputs = try files.map { try CommandLineProgram.run(["schema", $0]) }
        #expect(outputs[0].standardOutput == outputs[1].standardOutput)
        let columns = try #require(outputs[0].json()["columns"] as? [[String: Any]])
        #expect(columns.map { $0["name"] as? String } == ["a", "b", "ä"])
        #expect(columns.map { $0["types"] as? [String] } == [["number", "string"], [], ["nested"]])

        let csv = try folder.file("points.csv", "lat,lon\n1,2\n")
        let refused = try CommandLineProgram.run(["schema", csv])
        #expect(refused.exitCode == 64 && refused.standardError.contains("ogr2ogr"))
        let useless = try CommandLineProgram.run(["schema", try folder.file("bad.ndjson", bad + "\n")])
        #expect(useless.exitCode == 65 && useless.standardError.contains("has no usable row"))
        #expect(try CommandLineProgram.run(["schema", folder.path("nowhere")]).exitCode == 66)
    }

    @Test func `a build with a schema is the build without`() throws {
        let (plain, given) = (folder.path("plain"), folder.path("given"))
        #expect(try CommandLineProgram.run(["build", input, plain] + PartCommandTests.options).exitCode == 0)
        #expect(
            try CommandLineProgram.run(["build", input, given, "--schema", schema] + PartCommandTests.options).exitCode
                == 0)
        #expect(try CommandLineProgram.run(["diff", plain, given]).exitCode == 0)
    }
}
