import Foundation
import PyramidBuild
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
        fileBefore.withLock { $0 = FileNumber(of: outputPath) }
        // A failed write is an error with a message, not a reason to be killed.
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        var signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        ChangedInputs.endProcess(withCode: Failure.readOrWrite.rawValue) { error in
            // Below the progress bar.
            (Console.isTerminal ? "\n" : "") + "error: " + error.message.withFlags.escapingControls()
        }
        Thread.detachNewThread {
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

        init?(of path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            (device, number) = (Int(status.st_dev), UInt64(status.st_ino))
        }
    }

    /// The output before the build. A new archive is written while the old one is still there.
    private static let fileBefore = Mutex<FileNumber?>(nil)

    /// What a build that didn't end well has left.
    static func state(of path: String) -> String {
        if ArchiveTilesetWriter.isArchive(path) {
            let workPath = ArchiveTilesetWriter.workPath(of: path)
            let left = access(workPath, F_OK) == 0 ? "; the next build removes \(workPath)" : ""
            let isNew = fileBefore.withLock { $0 != FileNumber(of: path) }
            return "\(path) is \(isNew ? "the new archive" : "as it was")\(left)"
        }
        return DirectoryTileset(path: path).isBeingBuilt
            ? "\(path) is incomplete, and the next build repairs it" : "\(path) is as it was"
    }
}
