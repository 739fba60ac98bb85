import Foundation
import Testing

/// Builds whose system calls fail and builds that are killed. With `PYRAMID_CAMPAIGN=1` in the environment every call is
/// tried with every fault, else one of a few.
@Suite(.disabled(if: FaultLibrary.isMissing, "needs Linux and a C compiler"))
struct FaultTests {
    private static let errors = ["EIO", "ENOSPC", "EROFS", "EMFILE"]

    /// Calls `body` with the numbers of all calls or, in a short run, with every so many of them and all of the last ones.
    private func forEachCall(
        of count: Int, every step: Int, from first: Int, last: Int = 0, _ body: (Int) throws -> Void
    ) rethrows {
        for number in 1...count
        where FaultLibrary.isCampaign || number % step == first || number > count - last {
            try body(number)
        }
    }

    @Test(arguments: FaultyBuild.cases, FaultLibrary.isCampaign ? [1, 2] : [1])
    func `a build whose calls fail leaves the old pyramid, the new one, or one that is marked`(
        fromTo: (FaultyBuild.Form, FaultyBuild.Start), jobs: Int
    ) throws {
        let (form, start) = fromTo
        let build = try FaultyBuild(form, jobs: jobs)
        let count = try build.callCount(from: start)
        for (index, fault) in FaultTests.errors.enumerated() {
            try forEachCall(of: count, every: 37, from: 2 + 9 * index) { number in
                try build.begin(with: start)
                let outcome = try build.build(environment: FaultLibrary.environment(fault, at: number))
                try build.check(outcome, after: start, "\(fault) at call \(number) of \(count), \(form) from \(start)")
            }
        }
    }

    @Test(arguments: FaultyBuild.cases)
    func `a build does without a call that a signal interrupts and with half a write`(
        form: FaultyBuild.Form, start: FaultyBuild.Start
    ) throws {
        let build = try FaultyBuild(form)
        let count = try build.callCount(from: start)
        for (index, fault) in ["EINTR", "SHORT"].enumerated() {
            try forEachCall(of: count, every: 37, from: 5 + 11 * index) { number in
                try build.begin(with: start)
                let outcome = try build.build(environment: FaultLibrary.environment(fault, at: number))
                #expect(outcome.exitCode == 0)
                try build.check(outcome, after: start, "\(fault) at call \(number) of \(count), \(form) from \(start)")
            }
        }
    }

    @Test(arguments: FaultyBuild.cases)
    func `a disk that is full from some call on`(form: FaultyBuild.Form, start: FaultyBuild.Start) throws {
        let build = try FaultyBuild(form)
        let count = try build.callCount(from: start)
        try forEachCall(of: count, every: 41, from: 6) { number in
            try build.begin(with: start)
            let outcome = try build.build(environment: FaultLibrary.environment("ENOSPC", at: number, count: 1_000_000))
            try build.check(outcome, after: start, "ENOSPC from call \(number) of \(count) on, \(form) from \(start)")
        }
    }

    @Test(arguments: FaultyBuild.cases, FaultLibrary.isCampaign ? [1, 2] : [1])
    func `a build that is killed leaves the old pyramid, the new one, or one that is marked`(
        fromTo: (FaultyBuild.Form, FaultyBuild.Start), jobs: Int
    ) throws {
        let (form, start) = fromTo
        let build = try FaultyBuild(form, jobs: jobs)
        let count = try build.callCount(from: start)
        for (index, fault) in ["KILL", "TORN"].enumerated() {
            try forEachCall(of: count, every: 19, from: 3 + 8 * index, last: fault == "KILL" ? 6 : 0) { number in
                try build.begin(with: start)
                let outcome = try build.build(environment: FaultLibrary.environment(fault, at: number))
                if jobs == 1 { #expect(outcome.wasKilled && outcome.exitCode == SIGKILL) }
                try build.check(outcome, after: start, "\(fault) at call \(number) of \(count), \(form) from \(start)")
            }
        }
    }

    /// A repair is a build that can be killed as well.
    @Test(arguments: FaultLibrary.isCampaign ? FaultyBuild.Form.allCases : [.bundling])
    func `builds of either version that are killed one after the other`(form: FaultyBuild.Form) throws {
        let build = try FaultyBuild(form)
        let count = try build.callCount(from: .old)
        var random = LinearCongruence(state: 20117)
        for round in 0..<(FaultLibrary.isCampaign ? 60 : 3) {
            try build.begin(with: .old)
            var calls: [Int] = []
            for _ in 0..<4 {
                calls.append(1 + random.next(below: count))
                _ = try build.build(
                    new: random.next(below: 2) == 0,
                    environment: FaultLibrary.environment(
                        random.next(below: 2) == 0 ? "KILL" : "TORN", at: calls[calls.count - 1]))
            }
            try build.checkRepair("round \(round), killed at the calls \(calls)")
        }
    }
}

/// Numbers that are the same in every run.
struct LinearCongruence {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
}
