import Foundation
import PyramidStore
import PyramidTiles

/// Ends a build on SIGINT and SIGTERM at once, as a crash would: what it leaves behind is marked as incomplete.
enum Interruption {
    /// Lets the signals end the program, even if it was started by a thread that blocks them, as those of dispatch do.
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

    /// Begins to wait for the signals on a thread of its own. Has to be called before any other thread starts, because
    /// only threads that start later leave the signals to this one.
    static func watch(outputPath: String) {
        // What can't be written is an error of the write, with its message, and no reason to be killed.
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        var signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread {
            var signals = Interruption.signals
            var number: Int32 = 0
            guard sigwait(&signals, &number) == 0 else { return }
            // A second signal need not wait for the words.
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            let name = number == SIGINT ? "SIGINT" : "SIGTERM"
            let state =
                DirectoryTileset(path: outputPath).isBeingBuilt
                ? "\(outputPath) is incomplete, and the next build repairs it" : "\(outputPath) is as it was"
            // Below the bar that shows how far the build is.
            if Console.isTerminal { Console.line("") }
            Console.error("stopped by \(name): \(state)")
            _exit(128 + number)
        }
    }
}
