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
            let standardError: String
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

        /// Reads the output of the program line by line while it runs.
        struct Reporting {
            enum Output {
                case standardOutput, standardError
                /// Both as one stream; the outcome has it as its standard error.
                case both
            }

            let output: Output
            /// Called with each line; an error terminates the program.
            /// - Returns: whether to keep the line for the outcome.
            let body: (String) throws -> Bool
        }

        /// Waits until the program ends.
        /// - Parameters:
        ///   - scratch: for files with its output.
        ///   - reporting: reads an output while the program runs.
        func run(_ arguments: [String], in scratch: ScratchDirectory, _ reporting: Reporting? = nil) throws -> Outcome {
            let files = try ["stdout", "stderr"].map { try OutputFile(path: scratch.path($0)) }
            let pipe = try reporting.map { _ in try ProcessPipe() }
            var outputs: [Int32?] = files.map(\.descriptor)
            switch reporting?.output {
            case .standardOutput: outputs[0] = pipe?.writing
            case .standardError: outputs[1] = pipe?.writing
            case .both: outputs = [pipe?.writing, pipe?.writing]
            case nil: break
            }
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
                guard let reporting, let pipe else { return }
                pipe.closeWriting()
                let file = files[reporting.output == .standardOutput ? 0 : 1]
                try InstalledTool.forEachLine(of: pipe.reading) { line in
                    if try reporting.body(line) { try file.append(line + "\n") }
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
                exitCode: exitCode, standardOutput: files[0].bytes, standardError: errors,
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

        /// Calls `body` with every line until all writers have closed the file.
        private static func forEachLine(of file: Int32, _ body: (String) throws -> Void) throws {
            var rest: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = piece.withUnsafeMutableBytes { room in
                    uninterrupted { read(file, room.baseAddress, room.count) }
                }
                guard count > 0 else { break }
                rest += piece[..<count]
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    try body(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
            if !rest.isEmpty { try body(String(decoding: rest, as: UTF8.self)) }
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
