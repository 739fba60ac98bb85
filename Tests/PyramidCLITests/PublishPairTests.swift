#if os(Linux)
    import Foundation
    import PyramidTiles
    import TestSupport
    import Testing

    /// Two publishes to one directory at random moments; some are stopped for a while, some killed.
    @Suite(.tags(.slow)) struct PublishPairTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            for (index, zoom) in [4, 5, 5].enumerated() {
                var random = SeededRandom(seed: UInt64(index))
                let rows = (0..<60).map { _ in "\(random.next(below: 160) - 80),\(random.next(below: 340) - 170)" }
                let input = try folder.file("\(index).csv", (["lat,lon"] + rows).joined(separator: "\n") + "\n")
                let build = ["build", input, folder.path("\(index)"), "--quiet", "--max-zoom", "\(zoom)"]
                try #require(try CommandLineProgram.run(build).exitCode == 0)
            }
        }

        private func process(_ index: Int) -> Process {
            let process = Process()
            process.executableURL = CommandLineProgram.url
            process.arguments = ["publish", folder.path("\(index)"), folder.path("www"), "--quiet"]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            return process
        }

        private func publish(
            _ index: Int, to name: String = "www", _ options: [String] = [], _ environment: [String: String] = [:]
        ) throws -> CommandLineProgram.Outcome {
            try CommandLineProgram.run(
                ["publish", folder.path("\(index)"), folder.path(name), "--quiet"] + options, environment: environment)
        }

        /// Publishes over the first tileset, with a fault at a call.
        private func publishOverFirst(
            _ fault: String, at number: Int, logPath: String? = nil, _ options: [String] = []
        ) throws -> CommandLineProgram.Outcome {
            let (start, www) = (folder.path("start"), folder.path("www"))
            if !FileManager.default.fileExists(atPath: start) {
                #expect(try publish(0, to: "start", options).exitCode == 0)
            }
            try? FileManager.default.removeItem(atPath: www)
            try FileManager.default.copyItem(atPath: start, toPath: www)
            return try publish(1, options, FaultLibrary.environment(fault, at: number, logPath: logPath))
        }

        /// Expects that a publish of a tileset makes the directory right.
        private func expectRepair(by index: Int, _ what: Comment, _ options: [String] = []) throws {
            #expect(try publish(index, options).exitCode == 0, what)
            #expect(try isPublished(index, isVersioned: !options.isEmpty), what)
        }

        /// Whether this is there and nothing else, but for older versions; no empty folder either.
        private func isPublished(_ index: Int, isVersioned: Bool = false) throws -> Bool {
            let www = folder.path("www")
            guard isVersioned else { return try run("diff", ["-r", folder.path("\(index)"), www]).status == 0 }
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: www + "/tilejson.json")))
            let versions = try #require(TileJSON(decoding: bytes).versions)
            let names = try FileManager.default.contentsOfDirectory(atPath: www)
            return try Set(names) == Set(versions + ["tilejson.json"])
                && run("diff", ["-r", folder.path("\(index)"), "\(www)/\(versions[0])"]).status == 0
        }

        @Test func `a publish waits for none that is stopped: it is refused, and the other one goes on`() throws {
            let first = process(0)
            try first.run()
            while first.isRunning, !FileManager.default.fileExists(atPath: folder.path("www")) { usleep(100) }
            kill(first.processIdentifier, SIGSTOP)
            let second = process(1)
            try second.run()
            second.waitUntilExit()
            kill(first.processIdentifier, SIGCONT)
            first.waitUntilExit()
            if first.terminationStatus == 0, second.terminationStatus == 75 {
                #expect(try isPublished(0))
            } else {
                // The first was stopped before it held the directory, or after its end.
                #expect([0, 75].contains(first.terminationStatus) && second.terminationStatus == 0)
            }
            try expectRepair(by: 2, "after both")
        }

        @Test(arguments: UInt64(0)..<(isCampaign ? 200 : 10))
        func `after two at once, the next publish makes the directory right`(seed: UInt64) throws {
            var random = SeededRandom(seed: seed)
            let pair = [process(random.next(below: 3)), process(random.next(below: 3))]
            for process in pair {
                try process.run()
                usleep(UInt32(random.next(below: 60_000)))
            }
            var isKilled = [false, false]
            for _ in 0..<4 {
                usleep(UInt32(random.next(below: 40_000)))
                let index = random.next(below: 2)
                guard pair[index].isRunning else { continue }
                switch random.next(below: 4) {
                case 0:
                    isKilled[index] = true
                    kill(pair[index].processIdentifier, SIGKILL)
                case 1: kill(pair[index].processIdentifier, SIGCONT)
                default: kill(pair[index].processIdentifier, SIGSTOP)
                }
            }
            // One of them is finished before the other goes on.
            for process in random.next(below: 2) == 0 ? pair : pair.reversed() {
                kill(process.processIdentifier, SIGCONT)
                let end = Date().addingTimeInterval(0.2)
                while process.isRunning, Date() < end { usleep(1000) }
            }
            for (process, isKilled) in zip(pair, isKilled) {
                process.waitUntilExit()
                #expect(isKilled || [0, 75].contains(process.terminationStatus))
            }
            try expectRepair(by: random.next(below: 3), "after both")
            #expect(try CommandLineProgram.run(["verify", folder.path("www"), "--quiet"]).exitCode == 0)
        }

        @Test(.enabled(if: try FaultLibrary.requirement.isMet()))
        func `a publish that reports success has published all, whatever call failed`() throws {
            let log = folder.path("calls")
            #expect(try publishOverFirst("NONE", at: 0, logPath: log).exitCode == 0)
            let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            let count = calls.count
            var failureCount = 0
            for number in 1...count where isCampaign || number % 97 == 0 || number > count - 12 {
                let outcome = try publishOverFirst("EIO", at: number)
                #expect(!outcome.wasKilled && [0, 73, 74].contains(outcome.exitCode))
                if outcome.exitCode == 0 {
                    #expect(try isPublished(1), "call \(number) of \(count), \(calls[number - 1])")
                } else {
                    failureCount += 1
                    try expectRepair(by: 1, "after call \(number)")
                }
            }
            #expect(failureCount > 5)
        }

        @Test(
            .enabled(if: try FaultLibrary.requirement.isMet()), arguments: ["KILL", "TORN"],
            [[], ["--versioned", "--keep", "0"]])
        func `a publish that is killed at any call is repaired by the next one of any tileset`(
            fault: String, options: [String]
        ) throws {
            var (number, killCount) = (1, 0)
            while try publishOverFirst(fault, at: number, options).wasKilled {
                killCount += 1
                try expectRepair(by: number % 3, "after call \(number)", options)
                number += isCampaign ? 1 : 97
            }
            #expect(killCount > 5)
        }
    }
#endif
