// Apps on iPhones and the like can't start programs.
#if os(macOS) || os(Linux)
    import PyramidPlatform
    import PyramidStore
    import Synchronization

    /// A program on this machine that is run repeatedly.
    final class InstalledTool: Sendable {
        let name: String
        private let path: String
        private let environment: [String: String]
        private let secrets: EnvironmentSecrets
        private let state = Mutex(State())

        private struct State {
            var isStopped = false
            var process: ChildProcess?

            /// Clears a request to stop.
            /// - Returns: whether there was one.
            mutating func takeStop() -> Bool {
                defer { isStopped = false }
                return isStopped
            }
        }

        struct Outcome {
            let exitCode: Int32
            let standardOutput: [UInt8]
            /// Why the program failed: the last line of its standard error that isn't empty, without secrets.
            let complaint: String
        }

        /// - Parameters:
        ///   - purpose: what it is needed for, for the message, such as "s3:// destinations".
        ///   - environment: added to the environment of this process.
        init(_ name: String, purpose: String, environment: [String: String] = [:]) throws(PublishingError) {
            let environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let folders = (environment["PATH"] ?? "").split(separator: ":")
            let paths = folders.map { "\($0)/\(name)" }
            guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
                throw PublishingError(
                    .unusable, "\(name) is not installed or not on the PATH, needed for \(purpose)")
            }
            self.name = name
            self.path = path
            self.environment = environment
            secrets = EnvironmentSecrets(of: environment)
        }

        /// Terminates the program if it is running; the call of ``run(_:_:)`` throws. Otherwise the next call throws.
        func stop() {
            state.withLock { state in
                state.isStopped = true
                state.process?.terminate()
            }
        }

        /// Called with each line of the program's standard output or standard error, while it runs; an error terminates
        /// the program.
        typealias Reporting = (_ line: String, _ isError: Bool) throws -> Void

        /// Waits until the program ends. One call at a time.
        func run(_ arguments: [String], _ reporting: Reporting? = nil) throws -> Outcome {
            let pipes = try [ProcessPipe(), ProcessPipe()]
            let process = try state.withLock { state in
                if state.takeStop() { throw PublishingError(.stopped, "\(name): stopped") }
                let process = try ChildProcess(
                    path: path, arguments, environment: environment, standardOutput: pipes[0].writing,
                    standardError: pipes[1].writing)
                state.process = process
                return process
            }
            for pipe in pipes { pipe.closeWriting() }
            var outputs: [[UInt8]] = [[], []]
            let reported = Result { try InstalledTool.read(pipes.map(\.reading), into: &outputs, reporting) }
            if case .failure = reported { process.terminate() }
            process.waitForEnd()
            let isStopped = state.withLock { state in
                state.process = nil
                return state.takeStop()
            }
            let exitCode = process.exitCode()
            if isStopped { throw PublishingError(.stopped, "\(name): stopped") }
            try reported.get()
            let lines = String(decoding: outputs[1], as: UTF8.self).split(separator: "\n")
            let lastLine = lines.map { $0.trimmingPrefix(while: \.isWhitespace) }.last { !$0.isEmpty }.map(String.init)
            return Outcome(
                exitCode: exitCode, standardOutput: outputs[0],
                complaint: lastLine.map(withoutSecrets) ?? "exit code \(exitCode)")
        }

        /// A text of the program without the secrets that it or a host may have repeated.
        func withoutSecrets(_ text: String) -> String { secrets.hidden(in: text) }

        /// Reads files until all writers have closed them, and reports each line as soon as it is there.
        private static func read(_ files: [Int32], into outputs: inout [[UInt8]], _ reporting: Reporting?) throws {
            var starts = files.map { _ in 0 }
            var polls = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            // Whatever is negative is passed over.
            while polls.contains(where: { $0.fd >= 0 }) {
                guard uninterrupted({ poll(&polls, nfds_t(polls.count), -1) }) >= 0 else { break }
                for index in polls.indices where polls[index].fd >= 0 && polls[index].revents != 0 {
                    let count = piece.withUnsafeMutableBytes { room in
                        uninterrupted { PyramidPlatform.read(files[index], room.baseAddress, room.count) }
                    }
                    outputs[index] += piece[..<max(count, 0)]
                    if count <= 0 { polls[index].fd = -1 }
                    guard let reporting else { continue }
                    if count <= 0, starts[index] < outputs[index].count { outputs[index].append(UInt8(ascii: "\n")) }
                    while let end = outputs[index][starts[index]...].firstIndex(of: UInt8(ascii: "\n")) {
                        let line = String(decoding: outputs[index][starts[index]..<end], as: UTF8.self)
                        starts[index] = end + 1
                        try reporting(line, index == 1)
                    }
                }
            }
        }

        /// Runs the program and throws if it fails.
        @discardableResult
        func succeed(
            _ arguments: [String], _ doing: String, _ reporting: Reporting? = nil
        ) throws -> Outcome {
            let outcome = try run(arguments, reporting)
            guard outcome.exitCode == 0 else {
                throw PublishingError(.failed, "\(doing): \(name) says: \(outcome.complaint)")
            }
            return outcome
        }
    }
#endif
