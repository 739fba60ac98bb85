import Foundation
import TestSupport
import Testing

/// Programs where the system allows few threads or none, as in a container with a limit on processes.
@Suite(.tags(.slow), .enabled(if: try FaultLibrary.requirement.isMet()))
struct ThreadTests {
    /// Runs a program that should end by itself.
    private func run(_ arguments: [String], threads: Int) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(arguments, environment: FaultLibrary.environment(threads: threads)) {
            end($0)
        }
    }

    /// Kills a program that should have ended long ago.
    private func end(_ process: Process) {
        poll { !process.isRunning }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    @Test(arguments: [FaultyBuild.Form.plain, .archive, .inParts], [0, 1, 2])
    func `a build works with the threads that there are`(form: FaultyBuild.Form, threads: Int) throws {
        let build = try FaultyBuild(form, jobs: 4)
        try build.begin(with: .old)
        let outcome = try build.build(environment: FaultLibrary.environment(threads: threads)) { end($0) }
        #expect(outcome.exitCode == 0 && !outcome.wasKilled)
        try build.check(outcome, after: .old, "\(threads) threads")
    }

    @Test(arguments: [0, 1])
    func `so do verify, diff and publish`(threads: Int) throws {
        let build = try FaultyBuild()
        try build.begin(with: .old)
        for (command, exitCode) in [
            (["verify", build.path, "--jobs", "4"], 0), (["diff", build.path, build.path], 0),
            (["publish", build.path, build.folder.path("site")], 0),
        ] {
            let outcome = try run(command, threads: threads)
            #expect(outcome.exitCode == exitCode && !outcome.wasKilled, "\(command[0]): \(outcome.standardError)")
        }
    }

    @Test func `a signal ends a build that has no thread to wait for it`() throws {
        let build = try FaultyBuild()
        let middle = try build.calls(from: .old).count / 2
        try build.begin(with: .old)
        let outcome = try build.build(pausedAt: middle, environment: FaultLibrary.environment(threads: 0)) { process in
            process.terminate()
            end(process)
        }
        #expect(outcome.wasKilled && outcome.exitCode == SIGTERM)
        try build.checkMarked()
        try build.checkRepair("after SIGTERM without threads")
    }

    @Test(arguments: 0...3)
    func `a server says that it needs threads`(threads: Int) throws {
        let build = try FaultyBuild()
        try build.begin(with: .old)
        let outcome = try run(["serve", build.path, "--port", "0"], threads: threads)
        #expect(outcome.exitCode == 71 && !outcome.wasKilled)
        #expect(outcome.standardError.hasPrefix("error: "))
    }

    @Test(arguments: 5...10)
    func `a server says that it needs open files`(limit: Int) throws {
        let build = try FaultyBuild()
        try build.begin(with: .old)
        let outcome = try CommandLineProgram.run(["serve", build.path, "--port", "0"], limit: "-n \(limit)") { end($0) }
        #expect(outcome.exitCode == 74 && !outcome.wasKilled)
        #expect(outcome.standardError.contains("Too many open files"))
    }
}
