import Foundation
import TestSupport
import Testing

/// Builds with less than they need.
@Suite(.tags(.slow)) struct LimitTests {
    @Test(
        .enabled(if: try SmallDisk.requirement.isMet()),
        arguments: isCampaign
            ? (1...40).map(SmallDisk.Room.pages) + (0...40).map(SmallDisk.Room.files)
            : [.pages(1), .pages(5), .pages(19), .files(1), .files(9)])
    func `a disk that is full`(room: SmallDisk.Room) throws {
        for (form, start) in FaultyBuild.directoryCases {
            let disk = try SmallDisk("size=10m")
            let build = try FaultyBuild(form, place: disk.folder.url.path)
            try build.begin(with: start)
            try disk.leave(room)
            let outcome = try build.build()
            if outcome.exitCode != 0 {
                #expect(outcome.exitCode == 74 && outcome.standardError.contains("No space left on device"))
            }
            if outcome.exitCode != 0 {
                // What is new is gone.
                let left = Set(try build.tree().keys)
                #expect(left.isSubset(of: build.oldNames(start).union(["out/.building"])))
                #expect(FileManager.default.fileExists(atPath: build.path) == (start == .old))
                let isMarked = start == .old && left.contains("out/.building")
                let state = isMarked ? "is incomplete, and the next" : "is unchanged"
                #expect(outcome.standardError.contains("; \(build.path) \(state)"))
            }
            try disk.change("size=10m,nr_inodes=10000")
            try build.check(outcome, after: start, "\(room), \(form) from \(start)")
        }
    }

    @Test(.enabled(if: try SmallDisk.requirement.isMet()), arguments: FaultyBuild.Start.allCases)
    func `where a build has failed for lack of space, a smaller one succeeds`(start: FaultyBuild.Start) throws {
        let disk = try SmallDisk("size=10m")
        let build = try FaultyBuild(place: disk.folder.url.path)
        try build.begin(with: start)
        // The new pyramid has tiles where the old one has none, and a page.
        try disk.leave(.pages(start == .old ? 20 : 40))
        let large = try build.build(with: ["--max-zoom", "9", "--preview"])
        #expect(large.exitCode == 74 && large.standardError.contains("No space left on device"))
        let outcome = try build.build()
        #expect(outcome.exitCode == 0, "\(outcome.standardError)")
        try build.check(outcome, after: start, "after a build that was too large")
    }

    @Test(.enabled(if: try SmallDisk.requirement.isMet()))
    func `a read-only disk is no output`() throws {
        let disk = try SmallDisk("size=10m")
        let build = try FaultyBuild(place: disk.folder.url.path)
        try build.begin(with: .old)
        try disk.change("ro")
        let outcome = try build.build()
        #expect(outcome.exitCode == 73)
        #expect(outcome.standardError.contains("Read-only file system"))
        try disk.change("rw")
        try build.check(outcome, after: .old, "read-only")

        try build.begin(with: .nothing)
        try disk.change("ro")
        let second = try build.build()
        #expect(second.exitCode == 73)
        #expect(second.standardError.contains("Read-only file system"))
    }

    @Test(arguments: FaultyBuild.Start.allCases)
    func `files that may not grow`(start: FaultyBuild.Start) throws {
        let build = try FaultyBuild()
        try build.begin(with: start)
        // A block has 512 bytes, or 1024 in the shell of macOS: tiles fit, the manifest does not.
        let outcome = try build.build(limit: "-f 1")
        #expect(outcome.exitCode == 74)
        #expect(outcome.standardError.contains("File too large"))
        try build.check(outcome, after: start, "files of one block")
    }

    @Test(
        arguments: [FaultyBuild.Form.plain, .bundled, .archive, .inParts, .bundlingInParts, .joinedBundles],
        isCampaign ? [1, 2, 16] : [16])
    func `thirty-two descriptors are enough`(form: FaultyBuild.Form, jobs: Int) throws {
        let build = try FaultyBuild(form, jobs: jobs, maxZoom: 6, rowCount: 40)
        for start in FaultyBuild.Start.allCases {
            try build.begin(with: start)
            let outcome = try build.build(limit: "-n 32")
            #expect(outcome.exitCode == 0, "\(outcome.standardError)")
            try build.check(outcome, after: start, "\(form), 32 descriptors, \(jobs) jobs")
        }
    }

    @Test(arguments: [FaultyBuild.Form.plain, .bundled, .bundlingInParts, .archive])
    func `with fewer, a build succeeds or changes nothing`(form: FaultyBuild.Form) throws {
        let build = try FaultyBuild(form, jobs: 4, maxZoom: 6, rowCount: 40)
        for limit in isCampaign ? Array(8...31) : [8, 14, 18, 20, 22, 25] {
            for start in FaultyBuild.Start.allCases {
                try build.begin(with: start)
                let before = try build.tree()
                let outcome = try build.build(limit: "-n \(limit)")
                // A directory needs more than 8.
                if outcome.exitCode == 0 && (limit > 8 || form == .archive) { continue }
                #expect(outcome.exitCode == 74 && outcome.standardError.contains("Too many open files"))
                #expect(try build.tree() == before, "\(limit) descriptors: \(outcome.standardError)")
            }
        }
    }

    @Test(arguments: 5...7)
    func `a publish with too few descriptors says so, and another one continues`(limit: Int) throws {
        let build = try FaultyBuild()
        try build.begin(with: .old)
        let publish = ["publish", build.path, build.folder.path("site"), "--quiet"]
        let outcome = try CommandLineProgram.run(publish, limit: "-n \(limit)")
        #expect(outcome.exitCode == 74 && outcome.standardError.contains("Too many open files"))
        #expect(try CommandLineProgram.run(publish).exitCode == 0)
        #expect(try CommandLineProgram.run(["diff", build.path, build.folder.path("site")]).exitCode == 0)
    }
}
