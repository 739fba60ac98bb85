import PyramidPlatform
import Synchronization

/// What happens when another program writes into an input, or cuts it short, while it is read.
///
/// Where other bytes turn up in a row that was accepted, Swift stops at the first thing that can't be; for bytes that
/// are gone, the system ends the process with SIGBUS. ``endProcess(withCode:describe:)`` makes a sentence of it. Nobody
/// notices other bytes that make sense, so the size and the time of the last change decide. Some bytes, such as quotes and
/// nothing else, could keep the reader busy for ever, so a thread looks at the files every second.
public enum ChangedInputs {
    /// From now on, a process that fails because an input was changed ends at once, with a line on standard error; so does
    /// one that hasn't begun to write. Affects the inputs that are opened afterwards.
    ///
    /// Starts a thread, which leaves signals to others.
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
        DispatchQueue(label: "changed inputs").async {
            while true {
                sleep(1)
                description.withLock { _ in endIfChanged(onlyWatched: true) }
            }
        }
    }

    /// Its lock is held by whoever changes which files are watched.
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
        /// Whether the process ends as soon as the file is changed.
        var isWatched = true
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

    private static func endIfChanged(onlyWatched: Bool) {
        var file = files
        while let found = file {
            if found.pointee.isWatched || !onlyWatched, found.pointee.isChanged {
                // Several threads can fail at once.
                while isEnding.exchange(true, ordering: .relaxed) { pause() }
                let line = found.pointee.line
                _ = write(STDERR_FILENO, line.baseAddress, line.count)
                _exit(exitCode)
            }
            file = found.pointee.next
        }
    }

    private static let handle: @convention(c) (Int32) -> Void = { number in
        ChangedInputs.endIfChanged(onlyWatched: false)
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

        /// From now on, a change ends the process only if that fails.
        func end() { description.withLock { _ in file.pointee.isWatched = false } }

        func requireUnchanged() throws(InputError) {
            if file.pointee.isChanged { throw error }
        }
    }
}
