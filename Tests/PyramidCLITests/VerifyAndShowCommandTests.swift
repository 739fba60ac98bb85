import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct VerifyAndShowCommandTests {
    private static let cities = """
        name,lat,lon,note
        Suva,-18.1416,178.4419,"a ""quoted"" word"
        Lautoka,-17.6100,177.4500,007
        Reykjavík,64.1466,-21.9426,

        """

    private let folder: TemporaryFolder
    private let input: String
    /// A tileset of the cities.
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        input = try folder.file("cities.csv", VerifyAndShowCommandTests.cities)
        path = folder.path("out")
        try #require(try CommandLineProgram.run(["build", input, path, "--max-zoom", "5", "--quiet"]).exitCode == 0)
    }

    @Test func `a sound pyramid prints nothing on standard output`() throws {
        let outcome = try CommandLineProgram.run(["verify", path])
        #expect(outcome.exitCode == 0 && outcome.standardOutput.isEmpty)
        #expect(outcome.standardError.contains("3 points at every zoom"))
    }

    /// Values that are none, and points around the globe, whose mean is anywhere.
    @Test(arguments: [
        (
            "e.json",
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[10,20]},"properties":{"a":"x"}}"# + "\n"
                + #"{"type":"Feature","geometry":{"type":"Point","coordinates":[100,-20]},"properties":{"a":""}}"#,
            ["--accumulate-attribute", "a:count"]
        ),
        (
            "box.csv", "lon,lat\n-98.974243,13.389683\n109.212047,4.192924\n-21.819677,-61.483171\n",
            ["--position", "centroid", "--cluster-distance", "256"]
        ),
    ])
    func `what a build makes is sound`(name: String, rows: String, options: [String]) throws {
        let (input, out) = (try folder.file(name, rows), folder.path("other"))
        try #require(try CommandLineProgram.run(["build", input, out, "--max-zoom", "4"] + options).exitCode == 0)
        let outcome = try CommandLineProgram.run(["verify", out, input])
        #expect(outcome.exitCode == 0, "\(outcome.standardOutput)")
    }

    @Test func `a pyramid is compared with its input, wherever that is now`() throws {
        var rows = VerifyAndShowCommandTests.cities.split(separator: "\n").map(String.init)
        let moved = try folder.file(
            "moved/places.csv", ([rows[0]] + rows.dropFirst().reversed()).joined(separator: "\n"))
        let same = try CommandLineProgram.run(["verify", path, moved, "--jobs", "1", "--memory-limit", "900M"])
        #expect(same.exitCode == 0 && same.standardOutput.isEmpty, "\(same.standardError)")
        #expect(same.standardError.contains("sound, and what its input makes: "))

        rows[1].replace("Suva", with: "Sofia")
        let other = try folder.file("other.csv", rows.joined(separator: "\n"))
        let outcome = try CommandLineProgram.run(["verify", path, other, "--quiet"])
        #expect(outcome.exitCode == 1 && outcome.standardError.isEmpty)
        let lines = outcome.standardOutput.split(separator: "\n")
        #expect(lines[0] == "the input has changed since the build, though it still has 3 rows")
        #expect(lines[1].hasPrefix("manifest.json: input.digest is "))
        #expect(
            lines.contains(
                #"tiles/5/31/17.json: features[1].properties.name is "Suva", expected "Sofia" (input)"#), "\(lines)")
        let json = try CommandLineProgram.run(["verify", path, other, "--json"])
        let report = try json.json()
        #expect((report["finding_counts"] as? [String: Int]) == [:])
        let ofInput = try #require(report["input"] as? [String: Any])
        #expect(((ofInput["difference_counts"] as? [String: Int])?["wrongTile"] ?? 0) > 0)

        let standardInput = try CommandLineProgram.run(
            ["verify", path, "-"], input: Data(VerifyAndShowCommandTests.cities.utf8))
        #expect(standardInput.exitCode == 0)
    }

    @Test func `findings that aren't listed are counted`() throws {
        func rows(_ name: String) -> String {
            "name,lat,lon\n" + (0..<60).map { "\(name)\($0),\($0 - 20),\($0 * 37 % 300 - 150)\n" }.joined()
        }
        let path = folder.path("numbered")
        let build = ["build", try folder.file("a.csv", rows("a")), path, "--max-zoom", "10", "--quiet"]
        try #require(try CommandLineProgram.run(build).exitCode == 0)
        let other = try folder.file("b.csv", rows("b"))
        for (options, most) in [([], 10), (["--all"], 1000)] {
            let outcome = try CommandLineProgram.run(["verify", path, other] + options)
            #expect(outcome.exitCode == 1)
            let counts = try #require(
                outcome.standardError.firstMatch(of: /([0-9,]+) findings, of which ([0-9,]+) are not listed/)?.output)
            let numbers = [counts.1, counts.2].compactMap { Int($0.replacing(",", with: "")) }
            // One more line says why.
            let listed = outcome.standardOutput.split(separator: "\n").count - 1
            #expect(numbers[0] - numbers[1] == listed)
            #expect(most == 10 ? listed == 10 : listed > 100)
            #expect(outcome.standardError.contains("--all lists more") == options.isEmpty)
        }
    }

    @Test func `inputs and schemas that don't fit are refused`() throws {
        let schema = try folder.file("schema.json", #"{"columns":[],"version":1}"#)
        for (arguments, exitCode, message) in [
            ([folder.path("nothing.csv")], 66, "nothing.csv: "), ([input, "--schema", input], 65, "is no schema"),
            ([input, "--schema", schema], 64, "--schema"),
            (["--schema", schema], 64, "--schema needs an input"), (["-", "-"], 64, "only once"),
        ] as [([String], Int32, String)] {
            let outcome = try CommandLineProgram.run(["verify", path] + arguments)
            #expect(outcome.exitCode == exitCode && outcome.standardError.contains(message), "\(outcome.standardError)")
        }
        // What can't be compared is reported as without an input.
        try FileManager.default.removeItem(atPath: path + "/files.tsv")
        let damaged = try CommandLineProgram.run(["verify", path, input])
        #expect(damaged.exitCode == 1 && damaged.standardOutput == "files.tsv: is missing\n", "\(damaged)")
        #expect(damaged.standardError.contains("not compared with the input"))
    }

    @Test func `MVT tiles are built, verified with what can't be proved, and shown as GeoJSON`() throws {
        let build = ["build", input, path, "--max-zoom", "5", "--quiet", "--format", "mvt"]
        #expect(try CommandLineProgram.run(build).exitCode == 0)
        let verified = try CommandLineProgram.run(["verify", path])
        #expect(verified.exitCode == 0 && verified.standardOutput.isEmpty)
        #expect(verified.standardError.contains("sound: "))
        #expect(verified.standardError.contains("not verified in MVT without the input: "))
        let shown = try CommandLineProgram.run(["show", path, "5/31/17"])
        #expect(shown.standardOutput.contains(#""note": "a \"quoted\" word""#))
        let summary = try CommandLineProgram.run(["show", path])
        #expect(summary.standardOutput.contains(" as MVT") && summary.standardOutput.contains("apart (512-px tiles)"))
        for (option, refusal) in [
            ("--bundle=9", "--bundle can't be used with --format mvt")
        ] {
            let refused = try CommandLineProgram.run(build + [option])
            #expect(refused.exitCode == 64 && refused.standardError.contains(refusal), "\(refused.standardError)")
        }
    }

    @Test func `the memory limit decides how, not what is found, and wrong limits are refused`() throws {
        try FileManager.default.removeItem(atPath: path + "/tiles/5/31/17.json")
        let outcomes = try ["1", "800M", "available", "none"].map { limit in
            try CommandLineProgram.run(["verify", path, "--memory-limit", limit])
        }
        #expect(outcomes.allSatisfy { $0.exitCode == 1 && $0.standardOutput == outcomes[0].standardOutput })
        #expect(outcomes[0].standardOutput.contains("tiles/5/31/17.json: is missing"))
        let refused = try CommandLineProgram.run(["verify", path, "--memory-limit", "much"])
        #expect(refused.exitCode == 64 && refused.standardError.contains("much"))
    }

    @Test func `a folder that can't hold temporary files is an error that says what to do`() throws {
        let outcome = try CommandLineProgram.run(
            ["verify", path, "--memory-limit", "1"], environment: ["TMPDIR": folder.path("nowhere")])
        #expect(outcome.exitCode == 74 && outcome.standardOutput.isEmpty)
        #expect(outcome.standardError.contains("nowhere") && outcome.standardError.contains("set TMPDIR"))
    }

    @Test func `a damaged pyramid prints one line for each finding and exits with 1`() throws {
        try FileManager.default.removeItem(atPath: path + "/tiles/5/31/17.json")
        let outcome = try CommandLineProgram.run(["verify", path, "--quiet"])
        #expect(outcome.exitCode == 1 && outcome.standardError.isEmpty)
        #expect(outcome.standardOutput.contains("tiles/5/31/17.json: "))
        #expect(outcome.standardOutput.split(separator: "\n").allSatisfy { $0.contains(": ") })

        let json = try CommandLineProgram.run(["verify", path, "--json"])
        #expect(try json.exitCode == 1 && (json.json()["finding_counts"] as? [String: Int])?["missingTile"] == 1)
    }

    @Test func `a directory without a tileset is called that, with the tileset in it`() throws {
        for command in ["verify", "show", "serve"] {
            let missing = try CommandLineProgram.run([command, folder.path("nothing")])
            #expect(missing.exitCode == 66 && missing.standardError.contains("nothing: no such directory or archive"))
        }
        try folder.file("empty/notes.txt", "")
        for (place, words) in [(folder.path, "; the tileset is probably in out/"), (folder.path("empty"), "")] {
            for arguments in [
                ["verify", place], ["show", place], ["show", place, "5/31/17"], ["serve", place, "--port", "0"],
                ["diff", path, place], ["diff", place, path], ["publish", place, folder.path("www")],
            ] {
                let outcome = try CommandLineProgram.run(arguments)
                #expect(outcome.exitCode == 66 && outcome.standardOutput.isEmpty, "\(arguments)")
                #expect(outcome.standardError == "error: \(place): is not a tileset\(words)\n")
            }
        }
        // A tileset that has lost its manifest is still one.
        try FileManager.default.removeItem(atPath: path + "/manifest.json")
        let outcome = try CommandLineProgram.run(["verify", path])
        #expect(outcome.exitCode == 1 && outcome.standardOutput == "manifest.json: is missing\n")
    }

    @Test func `an archive that is too damaged to be opened is a finding, and another file isn't`() throws {
        let path = folder.path("cities.pmtiles")
        try #require(try CommandLineProgram.run(["build", input, path, "--max-zoom", "5", "--quiet"]).exitCode == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for (damaged, words) in [
            (bytes.dropLast(100), "the end is missing"), (bytes.prefix(60), "header"), (Data(), "header"),
        ] {
            try damaged.write(to: URL(fileURLWithPath: path))
            let outcome = try CommandLineProgram.run(["verify", path, input])
            #expect(outcome.exitCode == 1 && outcome.standardOutput.hasPrefix("header: "), "\(outcome)")
            #expect(outcome.standardOutput.contains(words) && outcome.standardError == "1 finding\n", "\(outcome)")
            let json = try CommandLineProgram.run(["verify", path, "--json"])
            #expect(json.exitCode == 1 && json.standardOutput.contains("\"damagedArchive\" : 1"))
        }
        #expect(try CommandLineProgram.run(["verify", input]).exitCode == 65)
    }

    @Test func `show prints the summary of a pyramid, and tiles on readable lines`() throws {
        let outcome = try CommandLineProgram.run(["show", path])
        #expect(outcome.exitCode == 0 && outcome.standardOutput.contains("3 of 3 rows"))
        #expect(outcome.standardOutput.contains("-21.9426, -18.1416, 178.4419, 64.1466"))
        let tile = try CommandLineProgram.run(["show", path, "5/31/17"])
        #expect(
            tile.standardOutput.contains(#""properties": {"name": "Suva", "note": "a \"quoted\" word", "parent": "#))
        #expect(try (tile.json()["features"] as? [Any])?.count == 2)
    }

    private static let fullDevice = Requirement(
        "/dev/full", isThere: FileManager.default.fileExists(atPath: "/dev/full"))

    @Test(
        .enabled(if: try fullDevice.isMet()),
        arguments: ["verify --json", "show", "show 5/31/17"])
    func `results that can't be written are a failure`(arguments: String) throws {
        var words = arguments.split(separator: " ").map(String.init)
        words.insert(path, at: 1)
        let outcome = try CommandLineProgram.run(words, outputPath: "/dev/full")
        #expect(outcome.exitCode == 74 && outcome.standardError.contains("standard output: "))
    }

    @Test func `show gives programs a summary as JSON`() throws {
        let outcome = try CommandLineProgram.run(["show", path, "--json"])
        #expect(outcome.exitCode == 0 && outcome.standardError.isEmpty)
        let json = try outcome.json()
        #expect(
            Set(json.keys) == ["bounds", "complete", "fields", "generator", "input", "max_zoom", "min_zoom", "zooms"])
        #expect(json["bounds"] as? [Double] == [-21.9426, -18.1416, 178.4419, 64.1466])
        #expect(json["complete"] as? Bool == true)
        #expect(json["min_zoom"] as? Int == 0 && json["max_zoom"] as? Int == 5)
        #expect((json["fields"] as? [String: String])?.keys.sorted() == ["name", "note"])
        #expect((json["input"] as? [String: Any])?["rows_accepted"] as? Int == 3)
        let zooms = try #require(json["zooms"] as? [[String: Any]])
        #expect(zooms.map { $0["zoom"] as? Int } == Array(0...5))
        #expect(zooms.last?["markers"] as? Int == 3)
        let tile = ["show", path, "5/31/17"]
        #expect(
            try CommandLineProgram.run(tile + ["--json"]).standardOutput
                == CommandLineProgram.run(tile).standardOutput)
    }

    @Test func `an interrupted build is called that by every command, and not damaged`() throws {
        let words =
            "a build or publish is in progress here or was interrupted; wait for it, or run it again to repair it"
        // A build over a tileset: what is there can be looked at.
        _ = try folder.file("out/.building", "")
        for arguments in [["show", path], ["show", path, "--json"], ["show", path, "5/31/17"]] {
            let outcome = try CommandLineProgram.run(arguments)
            #expect(outcome.exitCode == 0 && outcome.standardError == "warning: \(path): \(words)\n")
        }
        #expect(try CommandLineProgram.run(["show", path, "--json"]).standardOutput.contains("\"complete\" : false"))
        #expect(
            try CommandLineProgram.run(["diff", path, path, "--quiet"]).standardError
                == String(repeating: "warning: \(path): \(words)\n", count: 2))
        // A first build: there is nothing yet.
        try FileManager.default.removeItem(atPath: path + "/manifest.json")
        for arguments in [
            ["show", path], ["show", path, "--json"], ["show", path, "5/0/0"], ["serve", path, "--port", "0"],
            ["diff", path, path], ["publish", path, folder.path("www")],
        ] {
            let outcome = try CommandLineProgram.run(arguments)
            #expect(outcome.exitCode == 65 && outcome.standardError == "error: \(path): \(words)\n", "\(arguments)")
        }
        let verified = try CommandLineProgram.run(["verify", path])
        #expect(verified.exitCode == 1 && verified.standardOutput == ".building: exists: \(words)\n")
    }

    @Test func `show says where there is no tile`() throws {
        let outcome = try CommandLineProgram.run(["show", path, "5/0/0"])
        #expect(outcome.exitCode == 66 && outcome.standardOutput.isEmpty)
        #expect(outcome.standardError == "error: no tile 5/0/0: tiles without markers are not written\n")
        let higher = try CommandLineProgram.run(["show", path, "9/9/9"])
        #expect(higher.exitCode == 66 && higher.standardError == "error: no tile 9/9/9: this tileset ends at zoom 5\n")
    }
}
