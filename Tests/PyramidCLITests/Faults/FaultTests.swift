import Foundation
import TestSupport
import Testing

/// Builds and joins whose system calls fail, and some that are killed. In a campaign every call is tried with every fault, else a few.
@Suite(.tags(.slow), .enabled(if: try FaultLibrary.requirement.isMet()))
struct FaultTests {
    private static let jobs = isCampaign ? [1, 2] : [1]

    /// Builds the new version for each fault at each call or, in a short run, at some three calls, others for each fault; and
    /// at all of the last ones.
    private func forEachFault(
        _ faults: String..., of build: FaultyBuild, from start: FaultyBuild.Start, count: Int = 1, last: Int = 0,
        _ body: (CommandLineProgram.Outcome, ArraySlice<FaultyBuild.Call>, Comment) throws -> Void
    ) throws {
        let calls = try build.calls(from: start)
        let step = isCampaign ? 1 : max(1, calls.count / 3)
        for (index, fault) in faults.enumerated() {
            for (number, call) in zip(1..., calls)
            where number % step == 7 * index % step || number > calls.count - last {
                try build.begin(with: start)
                let outcome = try build.build(
                    environment: FaultLibrary.environment(fault, at: number, count: count))
                try body(
                    outcome, calls[(number - 1)...].prefix(count),
                    "\(fault) at call \(number) of \(calls.count), \(call), \(build.form) from \(start)")
            }
        }
    }

    @Test(arguments: FaultyBuild.cases, jobs)
    func `a build whose calls fail leaves the old output, the new one, or one that is marked`(
        fromTo: (FaultyBuild.Form, FaultyBuild.Start), jobs: Int
    ) throws {
        let (form, start) = fromTo
        let build = try FaultyBuild(form, jobs: jobs)
        try forEachFault("EIO", "ENOSPC", "EROFS", "EMFILE", of: build, from: start) { outcome, failed, what in
            // With several threads another call may have that number.
            let isKnown = jobs == 1
            if isKnown { build.expectFailure(outcome, of: failed, from: start, what) }
            let canRemove = isKnown && !failed.contains { $0.name.hasPrefix("unlink") }
            try build.check(outcome, after: start, canRemove: canRemove, what)
        }
    }

    @Test(arguments: FaultyBuild.cases)
    func `a build does without a call that a signal interrupts and with half a write`(
        form: FaultyBuild.Form, start: FaultyBuild.Start
    ) throws {
        let build = try FaultyBuild(form)
        try forEachFault("EINTR", "SHORT", of: build, from: start) { outcome, _, what in
            #expect(outcome.exitCode == 0, what)
            try build.check(outcome, after: start, what)
        }
    }

    @Test(arguments: FaultyBuild.cases)
    func `a disk that is full from some call on`(form: FaultyBuild.Form, start: FaultyBuild.Start) throws {
        let build = try FaultyBuild(form)
        try forEachFault("ENOSPC", of: build, from: start, count: 1_000_000) { outcome, failed, what in
            build.expectFailure(outcome, of: failed, from: start, what)
            try build.check(outcome, after: start, canRemove: false, what)
        }
    }

    @Test(arguments: FaultyBuild.cases, jobs)
    func `a build that is killed leaves the old output, the new one, or one that is marked`(
        fromTo: (FaultyBuild.Form, FaultyBuild.Start), jobs: Int
    ) throws {
        let (form, start) = fromTo
        let build = try FaultyBuild(form, jobs: jobs)
        var killedCount = 0
        try forEachFault("KILL", "TORN", of: build, from: start, last: 6) { outcome, _, what in
            // With several threads the number of calls can differ.
            if jobs == 1 { #expect(outcome.wasKilled && outcome.exitCode == SIGKILL) }
            killedCount += outcome.wasKilled ? 1 : 0
            try build.check(outcome, after: start, what)
        }
        #expect(killedCount > 5)
    }

    /// A repair is a build that can be killed as well.
    @Test(arguments: isCampaign ? FaultyBuild.Form.allCases : [.bundling, .archive])
    func `builds of either version that are killed one after the other`(form: FaultyBuild.Form) throws {
        let build = try FaultyBuild(form)
        let count = try build.calls(from: .old).count
        var random = SeededRandom(seed: 20117)
        let roundCount = isCampaign ? 60 : 3
        var killedCount = 0
        for round in 0..<roundCount {
            try build.begin(with: .old)
            var calls: [Int] = []
            for _ in 0..<4 {
                calls.append(1 + random.next(below: count))
                let outcome = try build.build(
                    new: random.next(below: 2) == 0,
                    environment: FaultLibrary.environment(
                        random.next(below: 2) == 0 ? "KILL" : "TORN", at: calls[calls.count - 1]))
                // A repair can have fewer calls than the build that was counted.
                #expect(outcome.wasKilled || outcome.exitCode == 0)
                killedCount += outcome.wasKilled ? 1 : 0
            }
            try build.checkRepair("round \(round), killed at the calls \(calls)")
        }
        #expect(killedCount > roundCount)
    }
}

/// Directories that can't be listed to their end.
@Suite(.tags(.slow), .enabled(if: try FaultLibrary.requirement.isMet()))
struct ListingTests {
    @Test func `verify finds each directory that can't be listed`() throws {
        let build = try FaultyBuild()
        try build.begin(with: .old)
        let log = build.folder.path("calls")
        func verify(_ fault: String, at number: Int, logPath: String? = nil) throws -> CommandLineProgram.Outcome {
            let environment = FaultLibrary.environment(fault, at: number, of: "readdir", logPath: logPath)
            return try CommandLineProgram.run(["verify", build.path, "--quiet"], environment: environment)
        }
        #expect(try verify("NONE", at: 0, logPath: log).exitCode == 0)
        let count = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
        try #require(count > 20)
        for number in 1...count {
            let outcome = try verify("EIO", at: number)
            #expect(outcome.exitCode == 1 && outcome.standardOutput.contains("Input/output error"), "call \(number)")
        }
    }
}

/// Builds in place of an older output that a client reads all the time, some of them killed at a random time. Nothing that
/// must hold depends on the time.
@Suite(.tags(.slow)) struct LiveOutputTests {
    @Test(arguments: isCampaign ? FaultyBuild.Form.allCases : [.plain, .bundling, .archive])
    func `whoever reads during a build, a killed one and its repair sees whole files of either version`(
        form: FaultyBuild.Form
    ) throws {
        let build = try FaultyBuild(form, jobs: 2, maxZoom: 6, rowCount: 120)
        var random = SeededRandom(seed: 20118)
        try build.begin(with: .old)
        let start = ContinuousClock.now
        let (problem, roundCount) = try build.liveReader.read {
            let outcome = try build.build()
            #expect(outcome.exitCode == 0)
        }
        let duration = Int((ContinuousClock.now - start) / .microseconds(1))
        #expect(problem == nil && roundCount > 0)
        // A build can end before it is killed, but not most of them.
        var (killedCount, round) = (0, 0)
        while killedCount < (isCampaign ? 90 : 2) {
            round += 1
            try #require(round < 10 * (killedCount + 10), "\(killedCount) of \(round) builds were killed")
            try build.begin(with: .old)
            let delay = random.next(below: duration)
            let (problem, _) = try build.liveReader.read {
                let outcome = try build.build { process in
                    usleep(UInt32(delay))
                    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
                }
                killedCount += outcome.wasKilled ? 1 : 0
                try build.check(outcome, after: .old, "round \(round), killed after \(delay) µs")
            }
            #expect(problem == nil, "round \(round), killed after \(delay) µs")
        }
    }
}
