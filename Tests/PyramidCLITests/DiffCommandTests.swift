import Foundation
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@Suite(.tags(.slow)) struct DiffCommandTests {
    /// Two pyramids "old" and "new" that differ in one name, with options for the second.
    private func pyramids(_ options: [String] = []) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let old = try folder.file("old.csv", threeCities)
        let new = try folder.file("new.csv", threeCities.replacing("Lautoka", with: "Latouka"))
        for (input, name, more) in [(old, "old", []), (new, "new", options)] {
            let outcome = try CommandLineProgram.run(
                ["build", input, folder.path(name), "--max-zoom", "5", "--quiet"] + more)
            try #require(outcome.exitCode == 0)
        }
        return folder
    }

    /// The tiles that hold the point that was renamed, which is clustered up to zoom 4.
    private static let changed = ["tiles/5/31/17.json"]

    @Test func `files that changed are lines, and the exit code is 1`() throws {
        let folder = try pyramids()
        let outcome = try CommandLineProgram.run(["diff", folder.path("old"), folder.path("new")])
        #expect(outcome.exitCode == 1)
        let lines = outcome.standardOutput.split(separator: "\n").map(String.init)
        #expect(lines == DiffCommandTests.changed.map { "M " + $0 } + ["M files.tsv", "M manifest.json"])
        #expect(outcome.standardError.contains("0 added, 3 changed, 0 removed"))

        let lists = try CommandLineProgram.run(
            ["diff", folder.path("old") + "/files.tsv", folder.path("new") + "/manifest.json", "--quiet"])
        #expect(lists.exitCode == 1 && lists.standardError.isEmpty)
        #expect(lists.standardOutput == DiffCommandTests.changed.map { "M \($0)\n" }.joined())
    }

    @Test func `equal pyramids print nothing and exit with 0`() throws {
        let folder = try pyramids()
        let outcome = try CommandLineProgram.run(["diff", folder.path("old"), folder.path("old")])
        #expect(outcome.exitCode == 0 && outcome.standardOutput.isEmpty)
        #expect(outcome.standardError.contains("no differences"))
    }

    @Test func `changes are one JSON object`() throws {
        let folder = try pyramids(["--min-zoom", "1"])
        let outcome = try CommandLineProgram.run(["diff", folder.path("old"), folder.path("new"), "--json"])
        #expect(outcome.exitCode == 1)
        let json = try JSONDecoder().decode([String: [String]].self, from: Data(outcome.standardOutput.utf8))
        #expect(json["added"] == [])
        #expect(json["removed"] == ["tiles/0/0/0.json"])
        #expect(json["changed"] == DiffCommandTests.changed + ["files.tsv", "manifest.json", "tilejson.json"])
    }

    @Test func `bundles are files like tiles, also where only one pyramid has them`() throws {
        let folder = try pyramids(["--bundle", "2", "--base-url", "https://cdn.example.org/a"])
        let both = [folder.path("old"), folder.path("new")]
        let outcome = try CommandLineProgram.run(["diff"] + both + ["--json", "--quiet"])
        let json = try JSONDecoder().decode([String: [String]].self, from: Data(outcome.standardOutput.utf8))
        let paths = try DirectoryTileset(path: both[1]).fileList()[.bundle].map { "\($0.address).json" }
        try #require(!paths.isEmpty)
        #expect(json["added"] == paths)
        let urls = try CommandLineProgram.run(["diff"] + both + ["--urls", "--quiet"])
        for path in paths { #expect(urls.standardOutput.contains("https://cdn.example.org/a/\(path)\n")) }
        let back = try CommandLineProgram.run(["diff"] + both.reversed() + ["--quiet"])
        for path in paths { #expect(back.standardOutput.contains("D \(path)\n")) }
    }

    @Test func `URLs are those of the new TileJSON, or of the option`() throws {
        let folder = try pyramids(["--base-url", "https://cdn.example.org/a"])
        let both = [folder.path("old"), folder.path("new")]
        let outcome = try CommandLineProgram.run(["diff"] + both + ["--urls"])
        #expect(outcome.exitCode == 1)
        #expect(outcome.standardOutput.hasPrefix("https://cdn.example.org/a/\(DiffCommandTests.changed[0])\n"))
        let other = try CommandLineProgram.run(["diff"] + both + ["--urls", "--base-url", "http://localhost:8080/b/"])
        #expect(other.standardOutput.hasPrefix("http://localhost:8080/b/\(DiffCommandTests.changed[0])\n"))
        let none = try CommandLineProgram.run(["diff"] + both.reversed() + ["--urls"])
        #expect(none.exitCode == 64)
        #expect(none.standardError.contains("--base-url"))
    }

    @Test func `what is missing or damaged is said, with the exit codes of the house`() throws {
        let folder = try pyramids()
        let missing = try CommandLineProgram.run(["diff", folder.path("nothing"), folder.path("new")])
        #expect(missing.exitCode == 66 && missing.standardError.contains("nothing: no such file or directory"))
        let damaged = try folder.file("damaged.tsv", "tile\tbytes\n")
        let outcome = try CommandLineProgram.run(["diff", folder.path("old"), damaged])
        #expect(outcome.exitCode == 65 && outcome.standardError.contains("damaged.tsv: line 1 is not the header"))
    }
}
