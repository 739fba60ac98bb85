import Foundation
import PyramidStore
import PyramidVerification
import Testing

/// Builds of an archive whose system calls fail, and builds that are killed. With `PYRAMID_CAMPAIGN=1` in the environment
/// every call is tried with every fault, else some.
@Suite(.disabled(if: FaultLibrary.isMissing, "needs Linux and a C compiler"))
struct ArchiveFaultTests {
    private static let name = "out.pmtiles"
    private static let leftovers: Set<String> = [name, ".out.pmtiles.building", "out.pmtiles.pyramid-tmp"]

    private let folder: TemporaryFolder
    private let jobs: Int
    private let inputs: [String]
    /// The archives of undisturbed builds: the old one and the new one.
    private let archives: [Data]
    /// The folder of the archive, and nothing else.
    private var place: String { folder.path("place") }
    private var path: String { place + "/" + ArchiveFaultTests.name }

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        jobs = 1
        inputs = try [("old", 40, 1), ("new", 45, 3)].map { name, count, step in
            let rows = (0..<count).map { "point \($0 * step),\(Double($0 * 37 % 170) - 80.5),\($0 * 7919 % 360 - 180)" }
            return try folder.file("\(name).csv", "name,lat,lon\n" + rows.joined(separator: "\n") + "\n")
        }
        archives = try inputs.map { input in
            let clean = input + ".pmtiles"
            try #require(try CommandLineProgram.run(["build", input, clean] + ArchiveFaultTests.options).exitCode == 0)
            return try Data(contentsOf: URL(fileURLWithPath: clean))
        }
    }

    private static let options = ["--max-zoom", "4", "--quiet", "--jobs", "1"]

    /// An empty folder, or the old archive.
    private func begin(hasOld: Bool) throws {
        try? FileManager.default.removeItem(atPath: place)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        if hasOld { try archives[0].write(to: URL(fileURLWithPath: path)) }
    }

    /// - Parameter number: of the rows: 0 are the old ones.
    private func build(_ number: Int = 1, environment: [String: String] = [:]) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(
            ["build", inputs[number], path] + ArchiveFaultTests.options, environment: environment)
    }

    /// What an undisturbed build calls.
    private func calls(hasOld: Bool) throws -> [String] {
        try begin(hasOld: hasOld)
        let log = folder.path("calls")
        try? FileManager.default.removeItem(atPath: log)
        try #require(build(environment: FaultLibrary.environment("NONE", at: 0, logPath: log)).exitCode == 0)
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func names() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: place)) }

    /// Whatever happened: the archive is the old one or the new one as a whole, and the next build makes the new one and
    /// leaves nothing else.
    private func check(
        _ outcome: CommandLineProgram.Outcome, hasOld: Bool, isClean: Bool = true, _ what: Comment
    ) throws {
        let found = FileManager.default.contents(atPath: path)
        if outcome.exitCode == 0, !outcome.wasKilled {
            #expect(found == archives[1], what)
            #expect(try names() == [ArchiveFaultTests.name], what)
        } else {
            #expect(found == archives[1] || found == (hasOld ? archives[0] : nil), what)
            if !outcome.wasKilled {
                #expect([73, 74, 143].contains(outcome.exitCode), what)
                #expect(outcome.standardError.hasPrefix("error: "), what)
                #expect(outcome.standardError.split(separator: "\n").count == 1, what)
            }
            // A call that fails may be the one that removes.
            let left = try names().subtracting([ArchiveFaultTests.name])
            #expect(
                left.isSubset(of: ArchiveFaultTests.leftovers) && (outcome.wasKilled || !isClean || left.isEmpty), what)
        }
        if outcome.standardError.contains("is as it was") {
            #expect(found == (hasOld ? archives[0] : nil), "\(what): \(outcome.standardError)")
        }
        if outcome.standardError.contains("is the new archive") {
            #expect(found == archives[1], "\(what): \(outcome.standardError)")
        }
        // With the rows of what may be there, so that it may be unchanged, and then the others.
        for number in [0, 1] {
            let repair = try build(number)
            #expect(repair.exitCode == 0, "\(what): \(repair.standardError)")
            #expect(FileManager.default.contents(atPath: path) == archives[number], what)
            #expect(try names() == [ArchiveFaultTests.name], what)
        }
    }

    private func forEachCall(of calls: [String], every step: Int, from first: Int, _ body: (Int) throws -> Void)
        rethrows
    {
        for number in 1...calls.count where FaultLibrary.isCampaign || number % step == first % step {
            try body(number)
        }
    }

    @Test(arguments: [false, true])
    func `a build whose calls fail leaves the old archive, and nothing beside it`(hasOld: Bool) throws {
        let calls = try calls(hasOld: hasOld)
        #expect(calls.contains { $0.hasPrefix("pwrite ") } && calls.contains { $0.hasPrefix("renameat ") })
        for (index, fault) in ["EIO", "ENOSPC", "EROFS", "EMFILE"].enumerated() {
            try forEachCall(of: calls, every: 4, from: index) { number in
                try begin(hasOld: hasOld)
                let outcome = try build(environment: FaultLibrary.environment(fault, at: number))
                let isClean = !calls[number - 1].hasPrefix("unlink")
                try check(outcome, hasOld: hasOld, isClean: isClean, "\(fault) at call \(number), \(calls[number - 1])")
            }
        }
    }

    @Test func `a build does without a call that a signal interrupts and with half a write`() throws {
        let calls = try calls(hasOld: true)
        for (index, fault) in ["EINTR", "SHORT"].enumerated() {
            try forEachCall(of: calls, every: 2, from: index) { number in
                try begin(hasOld: true)
                let outcome = try build(environment: FaultLibrary.environment(fault, at: number))
                #expect(outcome.exitCode == 0, "\(outcome.standardError)")
                try check(outcome, hasOld: true, "\(fault) at call \(number), \(calls[number - 1])")
            }
        }
    }

    @Test(arguments: [false, true])
    func `a disk that is full from some call on costs nothing`(hasOld: Bool) throws {
        let calls = try calls(hasOld: hasOld)
        try forEachCall(of: calls, every: 3, from: 1) { number in
            try begin(hasOld: hasOld)
            // Files can be removed from a full disk, so a shorter fault would do too.
            let outcome = try build(environment: FaultLibrary.environment("ENOSPC", at: number, count: 2))
            try check(outcome, hasOld: hasOld, isClean: false, "ENOSPC from call \(number), \(calls[number - 1])")
        }
    }

    @Test(arguments: [false, true])
    func `a build that is killed leaves the old archive or the new one`(hasOld: Bool) throws {
        let calls = try calls(hasOld: hasOld)
        for (index, fault) in ["KILL", "TORN"].enumerated() {
            try forEachCall(of: calls, every: 2, from: index) { number in
                try begin(hasOld: hasOld)
                let outcome = try build(environment: FaultLibrary.environment(fault, at: number))
                #expect(outcome.wasKilled)
                try check(outcome, hasOld: hasOld, "\(fault) at call \(number), \(calls[number - 1])")
            }
        }
    }

    @Test func `everything is on the disk before the archive gets its name`() throws {
        let calls = try calls(hasOld: true)
        let rename = try #require(calls.firstIndex { $0.hasPrefix("renameat ") })
        let sync = try #require(calls.lastIndex { $0.hasPrefix("fsync ") && $0.hasSuffix(".pyramid-tmp") })
        let write = try #require(calls.lastIndex { $0.hasPrefix("pwrite ") })
        let names = try #require(calls.lastIndex { $0.hasPrefix("fsync ") && $0.hasSuffix("/place") })
        #expect(write < sync && sync < rename && rename < names)
    }

    @Test func `a signal leaves the archive as it was and says so`() throws {
        let calls = try calls(hasOld: true)
        let log = folder.path("calls")
        try begin(hasOld: true)
        try FileManager.default.removeItem(atPath: log)
        let number = try #require(calls.firstIndex { $0.hasPrefix("pwrite ") }) + 1
        let outcome = try CommandLineProgram.run(
            ["build", inputs[1], path] + ArchiveFaultTests.options,
            environment: FaultLibrary.environment("PAUSE", at: number, logPath: log)
        ) { process in
            poll { FileManager.default.contents(atPath: log)?.count { $0 == UInt8(ascii: "\n") } == number }
            let refused = try build()
            #expect(refused.exitCode == 75)
            #expect(
                refused.standardError.contains("another build holds the archive (process \(process.processIdentifier))")
            )
            process.terminate()
        }
        #expect(outcome.exitCode == 143)
        #expect(
            outcome.standardError
                == "error: stopped by SIGTERM: \(path) is as it was\n"
        )
        #expect(FileManager.default.contents(atPath: path) == archives[0])
        try check(outcome, hasOld: true, isClean: false, "after SIGTERM")
    }
}
