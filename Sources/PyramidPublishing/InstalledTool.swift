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
            var processes: [Int: ChildProcess] = [:]
            /// The number of processes started so far.
            var count = 0

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

        /// Terminates all running processes of the program; their calls of ``run(_:in:_:)`` throw. If none is running,
        /// the next call throws.
        func stop() {
            state.withLock { state in
                state.isStopped = true
                for process in state.processes.values { process.terminate() }
            }
        }

        enum Output {
            case standardOutput, standardError
        }

        /// Called with each line that the program prints, while it runs; an error terminates the program.
        typealias Reporting = (Output, String) throws -> Void

        /// Waits until the program ends.
        /// - Parameters:
        ///   - scratch: for files with its output.
        ///   - reporting: if given, the outcome has no standard output.
        func run(_ arguments: [String], in scratch: ScratchDirectory, _ reporting: Reporting? = nil) throws -> Outcome {
            let files = try ["stdout", "stderr"].map { try OutputFile(path: scratch.path($0)) }
            let pipes = try reporting.map { _ in try [ProcessPipe(), ProcessPipe()] }
            let outputs: [Int32?] = pipes?.map(\.writing) ?? files.map(\.descriptor)
            let (number, process) = try state.withLock { state in
                if state.takeStop() { throw PublishingError(.stopped, "\(name): stopped") }
                let process = try ChildProcess(
                    path: path, arguments, environment: environment, standardOutput: outputs[0],
                    standardError: outputs[1])
                state.count += 1
                state.processes[state.count] = process
                return (state.count, process)
            }
            let reported = Result {
                guard let reporting, let pipes else { return }
                for pipe in pipes { pipe.closeWriting() }
                try InstalledTool.forEachLine(of: pipes.map(\.reading)) { index, line in
                    if index == 1 { try files[1].append(line + "\n") }
                    try reporting(index == 0 ? .standardOutput : .standardError, line)
                }
            }
            if case .failure = reported { process.terminate() }
            process.waitForEnd()
            let isStopped = state.withLock { state in
                state.processes[number] = nil
                return state.takeStop()
            }
            let exitCode = process.exitCode()
            if isStopped { throw PublishingError(.stopped, "\(name): stopped") }
            try reported.get()
            let errors = String(decoding: files[1].bytes, as: UTF8.self)
            let lines = errors.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
            let lastLine = lines.last { !$0.isEmpty }.map(String.init)
            return Outcome(
                exitCode: exitCode, standardOutput: files[0].bytes,
                complaint: lastLine.map(withoutSecrets) ?? "exit code \(exitCode)")
        }

        /// A text of the program without the secrets that it or a host may have repeated.
        func withoutSecrets(_ text: String) -> String { secrets.hidden(in: text) }

        /// A file with what the program writes.
        private final class OutputFile {
            private let path: String
            let descriptor: Int32

            init(path: String) throws(PublishingError) {
                self.path = path
                descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
                guard descriptor >= 0 else { throw failure }
            }

            deinit { close(descriptor) }

            private var failure: PublishingError {
                PublishingError(.failed, "\(path): can't be written: \(OutputError.lastReason())")
            }

            func append(_ text: String) throws(PublishingError) {
                guard Array(text.utf8).withUnsafeBytes({ writeFully($0, to: descriptor) }) else { throw failure }
            }

            var bytes: [UInt8] { Array(FileManager.default.contents(atPath: path) ?? Data()) }
        }

        /// Calls `body` with every line, and the index of its file, until all writers have closed the files.
        private static func forEachLine(of files: [Int32], _ body: (Int, String) throws -> Void) throws {
            var rests = files.map { _ in [UInt8]() }
            var polls = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            // Whatever is negative is passed over.
            while polls.contains(where: { $0.fd >= 0 }) {
                guard uninterrupted({ poll(&polls, nfds_t(polls.count), -1) }) >= 0 else { break }
                for index in polls.indices where polls[index].fd >= 0 && polls[index].revents != 0 {
                    let count = piece.withUnsafeMutableBytes { room in
                        uninterrupted { read(files[index], room.baseAddress, room.count) }
                    }
                    rests[index] += piece[..<max(count, 0)]
                    if count <= 0 {
                        polls[index].fd = -1
                        if !rests[index].isEmpty { rests[index].append(UInt8(ascii: "\n")) }
                    }
                    while let end = rests[index].firstIndex(of: UInt8(ascii: "\n")) {
                        let line = String(decoding: rests[index][..<end], as: UTF8.self)
                        rests[index].removeSubrange(...end)
                        try body(index, line)
                    }
                }
            }
        }

        /// Runs the program and throws if it fails.
        @discardableResult
        func succeed(
            _ arguments: [String], in scratch: ScratchDirectory, _ doing: String, _ reporting: Reporting? = nil
        ) throws -> Outcome {
            let outcome = try run(arguments, in: scratch, reporting)
            guard outcome.exitCode == 0 else {
                throw PublishingError(.failed, "\(doing): \(name) says: \(outcome.complaint)")
            }
            return outcome
        }
    }
#endif
