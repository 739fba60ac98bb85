import Foundation
import Synchronization

/// What happens when another program writes into an input, or cuts it short, while it is read.
///
/// Where other bytes turn up in a row that was accepted, Swift stops at the first thing that can't be; for bytes that
/// are gone, the system ends the process with SIGBUS. ``endProcess(withCode:describe:)`` makes a sentence of it. Nobody
/// notices other bytes that make sense, so the size and the time of the last change decide.
public enum ChangedInputs {
    /// From now on, a process that fails because an input was changed ends at once, with a line on standard error.
    /// Affects the inputs that are opened afterwards.
    /// - Parameter describe: the line for an error.
    public static func endProcess(withCode code: Int32, describe: @escaping @Sendable (InputError) -> String) {
        description.withLock { $0 = describe }
        exitCode = code
        isEnding.store(false, ordering: .relaxed)
        // Swift traps with the last two.
        for number in [SIGBUS, SIGILL, SIGTRAP] {
            sigaction(number, nil, earlierHandlers + Int(number))
            signal(number, handle)
        }
    }

    private static let description = Mutex<(@Sendable (InputError) -> String)?>(nil)
    nonisolated(unsafe) private static var exitCode: Int32 = 0
    private static let isEnding = Atomic(false)
    /// By signal.
    nonisolated(unsafe) private static let earlierHandlers = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
    /// The files that are mapped, as a list that a signal handler can walk. They are only ever added to it.
    nonisolated(unsafe) private static var files: UnsafeMutablePointer<File>?

    /// Nothing in it needs a lock or memory, as a signal handler requires.
    private struct File {
        var isMapped = true
        let path: UnsafeMutablePointer<CChar>
        /// From before the first byte was read.
        let status: stat
        let line: UnsafeMutableBufferPointer<UInt8>
        let next: UnsafeMutablePointer<File>?

        /// Whether the file is there and was written; another file that was renamed to its path doesn't count.
        var isChanged: Bool {
            var now = stat()
            guard isMapped, stat(path, &now) == 0, now.st_dev == status.st_dev, now.st_ino == status.st_ino else {
                return false
            }
            #if canImport(Darwin)
                let (time, before) = (now.st_mtimespec, status.st_mtimespec)
            #else
                let (time, before) = (now.st_mtim, status.st_mtim)
            #endif
            return now.st_size != status.st_size || time.tv_sec != before.tv_sec || time.tv_nsec != before.tv_nsec
        }
    }

    private static let handle: @convention(c) (Int32) -> Void = { number in
        var file = ChangedInputs.files
        while let found = file {
            if found.pointee.isChanged {
                // Several threads can fail at once.
                while ChangedInputs.isEnding.exchange(true, ordering: .relaxed) { pause() }
                let line = found.pointee.line
                _ = write(STDERR_FILENO, line.baseAddress, line.count)
                _exit(ChangedInputs.exitCode)
            }
            file = found.pointee.next
        }
        // What failed is tried again, and fails as it always did.
        sigaction(number, ChangedInputs.earlierHandlers + Int(number), nil)
    }

    /// Keeps an eye on a mapped file as long as it lives.
    final class Watch: Sendable {
        nonisolated(unsafe) private let file: UnsafeMutablePointer<File>
        private let error: InputError

        /// - Parameter status: that of the mapped file, also if another is at the path by now.
        init(path: String, status: stat, name: String) {
            let error = InputError(
                .unreadable, in: name,
                "was changed by another program while it was read; build again when it is complete")
            self.error = error
            file = .allocate(capacity: 1)
            description.withLock { describe in
                let line = Array((describe.map { $0(error) + "\n" } ?? "").utf8)
                let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: line.count)
                _ = buffer.initialize(from: line)
                file.initialize(
                    to: File(path: strdup(path), status: status, line: buffer, next: files))
                files = file
            }
        }

        deinit { file.pointee.isMapped = false }

        func requireUnchanged() throws(InputError) {
            if file.pointee.isChanged { throw error }
        }
    }
}
