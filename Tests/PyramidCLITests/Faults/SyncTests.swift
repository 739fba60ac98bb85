import Foundation
import TestSupport
import Testing

/// What has to be on the disk before what, read off the system calls of builds.
@Suite(.tags(.slow), .disabled(if: FaultLibrary.isMissing, "needs Linux and a C compiler"))
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
