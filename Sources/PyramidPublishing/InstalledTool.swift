// Apps on iPhones and the like can't start programs.
#if os(macOS) || os(Linux)
    import Foundation
    import Synchronization

    /// A program on this machine that is run repeatedly.
    final class InstalledTool: Sendable {
        let name: String
        private let path: String
        private let environment: [String: String]
        private let state = Mutex(State())

        private struct State {
            var isStopped = false
            var process: Process?
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
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            let paths = folders.map { "\($0)/\(name)" }
            guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
                throw PublishingError(
                    .unusable, "\(name) is not installed or not on the PATH, expected it for \(purpose)")
            }
            self.name = name
            self.path = path
            self.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        }

        /// Terminates the program if it is running; later calls of ``run(_:in:)`` throw.
        func stop() {
            state.withLock { state in
                state.isStopped = true
                state.process?.terminate()
            }
        }

        /// Waits until the program ends.
        /// - Parameter scratch: where its output goes meanwhile.
        func run(_ arguments: [String], in scratch: ScratchDirectory) throws -> Outcome {
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
            try state.withLock { state in
                if state.isStopped { throw PublishingError(.stopped, "\(name): stopped") }
                try InstalledTool.withoutBlockedSignals { try process.run() }
                state.process = process
            }
            process.waitUntilExit()
            let isStopped = state.withLock { state in
                state.process = nil
                return state.isStopped
            }
            if isStopped { throw PublishingError(.stopped, "\(name): stopped") }
            return Outcome(
                exitCode: process.terminationStatus,
                standardOutput: Array(FileManager.default.contents(atPath: files[0].0) ?? Data()),
                standardError: String(
                    decoding: FileManager.default.contents(atPath: files[1].0) ?? Data(), as: UTF8.self))
        }

        /// A program inherits the blocked signals of the thread that starts it. Threads of a pool block all of them,
        /// which would make it impossible to terminate the program.
        private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
            var (none, blocked) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, &blocked)
            defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
            try body()
        }

        /// Runs the program and throws if it fails.
        @discardableResult
        func succeed(_ arguments: [String], in scratch: ScratchDirectory, _ doing: String) throws -> Outcome {
            let outcome = try run(arguments, in: scratch)
            guard outcome.exitCode == 0 else {
                throw PublishingError(.failed, "\(doing): \(name) says: \(outcome.complaint)")
            }
            return outcome
        }
    }
#endif
