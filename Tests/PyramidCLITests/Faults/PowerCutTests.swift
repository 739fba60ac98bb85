import Foundation
import PyramidTiles
import TestSupport
import Testing

/// Cuts the power at the system calls of builds: of a small file system in a file, on which a build stands still at a call, the
/// file is copied, which holds what has reached the disk by then and nothing else.
@Suite(
    .tags(.slow),
    .enabled(if: try FaultLibrary.requirement.isMet() && DiskImage.requirement.isMet()))
struct PowerCutTests {
    /// What the file system has written before the cut.
    private enum Written: CaseIterable {
        case nothing
        /// Names and sizes.
        case journal
        case everything
    }

    @Test(
        arguments: isCampaign
            ? [FaultyBuild.Form.plain, .bundled, .bundling, .archive, .joinedBundles] : [.bundling, .archive])
    func `after a power cut there is the old version, the new one, or one that the next build repairs`(
        form: FaultyBuild.Form
    ) throws {
        let folder = try TemporaryFolder()
        let disk = try DiskImage(at: folder.path("disk"))
        let build = try FaultyBuild(form, place: folder.path("disk"))
        let callCount = try build.calls(from: .old).count
        try disk.mount()
        try build.begin(with: .old)
        try disk.unmount()
        try disk.save(as: "old")

        // The last calls are those that make the new version the one that is found.
        let cutCount = isCampaign ? 50 : 6
        let cuts = (0..<cutCount).map { 1 + $0 * callCount / cutCount } + Array(callCount - 3...callCount)
        var markedCount = 0
        for (number, call) in cuts.enumerated() {
            let written = number < cutCount ? Written.allCases[number % 3] : .nothing
            try disk.restore("old")
            try disk.mount()
            let outcome = try build.build(pausedAt: call) { process in
                switch written {
                case .nothing: break
                case .journal: try disk.syncJournal()
                case .everything: try disk.sync()
                }
                try disk.save(as: "cut")
                kill(process.processIdentifier, SIGKILL)
            }
            #expect(outcome.wasKilled)
            try disk.unmount()
            try disk.restore("cut")
            try disk.mount()
            if try build.tree().keys.contains("out/.building") { markedCount += 1 }
            try build.check(outcome, after: .old, "\(form), call \(call) of \(callCount), \(written) written")
            try disk.unmount()
        }
        // Else nothing was cut in the middle.
        #expect(form.isFile ? markedCount == 0 : 0 < markedCount && markedCount < cuts.count)

        // What a build reports to be done is on the disk.
        try disk.restore("old")
        try disk.mount()
        #expect(try build.build().exitCode == 0)
        try disk.save(as: "cut")
        try disk.unmount()
        try disk.restore("cut")
        try disk.mount()
        try build.checkIsNew()
    }
}

/// Cuts the power at the system calls of publishes to a directory.
@Suite(
    .tags(.slow),
    .enabled(if: try FaultLibrary.requirement.isMet() && DiskImage.requirement.isMet()))
struct PublishPowerCutTests {
    private let folder: TemporaryFolder
    private let disk: DiskImage
    private var place: String { folder.path("disk/www") }

    init() throws {
        folder = try TemporaryFolder()
        for name in ["old", "new"] {
            var random = SeededRandom(seed: name == "old" ? 1 : 2)
            let rows = (0..<40).map { _ in "\(random.next(below: 160) - 80),\(random.next(below: 340) - 170)\n" }
            let input = try folder.file(name + ".csv", "lat,lon\n" + rows.joined())
            let build = ["build", input, folder.path(name), "--quiet", "--max-zoom", name == "old" ? "3" : "4"]
            try #require(try CommandLineProgram.run(build).exitCode == 0)
        }
        disk = try DiskImage(at: folder.path("disk"))
    }

    private func publish(
        _ name: String, _ options: [String] = [], environment: [String: String] = [:],
        whileRunning body: (Process) throws -> Void = { _ in }
    ) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(
            ["publish", folder.path(name), place, "--quiet"] + options, environment: environment, whileRunning: body)
    }

    /// Whether this is there and nothing else, but for older versions.
    private func isPublished(_ name: String) throws -> Bool {
        var found = try fileTree(at: place)
        if let pointer = found["tilejson.json"], let versions = try TileJSON(decoding: [UInt8](pointer)).versions {
            found["tilejson.json"] = nil
            guard found.keys.allSatisfy({ path in versions.contains { path.hasPrefix($0 + "/") } }) else {
                return false
            }
            found = try fileTree(at: place + "/" + versions[0])
        }
        return try found == fileTree(at: folder.path(name))
    }

    @Test(arguments: [false, true], [[], ["--versioned", "--keep", "0"]])
    func `after a power cut the next publish of any tileset makes it right`(isFirst: Bool, options: [String]) throws {
        try disk.mount()
        if !isFirst { #expect(try publish("old", options).exitCode == 0) }
        try disk.unmount()
        try disk.save(as: "start")
        try disk.mount()
        let log = folder.path("calls")
        let logging = FaultLibrary.environment("NONE", at: 0, logPath: log)
        #expect(try publish("new", options, environment: logging).exitCode == 0)
        // What a publish reports to be done is on the disk.
        try disk.save(as: "cut")
        try disk.unmount()
        try disk.restore("cut")
        try disk.mount()
        #expect(try isPublished("new"))
        try disk.unmount()

        let callCount = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
        let cutCount = isCampaign ? 60 : 6
        let cuts = (0..<cutCount).map { 1 + $0 * callCount / cutCount } + Array(callCount - 3...callCount)
        for (number, call) in cuts.enumerated() {
            let writesJournal = number % 2 == 1 && number < cutCount
            try disk.restore("start")
            try disk.mount()
            try FileManager.default.removeItem(atPath: log)
            let environment = FaultLibrary.environment("PAUSE", at: call, logPath: log)
            let outcome = try publish("new", options, environment: environment) { process in
                poll { FileManager.default.contents(atPath: log)?.count { $0 == UInt8(ascii: "\n") } == call }
                if writesJournal { try disk.syncJournal() }
                try disk.save(as: "cut")
                kill(process.processIdentifier, SIGKILL)
            }
            #expect(outcome.wasKilled)
            try disk.unmount()
            try disk.restore("cut")
            try disk.mount()
            let next = number % 3 == 0 ? "old" : "new"
            let repair = try publish(next, options)
            #expect(repair.exitCode == 0, "call \(call) of \(callCount): \(repair.standardError)")
            #expect(try isPublished(next), "call \(call) of \(callCount)")
            try disk.unmount()
        }
    }

    @Test(arguments: [false, true], [[], ["--versioned", "--keep", "0"]])
    func `what a power cut has emptied without syncing is repaired by the next publish`(
        isFirst: Bool, options: [String]
    ) throws {
        try disk.mount()
        if !isFirst { #expect(try publish("old", options).exitCode == 0) }
        try disk.unmount()
        try disk.mount()
        #expect(try publish("new", options + ["--no-sync"]).exitCode == 0)
        try disk.syncJournal()
        try disk.save(as: "cut")
        try disk.unmount()
        try disk.restore("cut")
        try disk.mount()
        try #require(try fileTree(at: place).values.contains { $0.isEmpty })
        let repair = try publish("new", options)
        #expect(repair.exitCode == 0, "\(repair.standardError)")
        #expect(try isPublished("new"))
        try disk.unmount()
    }
}
