#if os(Linux)
    import Foundation
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

        private func isPublished(_ index: Int) throws -> Bool {
            try run("diff", ["-r", folder.path("\(index)"), folder.path("www")]).status == 0
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
            try #require(try CommandLineProgram.run(["publish", folder.path("2"), folder.path("www")]).exitCode == 0)
            #expect(try isPublished(2))
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
            let last = random.next(below: 3)
            let publish = ["publish", folder.path("\(last)"), folder.path("www"), "--quiet"]
            #expect(try CommandLineProgram.run(publish).exitCode == 0)
            #expect(try isPublished(last))
            #expect(try CommandLineProgram.run(["verify", folder.path("www"), "--quiet"]).exitCode == 0)
        }

        @Test(.enabled(if: try FaultLibrary.requirement.isMet()))
        func `a publish that reports success has published all, whatever call failed`() throws {
            let start = folder.path("start")
            try #require(try CommandLineProgram.run(["publish", folder.path("0"), start]).exitCode == 0)
            func publish(_ fault: String, at number: Int, logPath: String? = nil) throws -> Int32 {
                try? FileManager.default.removeItem(atPath: folder.path("www"))
                try FileManager.default.copyItem(atPath: start, toPath: folder.path("www"))
                let outcome = try CommandLineProgram.run(
                    ["publish", folder.path("1"), folder.path("www"), "--quiet"],
                    environment: FaultLibrary.environment(fault, at: number, logPath: logPath))
                #expect(!outcome.wasKilled && [0, 73, 74].contains(outcome.exitCode))
                return outcome.exitCode
            }
            let log = folder.path("calls")
            #expect(try publish("NONE", at: 0, logPath: log) == 0)
            let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            let count = calls.count
            var failureCount = 0
            for number in 1...count where isCampaign || number % 97 == 0 || number > count - 12 {
                if try publish("EIO", at: number) == 0 {
                    #expect(try isPublished(1), "call \(number) of \(count), \(calls[number - 1])")
                } else {
                    failureCount += 1
                    let again = ["publish", folder.path("1"), folder.path("www"), "--quiet"]
                    #expect(try CommandLineProgram.run(again).exitCode == 0, "call \(number)")
                    #expect(try isPublished(1), "repaired after call \(number)")
                }
            }
            #expect(failureCount > 5)
        }

        @Test(.enabled(if: try FaultLibrary.requirement.isMet()), arguments: ["KILL", "TORN"])
        func `a publish that is killed at any call is repaired by the next one of any tileset`(fault: String) throws {
            let start = folder.path("start")
            try #require(try CommandLineProgram.run(["publish", folder.path("0"), start]).exitCode == 0)
            var (number, killCount) = (1, 0)
            while true {
                try? FileManager.default.removeItem(atPath: folder.path("www"))
                try FileManager.default.copyItem(atPath: start, toPath: folder.path("www"))
                let outcome = try CommandLineProgram.run(
                    ["publish", folder.path("1"), folder.path("www"), "--quiet"],
                    environment: FaultLibrary.environment(fault, at: number))
                guard outcome.wasKilled else { break }
                killCount += 1
                let last = number % 3
                let publish = ["publish", folder.path("\(last)"), folder.path("www"), "--quiet"]
                #expect(try CommandLineProgram.run(publish).exitCode == 0, "call \(number)")
                #expect(try isPublished(last), "call \(number)")
                number += isCampaign ? 1 : 97
            }
            #expect(killCount > 5)
        }
    }
#endif
