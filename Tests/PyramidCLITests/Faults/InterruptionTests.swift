import Foundation
import TestSupport
import Testing

/// Signals at a build that stands still in the middle, so that nothing depends on time.
@Suite(.tags(.slow), .disabled(if: FaultLibrary.isMissing, "needs Linux and a C compiler"))
struct InterruptionTests {
    @Test(arguments: [(SIGINT, 130, "SIGINT"), (SIGTERM, 143, "SIGTERM")])
    func `a signal ends a build at once and leaves a marked pyramid`(
        signal: Int32, exitCode: Int32, name: String
    ) throws {
        let build = try FaultyBuild()
        let middle = try build.calls(from: .old).count / 2
        try build.begin(with: .old)
        let outcome = try build.build(pausedAt: middle) { process in
            kill(process.processIdentifier, signal)
            wait(forEndOf: process)
        }
        #expect(outcome.exitCode == exitCode && !outcome.wasKilled)
        #expect(
            outcome.standardError
                == "error: stopped by \(name): \(build.path) is incomplete, and the next build repairs it\n")
        try build.checkMarked()
        try build.checkRepair("after \(name)")
    }

    @Test func `a signal before the first change leaves the pyramid as it was`() throws {
        let build = try FaultyBuild()
        let calls = try build.calls(from: .old)
        let marker = try #require(calls.firstIndex { $0.name == "open" && $0.path.hasSuffix("/.building") })
        try build.begin(with: .old)
        let before = try build.tree()
        let outcome = try build.build(pausedAt: marker + 1) { process in
            process.terminate()
            wait(forEndOf: process)
        }
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
            process.terminate()
            wait(forEndOf: process)
        }
        #expect(outcome.wasKilled && outcome.exitCode == SIGTERM)
        try build.checkMarked()
        try build.checkRepair("after two signals")
    }

    @Test func `a second build names the process of the first, and takes over when that is dead`() throws {
        let build = try FaultyBuild()
        let middle = try build.calls(from: .old).count / 2
        try build.begin(with: .old)
        _ = try build.build(pausedAt: middle) { process in
            let refused = try build.build(new: false)
            #expect(refused.exitCode == 75)
            #expect(refused.standardError.contains("(process \(process.processIdentifier))"))
            kill(process.processIdentifier, SIGKILL)
            wait(forEndOf: process)
        }
        try build.checkMarked()
        try build.checkRepair("after a process that held the lock was killed")
    }

    @Test func `a signal leaves an archive as it was and says so`() throws {
        let build = try FaultyBuild(.archive)
        let calls = try build.calls(from: .old)
        let write = try #require(calls.firstIndex { $0.name == "pwrite" })
        try build.begin(with: .old)
        let before = try build.tree()
        let outcome = try build.build(pausedAt: write + 1) { process in
            let refused = try build.build(new: false)
            #expect(refused.exitCode == 75)
            let words = "another build or publish holds the archive (process \(process.processIdentifier))"
            #expect(refused.standardError.contains(words))
            process.terminate()
            wait(forEndOf: process)
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
        let outcome = try build.build(pausedAt: made + 2, fault: "DELAY") { process in
            process.terminate()
            wait(forEndOf: process)
        }
        #expect(outcome.exitCode == 143)
        #expect(outcome.standardError == "error: stopped by SIGTERM: \(build.path) is unchanged\n")
        #expect(try build.tree() == before)
    }

    /// Kills a program that should have ended long ago, so that the test fails instead of standing still.
    private func wait(forEndOf process: Process) {
        poll { !process.isRunning }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The mask of signals that wait for the process as a whole.
    private func pendingSignals(of process: Process) -> UInt64? {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") }
        return line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    }
}

/// Waits until something is true, at most a minute.
func poll(until isTrue: () throws -> Bool) rethrows {
    for _ in 0..<12_000 {
        if try isTrue() { return }
        usleep(5000)
    }
}
