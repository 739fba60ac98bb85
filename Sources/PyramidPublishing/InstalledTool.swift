// Apps on iPhones and the like can't start programs.
#if os(macOS) || os(Linux)
    import Foundation
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
            var processes: [Process] = []

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
            /// Why the program failed: the last line of its standard error that isn't empty, without secrets.
            let complaint: String
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
            secrets = EnvironmentSecrets(of: environment)
        }

        /// Terminates the program wherever it is running: that call of ``run(_:in:_:)`` throws, or else the next one.
        func stop() {
            state.withLock { state in
                state.isStopped = true
                for process in state.processes { process.terminate() }
            }
        }

        /// What is said while the program runs.
        struct Reporting {
            enum Output {
                case standardOutput, standardError
                /// As one; what is asked of the outcome is on standard error.
                case both
            }

            let output: Output
            /// Called with each line; its errors terminate the program.
            /// - Returns: whether the outcome keeps the line.
            let body: (String) throws -> Bool
        }

        /// Waits until the program ends.
        /// - Parameters:
        ///   - scratch: where its output goes meanwhile.
        ///   - reporting: reads one of the outputs instead.
        func run(_ arguments: [String], in scratch: ScratchDirectory, _ reporting: Reporting? = nil) throws -> Outcome {
            let files = try ["stdout", "stderr"].map { name in
                let path = scratch.path(name)
                _ = FileManager.default.createFile(atPath: path, contents: nil)
                guard let file = FileHandle(forWritingAtPath: path) else {
                    throw PublishingError(.failed, "\(path): can't be written")
                }
                return (path, file)
            }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            process.environment = environment
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = files[0].1
            process.standardError = files[1].1
            let pipe = reporting.map { _ in Pipe() }
            switch reporting?.output {
            case .standardOutput: process.standardOutput = pipe
            case .standardError: process.standardError = pipe
            case .both:
                process.standardOutput = pipe
                process.standardError = pipe
            case nil: break
            }
            try state.withLock { state in
                if state.takeStop() { throw PublishingError(.stopped, "\(name): stopped") }
                try InstalledTool.withoutBlockedSignals { try process.run() }
                state.processes.append(process)
            }
            let reported = Result {
                guard let reporting, let pipe else { return }
                let file = files[reporting.output == .standardOutput ? 0 : 1].1
                try InstalledTool.forEachLine(of: pipe.fileHandleForReading.fileDescriptor) { line in
                    if try reporting.body(line) { try file.write(contentsOf: Data((line + "\n").utf8)) }
                }
            }
            if case .failure = reported { process.terminate() }
            process.waitUntilExit()
            let isStopped = state.withLock { state in
                state.processes.removeAll { $0 === process }
                return state.takeStop()
            }
            if isStopped { throw PublishingError(.stopped, "\(name): stopped") }
            try reported.get()
            let errors = String(decoding: FileManager.default.contents(atPath: files[1].0) ?? Data(), as: UTF8.self)
            let lines = errors.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
            let lastLine = lines.last { !$0.isEmpty }.map(String.init)
            return Outcome(
                exitCode: process.terminationStatus,
                standardOutput: Array(FileManager.default.contents(atPath: files[0].0) ?? Data()),
                standardError: errors,
                complaint: lastLine.map(withoutSecrets) ?? "exit code \(process.terminationStatus)")
        }

        /// Words of the program, which may repeat what it was told, and what hosts have said.
        func withoutSecrets(_ text: String) -> String { secrets.hidden(in: text) }

        /// A program inherits the blocked signals of the thread that starts it. Threads of a pool block all of them,
        /// which would make it impossible to terminate the program.
        private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
            var (none, blocked) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, &blocked)
            defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
            try body()
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
