import PyramidBuild
import PyramidPlatform
import PyramidStore
import PyramidTiles
import Synchronization

/// Ends a build at once on SIGINT and SIGTERM, as a crash would; what it leaves behind is marked as incomplete.
enum Interruption {
    /// Lets the signals end the program, even if the thread that started it blocks them, as dispatch's threads do.
    static func allow() {
        var signals = signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }

    /// Waits for the signals on a thread of its own. Must be called before any other thread starts, because
    /// only threads that start later leave the signals to this one.
    static func watch(outputPath: String) {
        fileBefore.withLock { $0 = FileNumber(ofOutput: outputPath) }
        // A failed write is an error with a message, not a reason to be killed.
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        var signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        ChangedInputs.endProcess(withCode: Failure.readOrWrite.rawValue) { error in
            // Below the progress bar.
            (Console.isTerminal ? "\n" : "") + "error: " + error.message.withFlags.escapingControls()
        }
        DispatchQueue(label: "interruption").async {
            var signals = Interruption.signals
            var number: Int32 = 0
            guard sigwait(&signals, &number) == 0 else { return }
            // A second signal ends the program without waiting for the message.
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            let name = number == SIGINT ? "SIGINT" : "SIGTERM"
            ArchiveTilesetWriter.removeLeftovers(of: outputPath)
            let state = Interruption.state(of: outputPath)
            // Below the progress bar.
            if Console.isTerminal { Console.line("") }
            Console.error("stopped by \(name): \(state)")
            _exit(128 + number)
        }
    }

    /// Tells a file from another one that was there at the same time.
    private struct FileNumber: Equatable {
        let device: Int
        let number: UInt64

        /// - Returns: `nil` if there is no regular file.
        init?(of path: String) {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            (device, number) = (Int(status.st_dev), UInt64(status.st_ino))
        }

        /// The file of an output that is replaced when all the others are there: its manifest, or the output itself.
        init?(ofOutput path: String) {
            guard let file = FileNumber(of: path + "/" + Manifest.fileName) ?? FileNumber(of: path) else { return nil }
            self = file
        }
    }

    /// The output before the build. A new one is written while the old one is still there.
    private static let fileBefore = Mutex<FileNumber?>(nil)

    /// What a build that didn't end well has left.
    static func state(of path: String) -> String {
        guard !DirectoryTileset(path: path).isBeingBuilt else {
            return "\(path) is incomplete, and the next build repairs it"
        }
        let isNew = fileBefore.withLock { $0 != FileNumber(ofOutput: path) }
        let workPath = ArchiveTilesetWriter.workPath(of: path)
        let left = access(workPath, F_OK) == 0 ? "; the next build removes \(workPath)" : ""
        return "\(path) is \(isNew ? "the new version" : "as it was")\(left)"
    }
}
