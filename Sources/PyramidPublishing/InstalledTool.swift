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
        private let state = Mutex(State())

        private struct State {
            var isStopped = false
            var processes: [Int: ChildProcess] = [:]
            /// How many have been started.
            var count = 0

            /// - Returns: whether somebody has asked for a stop, which is taken to be done then.
            mutating func takeStop() -> Bool {
                defer { isStopped = false }
                return isStopped
            }
        }

        struct Outcome {
            let exitCode: Int32
            let standardOutput: [UInt8]
            let standardError: String

            /// The last line that isn't empty.
            var complaint: String {
                let lines = standardError.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
                return lines.last { !$0.isEmpty }.map(String.init) ?? "exit code \(exitCode)"
            }
        }

        /// - Parameters:
        ///   - purpose: what it is needed for, such as "s3:// destinations".
        ///   - environment: added to that of this process.
        init(_ name: String, purpose: String, environment: [String: String] = [:]) throws(PublishingError) {
            let environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let folders = (environment["PATH"] ?? "").split(separator: ":")
            let paths = folders.map { "\($0)/\(name)" }
            guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
                throw PublishingError(
                    .unusable, "\(name) is not installed or not on the PATH, expected it for \(purpose)")
            }
            self.name = name
            self.path = path
            self.environment = environment
        }

        /// Terminates the program wherever it is running: that call of ``run(_:in:_:)`` throws, or else the next one.
        func stop() {
            state.withLock { state in
                state.isStopped = true
                for process in state.processes.values { process.terminate() }
            }
        }

        /// What is said while the program runs.
        struct Reporting {
            /// Its number counts from standard output.
            enum Output: Int {
                case standardOutput, standardError
            }

            let output: Output
            /// Called with each line; its errors terminate the program.
            let body: (String) throws -> Void
        }

        /// Waits until the program ends.
        /// - Parameters:
        ///   - scratch: where its output goes meanwhile.
        ///   - reporting: reads one of the outputs instead.
        func run(_ arguments: [String], in scratch: ScratchDirectory, _ reporting: Reporting? = nil) throws -> Outcome {
            let files = try ["stdout", "stderr"].map { try OutputFile(path: scratch.path($0)) }
            let pipe = try reporting.map { _ in try ProcessPipe() }
            var outputs: [Int32?] = files.map(\.descriptor)
            if let reporting, let pipe { outputs[reporting.output.rawValue] = pipe.writing }
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
                try InstalledTool.forEachLine(of: pipe.reading) { line in
                    // Kept for what is asked of the outcome.
                    try files[reporting.output.rawValue].append(line + "\n")
                    try reporting.body(line)
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
            return Outcome(
                exitCode: exitCode, standardOutput: files[0].bytes,
                standardError: String(decoding: files[1].bytes, as: UTF8.self))
        }

        /// What a program has written.
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
