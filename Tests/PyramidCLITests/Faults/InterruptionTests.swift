import Foundation
import TestSupport
import Testing

/// Signals at a build that stands still in the middle, so that nothing depends on time.
@Suite(.tags(.slow), .enabled(if: try FaultLibrary.requirement.isMet()))
struct InterruptionTests {
    @Test(
        arguments: [FaultyBuild.Form.plain, .bundlingInParts, .joined],
        [(SIGINT, 130, "SIGINT"), (SIGTERM, 143, "SIGTERM")])
    func `a signal ends a build at once and leaves a marked pyramid`(
        form: FaultyBuild.Form, signal: (number: Int32, exitCode: Int32, name: String)
    ) throws {
        let build = try FaultyBuild(form)
        let (_, exitCode, name) = signal
        let middle = try number(ofCallInTheMiddleOf: build)
        try build.begin(with: .old)
        let outcome = try build.build(pausedAt: middle) { end($0, by: signal.number) }
        #expect(outcome.exitCode == exitCode && !outcome.wasKilled)
        #expect(
            outcome.standardError
                == "error: stopped by \(name): \(build.path) is incomplete, and the next build repairs it\n")
        try build.checkMarked()
        try build.checkRepair("after \(name)")
    }

    @Test(arguments: [FaultyBuild.Form.plain, .inParts, .joined])
    func `a signal before the first change leaves the pyramid as it was`(form: FaultyBuild.Form) throws {
        let build = try FaultyBuild(form)
        let calls = try build.calls(from: .old)
        let marker = try #require(calls.firstIndex { $0.name == "open" && $0.path.hasSuffix("/.building") })
        try build.begin(with: .old)
        let before = try build.tree()
        let outcome = try build.build(pausedAt: marker + 1) { end($0, by: SIGTERM) }
        #expect(outcome.exitCode == 143)
        #expect(outcome.standardError == "error: stopped by SIGTERM: \(build.path) is unchanged\n")
        #expect(try build.tree() == before)
    }

    @Test func `a second signal kills a build that can't even say that it ends`() throws {
        let build = try FaultyBuild()
        let pipe = build.folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        while write(reader, pipe, 1) > 0 {}
        let middle = try build.calls(from: .old).count / 2
        try build.begin(with: .old)
        let outcome = try build.build(pausedAt: middle, errorPath: pipe) { process in
            process.terminate()
            // Until the first signal is taken, the second would be the same one.
            poll { pendingSignals(of: process) == 0 }
            #expect(process.isRunning)
            end(process, by: SIGTERM)
        }
        #expect(outcome.wasKilled && outcome.exitCode == SIGTERM)
        try build.checkMarked()
        try build.checkRepair("after two signals")
    }

    @Test(arguments: [FaultyBuild.Form.plain, .joined])
    func `a second build names the process of the first, and takes over when that is dead`(
        form: FaultyBuild.Form
    ) throws {
        let build = try FaultyBuild(form)
        let middle = try number(ofCallInTheMiddleOf: build)
        try build.begin(with: .old)
        _ = try build.build(pausedAt: middle) { process in
            let before = try build.tree()
            let refused = try build.build(new: false)
            #expect(try refused.exitCode == 75 && build.tree() == before)
            #expect(refused.standardError.contains("(process \(process.processIdentifier))"))
            end(process, by: SIGKILL)
        }
        try build.checkMarked()
        try build.checkRepair("after a process that held the lock was killed")
    }

    @Test(arguments: [FaultyBuild.Form.archive, .archiveInParts, .joinedArchive, .part])
    func `a signal leaves a file as it was and says so`(form: FaultyBuild.Form) throws {
        let build = try FaultyBuild(form)
        let calls = try build.calls(from: .old)
        let write = try #require(
            calls.firstIndex { $0.name.hasSuffix("write") && $0.path.hasSuffix(".pyramid-tmp") })
        try build.begin(with: .old)
        let before = try build.tree()
        let outcome = try build.build(pausedAt: write + 1) { process in
            let refused = try build.build(new: false)
            #expect(refused.exitCode == 75)
            let what = form == .part ? "part" : "archive"
            let words = "another build or publish holds the \(what) (process \(process.processIdentifier))"
            #expect(refused.standardError.contains(words))
            end(process, by: SIGTERM)
        }
        #expect(outcome.exitCode == 143)
        #expect(outcome.standardError == "error: stopped by SIGTERM: \(build.path) is unchanged\n")
        #expect(try build.tree() == before)
        try build.checkRepair("after SIGTERM")
    }

    @Test func `a signal right after an archive's work file was made leaves nothing`() throws {
        let build = try FaultyBuild(.archive)
        let calls = try build.calls(from: .old)
        let made = try #require(calls.firstIndex { $0.name == "open" && $0.path.hasSuffix(".building") })
        try build.begin(with: .old)
        let before = try build.tree()
        // The call after that, which writes who holds the file.
        let outcome = try build.build(pausedAt: made + 2, fault: "DELAY") { end($0, by: SIGTERM) }
        #expect(outcome.exitCode == 143)
        #expect(outcome.standardError == "error: stopped by SIGTERM: \(build.path) is unchanged\n")
        #expect(try build.tree() == before)
    }

    /// A disk that doesn't answer, for example, mustn't hold up the end.
    @Test func `a signal ends a build that can't finish taking its lock`() throws {
        let build = try FaultyBuild(.archive)
        let made = try #require(
            try build.calls(from: .old).firstIndex { $0.name == "open" && $0.path.hasSuffix(".building") })
        try build.begin(with: .old)
        let outcome = try build.build(pausedAt: made + 2) { end($0, by: SIGTERM) }
        #expect(outcome.exitCode == 143 && !outcome.wasKilled)
        // A file that doesn't say whose it is stays, and the next build takes it over.
        try build.check(outcome, after: .old, canRemove: false, "a lock that is never taken")
    }

    /// A call between the first change of a directory and the last, as `FAULT_AT` counts.
    private func number(ofCallInTheMiddleOf build: FaultyBuild) throws -> Int {
        let calls = try build.calls(from: .old)
        let changes = calls.indices.filter { calls[$0].path.hasPrefix(build.path + "/tiles/") }
        return 1 + (try #require(changes.isEmpty ? nil : changes[changes.count / 2]))
    }

    private func end(_ process: Process, by signal: Int32) {
        kill(process.processIdentifier, signal)
        #expect(poll { !process.isRunning })
        // So that the test fails instead of standing still.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The mask of signals that wait for the process as a whole.
    private func pendingSignals(of process: Process) -> UInt64? {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") }
        return line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    }
}
