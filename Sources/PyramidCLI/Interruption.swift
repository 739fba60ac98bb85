import ArgumentParser
import PyramidInput
import PyramidPlatform
import PyramidStore
import PyramidTiles
import Synchronization

/// Ends a build at once on SIGINT and SIGTERM, as a crash would; an unfinished output is marked as incomplete.
enum Interruption {
    /// Lets the signals end the program, even if the thread that started it blocks them, as dispatch's threads do.
    static func allow() {
        var signals = signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Blocks the signals in this thread and in threads that it starts, so that ``next()`` receives them.
    static func block() {
        var signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for a signal; `nil` if waiting fails.
    static func next() -> Int32? {
        var signals = signals
        var number: Int32 = 0
        return sigwait(&signals, &number) == 0 ? number : nil
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }

    /// Waits for the signals on a thread of its own. Must be called before any other thread starts, because
    /// only threads that start later leave the signals to this one. If the system allows no thread, the signals end
    /// the process at once, without a message.
    static func watch(outputPath: String) {
        fileBefore.withLock { $0 = lastFile(ofOutput: outputPath) }
        // Failed writes return an error instead of ending the program.
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        block()
        ChangedInputs.endProcess(withCode: Failure.readOrWrite.rawValue) { error in
            // Starts on the line after the progress bar.
            (Console.isTerminal ? "\n" : "") + "error: " + error.message.withFlags.escapingControls()
        }
        let thread = WorkerThread {
            guard let number = next() else { return }
            // A second signal ends the program without waiting for the message.
            allow()
            let name = number == SIGINT ? "SIGINT" : "SIGTERM"
            ArchiveTilesetWriter.removeLeftovers(of: outputPath)
            let state = Interruption.state(of: outputPath)
            // Starts on the line after the progress bar.
            if Console.isTerminal { Console.line("") }
            Console.error("stopped by \(name): \(state)")
            _exit(128 + number)
        }
        if thread == nil { allow() }
    }

    /// The file that a build replaces last: a directory's manifest, or the archive itself; `nil` if neither is a
    /// regular file.
    private static func lastFile(ofOutput path: String) -> FileIdentity? {
        for path in [path + "/" + Manifest.fileName, path] {
            var status = stat()
            if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return FileIdentity(status) }
        }
        return nil
    }

    /// The ``lastFile(ofOutput:)`` before the build. Its identity changes when the build is done.
    private static let fileBefore = Mutex<FileIdentity?>(nil)

    /// The state of the output after a failed or interrupted build, for the user.
    static func state(of path: String) -> String {
        guard !DirectoryTileset(path: path).isBeingBuilt else {
            return "\(path) is incomplete, and the next build repairs it"
        }
        let isNew = fileBefore.withLock { $0 != lastFile(ofOutput: path) }
        let workPath = ArchiveTilesetWriter.workPath(of: path)
        let left = access(workPath, F_OK) == 0 ? "; the next build removes \(workPath)" : ""
        return "\(path) is \(isNew ? "the new version" : "unchanged")\(left)"
    }
}

/// Runs `body` and turns an error into one line on standard error and an exit code.
/// - Parameter outputPath: the output of a build; messages about failed writes then state what became of it.
func reportingErrors(of outputPath: String? = nil, _ body: () throws -> Void) throws {
    do {
        try body()
    } catch let error as ExitCode {
        throw error
    } catch {
        let isFailure = (error as? OutputError)?.kind == .failed
        let state = outputPath.flatMap { isFailure ? "; " + Interruption.state(of: $0) : nil } ?? ""
        Console.error(error.lineWithAdvice + state)
        throw Failure.exitCode(of: error)
    }
}
