import Foundation
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@Suite(.tags(.slow)) struct PublishCommandTests {
    private func pyramid(_ csv: String = threeCities, _ options: [String] = []) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", csv)
        let outcome = try CommandLineProgram.run(
            ["build", input, folder.path("out"), "--max-zoom", "5", "--quiet"] + options)
        try #require(outcome.exitCode == 0)
        return folder
    }

    @Test func `a directory is published to, and then there is nothing to do`() throws {
        let folder = try pyramid()
        let publish = ["publish", folder.path("out"), folder.path("www")]
        let first = try CommandLineProgram.run(publish)
        #expect(first.exitCode == 0 && first.standardOutput.isEmpty)
        #expect(first.standardError.contains("and 3 other files uploaded, 0 files removed"))
        #expect(try CommandLineProgram.run(["verify", folder.path("www")]).exitCode == 0)
        let second = try CommandLineProgram.run(publish)
        #expect(second.exitCode == 0 && second.standardOutput.isEmpty)
        #expect(second.standardError.contains("nothing to do"))
    }

    @Test func `bundles are published with the tiles`() throws {
        let folder = try pyramid(threeCities, ["--bundle", "2"])
        let publish = ["publish", folder.path("out"), folder.path("www")]
        let first = try CommandLineProgram.run(publish)
        let count = try DirectoryTileset(path: folder.path("out")).fileList().entries.count
        #expect(first.standardError.contains("\(count) tiles ("), "\(first.standardError)")
        #expect(try CommandLineProgram.run(["verify", folder.path("www")]).exitCode == 0)

        // The point that is renamed is in one bundle.
        let other = try pyramid(threeCities.replacing("Lautoka", with: "Latouka"), ["--bundle", "2"])
        let outcome = try CommandLineProgram.run(["publish", other.path("out"), folder.path("www"), "--json"])
        let json = try outcome.json()
        let uploaded = try #require(json["uploaded"] as? [String])
        #expect(uploaded.filter { $0.hasPrefix("bundles/") }.count == 1 && uploaded.contains("files.tsv"))
        #expect(json["tile_bytes"] as? Int ?? 0 > 0)
        #expect((json["purge"] as? [String])?.filter { $0.hasPrefix("bundles/") }.count == 1)
        #expect(try CommandLineProgram.run(["verify", folder.path("www")]).exitCode == 0)
    }

    @Test func `what changed is printed for caches, by URLs where they are known`() throws {
        let folder = try pyramid()
        _ = try CommandLineProgram.run(["publish", folder.path("out"), folder.path("www")])
        let other = try pyramid(
            threeCities.replacing("Lautoka", with: "Latouka"),
            ["--base-url", "https://cdn.example.org/a"])
        let publish = ["publish", other.path("out"), folder.path("www")]
        let dry = try CommandLineProgram.run(publish + ["--dry-run", "--quiet"])
        #expect(
            dry.standardOutput.split(separator: "\n") == [
                "upload tiles/5/31/17.json", "upload files.tsv", "upload tilejson.json", "upload manifest.json",
            ])
        let outcome = try CommandLineProgram.run(publish + ["--json"])
        #expect(outcome.exitCode == 0)
        let json = try outcome.json()
        #expect((json["uploaded"] as? [String])?.first == "tiles/5/31/17.json")
        #expect((json["purge"] as? [String])?.first == "https://cdn.example.org/a/tiles/5/31/17.json")
        #expect(json["removed"] as? [String] == [])
        let all = try CommandLineProgram.run(publish + ["--all", "--base-url", "http://localhost/b"])
        #expect(all.standardOutput.hasPrefix("http://localhost/b/tiles/0/0/0.json\n"))
    }

    @Test(arguments: [
        (["gs://bucket/a"], 64, "gs://"), (["s3://"], 73, "s3://bucket/prefix"),
        (["s3:///a"], 73, "s3://bucket/prefix"),
        (["www", "--endpoint-url", "http://localhost"], 64, "--endpoint-url"),
        (["s3://bucket", "--endpoint-url", "localhost"], 64, "\"localhost\""),
        (["s3://bucket", "--endpoint-url", "http://me:hunter2@localhost"], 64, "\"http://***@localhost\""),
        (["www", "--base-url", "https://me:hunter2@localhost/a"], 64, "\"https://***@localhost/a\""),
        (["https://me:hunter2@localhost/a?sig=hunter2"], 64, "https://***@localhost/a?sig=***: expected s3://"),
        (["www", "--cache-control", ""], 64, "--cache-control is"),
        (["www", "--cache-control", "a\nb"], 64, "--cache-control is"),
    ])
    func `destinations and options that can't be are said`(arguments: [String], code: Int32, words: String) throws {
        let folder = try pyramid()
        var arguments = arguments
        if arguments[0] == "www" { arguments[0] = folder.path("www") }
        let outcome = try CommandLineProgram.run(["publish", folder.path("out")] + arguments)
        #expect(outcome.exitCode == code)
        #expect(outcome.standardError.contains(words), "\(outcome.standardError)")
        #expect(!outcome.standardError.contains("hunter2"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("www")))
    }

    @Test func `a pyramid is not published into itself, nor while it is built`() throws {
        let folder = try pyramid()
        for place in [
            folder.path("out"), folder.path("out/") + "/", folder.path("out/tiles"), folder.path("www/../out"),
        ] {
            let outcome = try CommandLineProgram.run(["publish", folder.path("out"), place])
            #expect(outcome.exitCode == 73 && outcome.standardError.contains("expected another directory"))
        }
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        for place in [link + "/out", link + "/out/new", link] {
            let outcome = try CommandLineProgram.run(["publish", folder.path("out"), place])
            #expect(outcome.exitCode == 73 && outcome.standardError.contains("expected another directory"))
        }
        _ = try folder.file("out/.building", "")
        let outcome = try CommandLineProgram.run(["publish", folder.path("out"), folder.path("www")])
        #expect(outcome.exitCode == 65)
        #expect(outcome.standardError.contains("a build or publish is in progress here or was interrupted"))
        let missing = try CommandLineProgram.run(["publish", folder.path("nothing"), folder.path("www")])
        #expect(missing.exitCode == 66)
        #expect(!FileManager.default.fileExists(atPath: folder.path("www")))
    }

    /// As a Mac's `Out` and `out` are one folder: no link leads from one path to the other.
    @Test(.enabled(if: try mounts.isMet()), arguments: ["", "/new"])
    func `a pyramid is not published into itself by another path`(below: String) throws {
        let folder = try pyramid()
        try FileManager.default.createDirectory(atPath: folder.path("www"), withIntermediateDirectories: false)
        let outcome = try PublishCommandTests.withMount(
            of: folder.path("out"), at: folder.path("www"),
            [CommandLineProgram.url.path, "publish", folder.path("out"), folder.path("www") + below])
        #expect(outcome.exitCode == 73 && outcome.error.contains("expected another directory"), "\(outcome.error)")
    }

    private static let mounts = Requirement(
        "Linux and the right to mount",
        isThere: (try? TemporaryFolder()).flatMap { try? withMount(of: $0.path, at: $0.path, ["true"]).exitCode } == 0)

    /// Runs a program that finds a folder at a second path.
    private static func withMount(
        of folder: String, at path: String, _ arguments: [String]
    ) throws -> (exitCode: Int32, error: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["unshare", "--mount", "--map-root-user", "sh", "-c", #"mount --bind "$0" "$1" && shift && "$@""#]
            + [folder, path] + arguments
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let error = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: error, as: UTF8.self))
    }
}
