import Foundation
import TestSupport
import Testing

/// What has to be on the disk before what, read off the system calls of builds.
@Suite(.tags(.slow), .enabled(if: try FaultLibrary.requirement.isMet()))
struct SyncTests {
    @Test(arguments: FaultyBuild.directoryCases)
    func `nothing overtakes the marker or the manifest on its way to the disk`(
        form: FaultyBuild.Form, start: FaultyBuild.Start
    ) throws {
        let build = try FaultyBuild(form)
        let calls = try build.calls(from: start)
        func index(_ name: String, _ path: String, after first: Int = -1) throws -> Int {
            try #require(calls.indices.first { $0 > first && calls[$0].name == name && calls[$0].path == path })
        }
        let marker = build.path + "/.building"
        let markerIsSafe = try index("fsync", build.path, after: index("fsync", marker))
        let changes = calls.indices.filter {
            calls[$0].path.hasPrefix(build.path + "/") && !calls[$0].path.hasPrefix(marker)
        }
        #expect(try #require(changes.first) > markerIsSafe)

        let tilesAreSafe = try index("syncfs", build.path)
        let renaming = try index("renameat", build.path + "/manifest.json")
        #expect(changes.filter { $0 > tilesAreSafe } == [renaming])
        let removal = try index("unlinkat", marker)
        #expect(try index("fsync", build.path, after: renaming) < removal)
        #expect(throws: Never.self) { try index("fsync", build.path, after: removal) }
    }

    @Test(arguments: [FaultyBuild.Form.archive, .part])
    func `everything is on the disk before a file gets its name`(form: FaultyBuild.Form) throws {
        let build = try FaultyBuild(form)
        let calls = try build.calls(from: .old)
        let rename = try #require(calls.firstIndex { $0.name == "renameat" })
        let sync = try #require(calls.lastIndex { $0.name == "fsync" && $0.path.hasSuffix(".pyramid-tmp") })
        let write = try #require(calls.lastIndex { $0.name.hasSuffix("write") })
        let names = try #require(calls.lastIndex { $0.name == "fsync" && $0.path == build.place })
        #expect(write < sync && sync < rename && rename < names)
    }

    /// If the error of a sync were ignored, a build would report success although a power cut can still damage the output.
    @Test(arguments: FaultyBuild.cases)
    func `a build of which any sync fails says so`(form: FaultyBuild.Form, start: FaultyBuild.Start) throws {
        let build = try FaultyBuild(form, jobs: 2)
        let calls = try build.calls(from: start)
        var syncCount = 0
        for name in ["fsync", "syncfs"] {
            for (number, call) in zip(1..., calls.filter { $0.name == name }) {
                syncCount += 1
                let what: Comment = "\(name) \(number) of \(call.path), \(form) from \(start)"
                try build.begin(with: start)
                let outcome = try build.build(
                    environment: FaultLibrary.environment("EIO", at: number, of: name))
                #expect(outcome.exitCode == 74, what)
                let words = "\(call.path): can't be synced to disk: Input/output error; \(build.path) is "
                #expect(outcome.standardError.contains(words), "\(what): \(outcome.standardError)")
                try build.check(outcome, after: start, what)
            }
        }
        // The content and the name of a file; of a directory also the marker, the tiles and the manifest.
        #expect(syncCount == (form.isFile ? 2 : 5))
    }

    @Test func `the number of syncs does not depend on the number of tiles`() throws {
        let build = try FaultyBuild()
        let syncs = try [[], ["--max-zoom", "7"]].map { options in
            let calls = try build.calls(from: .nothing, options)
            return (calls.count, calls.filter { $0.name.hasSuffix("sync") || $0.name == "syncfs" }.map(\.name))
        }
        #expect(syncs[0].0 < syncs[1].0)
        #expect(syncs[0].1 == syncs[1].1)
        #expect(syncs[0].1.count { $0 == "syncfs" } == 1)
    }

    @Test func `a build that is told not to sync does not`() throws {
        let calls = try FaultyBuild().calls(from: .old, ["--no-sync"])
        #expect(!calls.isEmpty && !calls.contains { $0.name == "fsync" || $0.name == "syncfs" })
    }
}
