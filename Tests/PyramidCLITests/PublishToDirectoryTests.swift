import Foundation
import PyramidTiles
import TestSupport
import Testing

/// What publishing does to the files in a directory, its own and others.
@Suite(.tags(.slow)) struct PublishToDirectoryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for (name, options) in [("out", ["--max-zoom", "5", "--preview"]), ("less", ["--max-zoom", "3"])] {
            let input = try folder.file("cities.csv", threeCities)
            let build = ["build", input, folder.path(name), "--quiet"] + options
            try #require(try CommandLineProgram.run(build).exitCode == 0)
        }
    }

    private func publish(_ name: String, _ options: String...) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(["publish", folder.path(name), folder.path("www"), "--quiet"] + options)
    }

    /// The content of every file by its path.
    private func files(_ name: String) throws -> [String: Data] { try fileTree(at: folder.path(name)) }

    @Test(arguments: ["index.html", "tilejson.json", "manifest.json", "tiles/0/0/0.json", "notes.txt"])
    func `a directory with other files is refused, and --force replaces only what the tileset needs`(
        name: String
    ) throws {
        try folder.file("www/\(name)", "mine")
        try folder.file("www/tiles/mine.json", "mine too")
        let before = try files("www")
        let refused = try publish("out")
        #expect(refused.exitCode == 73 && refused.standardError.contains("--force"), "\(refused.standardError)")
        #expect(try files("www") == before)
        #expect(try publish("out", "--force").exitCode == 0)
        #expect(try files("www") == before.merging(files("out")) { $1 })
    }

    @Test(arguments: ["index.html", "tiles/4/15/8.json"])
    func `a file beside a published tileset that no publish wrote is not replaced without --force`(
        name: String
    ) throws {
        try #require(try files("out")[name] != nil)
        try #require(try publish("less").exitCode == 0)
        try folder.file("www/\(name)", "mine")
        try folder.file("www/important.txt", "mine too")
        let before = try files("www")
        let refused = try publish("out")
        #expect(refused.exitCode == 73 && refused.standardError.contains(name), "\(refused.standardError)")
        #expect(try files("www") == before)
        #expect(try publish("out", "--force").exitCode == 0)
        #expect(try files("www") == ["important.txt": Data("mine too".utf8)].merging(files("out")) { $1 })
        // The files are published now.
        #expect(try publish("less").exitCode == 0)
        #expect(try files("www") == ["important.txt": Data("mine too".utf8)].merging(files("less")) { $1 })
    }

    @Test func `a page that was edited after the publish is neither replaced nor removed`() throws {
        try #require(try publish("out").exitCode == 0)
        try folder.file("www/index.html", "mine")
        #expect(try publish("out", "--all").exitCode == 73)
        #expect(try publish("less").exitCode == 0)
        #expect(try files("www") == ["index.html": Data("mine".utf8)].merging(files("less")) { $1 })
    }

    @Test func `a manifest that lists other files removes none of them`() throws {
        try #require(try publish("out").exitCode == 0)
        let content = Data("mine".utf8)
        try folder.file("www/important.txt", content)
        let path = folder.path("www/manifest.json")
        var manifest = try Manifest(decoding: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        manifest.files["important.txt"] = Manifest.FileSummary(of: [UInt8](content))
        try Data(try manifest.encoded()).write(to: URL(fileURLWithPath: path))
        #expect(try publish("less").exitCode == 0)
        #expect(try files("www") == ["important.txt": content].merging(files("less")) { $1 })
    }

    @Test(arguments: [false, true])
    func `temporary files of an interrupted publish are removed, by one that has nothing to do as well`(
        isPublished: Bool
    ) throws {
        if isPublished { try #require(try publish("out").exitCode == 0) }
        let names = ["tiles/0/0/0.json", "tiles/9/9/9.json", "tilejson.json", "index.html", ".publishing"]
        for name in names { try folder.file("www/\(name).pyramid-tmp", "") }
        try folder.file("www/.building", "")
        try folder.file("www/notes.pyramid-tmp", "mine")
        #expect(try publish("out").exitCode == 0)
        #expect(try files("www") == ["notes.pyramid-tmp": Data("mine".utf8)].merging(files("out")) { $1 })
    }

    @Test(arguments: [[], ["--force"]])
    func `a folder of tiles that is a link or a file is refused before anything is touched`(options: [String]) throws {
        try #require(try publish("less").exitCode == 0)
        for content in [nil, "mine"] {
            try FileManager.default.removeItem(atPath: folder.path("www/tiles"))
            try folder.file("else/mine.txt", "mine")
            if let content {
                try folder.file("www/tiles", content)
            } else {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.path("www/tiles"), withDestinationPath: folder.path("else"))
            }
            let before = (try files("www"), try files("else"))
            let build = ["build", folder.path("cities.csv"), folder.path("www"), "--max-zoom", "5", "--quiet"]
            for arguments in [["publish", folder.path("out"), folder.path("www"), "--quiet"], build] {
                let outcome = try CommandLineProgram.run(arguments + options)
                #expect(outcome.exitCode == 73)
                let kind = content == nil ? "a symbolic link" : "a file"
                #expect(outcome.standardError.contains("/www/tiles: is \(kind), expected a directory; move it away"))
                #expect(try (files("www"), files("else")) == before)
            }
        }
    }

    @Test func `a tile that another program has cut off is published again`() throws {
        try #require(try publish("out").exitCode == 0)
        try folder.file("www/tiles/0/0/0.json", "")
        #expect(try publish("out").exitCode == 0)
        #expect(try files("www") == files("out"))
    }

    @Test(.enabled(if: try SmallDisk.requirement.isMet()), arguments: 1...16)
    func `after a publish for which a disk has no room, the one before can be published again`(pages: Int) throws {
        let disk = try SmallDisk("size=10m")
        let place = disk.folder.path("www")
        func publish(_ name: String, _ code: Int32) throws {
            let outcome = try CommandLineProgram.run(["publish", folder.path(name), place, "--quiet"])
            #expect(outcome.exitCode == code, "\(outcome.standardError)")
        }
        try publish("less", 0)
        try disk.leave(.pages(pages))
        try publish("out", 74)
        try publish("less", 0)
        #expect(try fileTree(at: place) == files("less"))
        try disk.change("size=10m")
        try publish("out", 0)
        #expect(try fileTree(at: place) == files("out"))
    }

    @Test(
        .enabled(if: try SmallDisk.requirement.isMet()), arguments: [[], ["--versioned"]],
        [SmallDisk.Room.pages(1), .pages(2), .pages(3), .pages(5), .pages(8)] + (1...10).map { .files($0) })
    func `after a first publish for which a disk has no room, nothing is in the way of the next one`(
        options: [String], room: SmallDisk.Room
    ) throws {
        let disk = try SmallDisk("size=10m")
        let place = disk.folder.path("www")
        func publish(_ name: String) throws -> CommandLineProgram.Outcome {
            try CommandLineProgram.run(["publish", folder.path(name), place, "--quiet"] + options)
        }
        try disk.leave(room)
        #expect(try publish("out").exitCode == 74)
        try disk.change("size=10m,nr_inodes=1000")
        // Of another tileset, so what is there of the first has to go.
        let outcome = try publish("less")
        #expect(outcome.exitCode == 0, "\(outcome.standardError)")
        var found = try fileTree(at: place, listsDirectories: true)
        if !options.isEmpty {
            let version = try #require(TileJSON(decoding: [UInt8](found["tilejson.json"] ?? Data())).versions?.first)
            #expect(found.keys.allSatisfy { $0 == "tilejson.json" || $0.hasPrefix(version + "/") })
            found = try fileTree(at: place + "/" + version, listsDirectories: true)
        }
        #expect(try found == fileTree(at: folder.path("less"), listsDirectories: true))
    }

    @Test(arguments: [false, true])
    func `a build is refused over versions, also if a publish was killed there`(isFirst: Bool) throws {
        try #require(try publish("out", "--versioned").exitCode == 0)
        let build = ["build", folder.path("cities.csv"), folder.path("www"), "--max-zoom", "5", "--quiet"]
        #expect(try CommandLineProgram.run(build).exitCode == 73)
        // As it is left by a kill.
        try folder.file("www/.building", "")
        if isFirst { try FileManager.default.removeItem(atPath: folder.path("www/tilejson.json")) }
        let before = try files("www")
        for options in [[], ["--force"]] {
            #expect(try CommandLineProgram.run(build + options).exitCode == 73)
            #expect(try files("www") == before)
        }
        #expect(try publish("out", "--versioned").exitCode == 0)
        #expect(try CommandLineProgram.run(["verify", folder.path("www"), "--quiet"]).exitCode == 0)
    }

    @Test func `nothing is left of a build that was interrupted`() throws {
        try folder.file("www/.building", "")
        try FileManager.default.copyItem(atPath: folder.path("out/tiles"), toPath: folder.path("www/tiles"))
        try folder.file("www/tiles/5/5/5.json", "mine")
        #expect(try publish("less").exitCode == 0)
        #expect(try files("www") == files("less").merging(["tiles/5/5/5.json": Data("mine".utf8)]) { $1 })
    }

    @Test func `a directory of versions is read like any other, and older versions by their folders`() throws {
        for name in ["less", "out"] { try #require(try publish(name, "--versioned").exitCode == 0) }
        let pointer = try TileJSON(decoding: [UInt8](try #require(files("www")["tilejson.json"])))
        let versions = try #require(pointer.versions)
        #expect(versions.count == 2)
        for (version, name) in zip(versions, ["out", "less"]) {
            #expect(try files("www/\(version)") == files(name))
            let difference = try CommandLineProgram.run(["diff", folder.path("www/\(version)"), folder.path(name)])
            #expect(difference.exitCode == 0)
        }
        for arguments in [["verify", "--quiet"], ["show", "5/31/17"]] {
            let found = try CommandLineProgram.run([arguments[0], folder.path("www")] + arguments.dropFirst())
            let expected = try CommandLineProgram.run([arguments[0], folder.path("out")] + arguments.dropFirst())
            #expect(found.exitCode == 0 && found.standardOutput == expected.standardOutput)
        }
        #expect(try CommandLineProgram.run(["diff", folder.path("www"), folder.path("out")]).exitCode == 0)
        #expect(try CommandLineProgram.run(["diff", folder.path("www"), folder.path("less")]).exitCode == 1)
        // In place it would hide the versions.
        let refused = try publish("out")
        #expect(refused.exitCode == 73 && refused.standardError.contains("--versioned"), "\(refused.standardError)")
        let back = try publish("less", "--versioned", "--keep", "0")
        #expect(back.exitCode == 0 && back.standardOutput == "tilejson.json\n")
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: folder.path("www"))) == [
                versions[1], "tilejson.json",
            ])
    }

    @Test func `an archive's temporary file is removed, and another file of its name stays`() throws {
        let build = ["build", folder.path("cities.csv"), folder.path("out.pmtiles"), "--quiet"]
        try #require(try CommandLineProgram.run(build).exitCode == 0)
        let archive = try Data(contentsOf: URL(fileURLWithPath: folder.path("out.pmtiles")))
        for _ in 0..<2 {
            try folder.file("www/out.pmtiles.pyramid-tmp", "cut off")
            try folder.file("www/.out.pmtiles.building", "")
            let outcome = try publish("out.pmtiles")
            // No cache can hold an older one.
            #expect(outcome.exitCode == 0 && outcome.standardOutput.isEmpty)
            #expect(try files("www") == ["out.pmtiles": archive])
        }
        for content in ["mine", "PMTiles of another program"] {
            try folder.file("www/out.pmtiles", content)
            let refused = try publish("out.pmtiles")
            #expect(refused.exitCode == 73, "\(refused.standardError)")
            #expect(try files("www") == ["out.pmtiles": Data(content.utf8)])
        }
        let forced = try publish("out.pmtiles", "--force")
        #expect(forced.exitCode == 0 && forced.standardOutput == "out.pmtiles\n")
        #expect(try files("www") == ["out.pmtiles": archive])
    }
}
