import PyramidPlatform
import PyramidStore
import Synchronization

/// What happens when another program cuts an input short while it is read.
///
/// Inputs are mapped into memory, and a process that reads bytes of a file which are gone gets SIGBUS from the system.
/// ``endProcess(withCode:describe:)`` makes a sentence of it. Whoever reads a row again copes with other bytes, and the build
/// ends with an error when it finds that an input was changed.
public enum ChangedInputs {
    /// From now on, a process that reads bytes of an input which are gone ends at once, with a line on standard error. Affects
    /// the inputs that are opened afterwards.
    /// - Parameter describe: the line for an error.
    public static func endProcess(withCode code: Int32, describe: @escaping @Sendable (InputError) -> String) {
        description.withLock { $0 = describe }
        exitCode = code
        signal(SIGBUS, handle)
    }

    /// Its lock is held by whoever adds a file.
    private static let description = Mutex<(@Sendable (InputError) -> String)?>(nil)
    nonisolated(unsafe) private static var exitCode: Int32 = 0
    private static let isEnding = Atomic(false)
    /// The files that are mapped, as a list that a signal handler can walk. They are only ever added to it.
    nonisolated(unsafe) private static var files: UnsafeMutablePointer<File>?

    /// Nothing in it needs a lock or memory, as a signal handler requires.
    private struct File {
        var isMapped = true
        let path: UnsafeMutablePointer<CChar>
        /// From before the first byte was read.
        let version: FileVersion
        let line: UnsafeMutableBufferPointer<UInt8>
        let next: UnsafeMutablePointer<File>?

        /// Whether the file is there and was written; another file that was renamed to its path doesn't count.
        var isChanged: Bool {
            guard isMapped, let now = FileVersion(of: path), now.file == version.file else { return false }
            return now != version
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
        // What failed is tried again, and ends the process.
        signal(number, SIG_DFL)
    }

    /// Notices whether a mapped file is changed.
    final class Watch: Sendable {
        nonisolated(unsafe) private let file: UnsafeMutablePointer<File>
        private let error: InputError

        /// - Parameter version: that of the mapped file, also if another is at the path by now.
        init(path: String, version: FileVersion, name: String) {
            let error = InputError(
                .unreadable, in: name,
                "was changed by another program while it was read; build again when it is complete")
            self.error = error
            file = .allocate(capacity: 1)
            description.withLock { describe in
                let line = Array((describe.map { $0(error) + "\n" } ?? "").utf8)
                let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: line.count)
                _ = buffer.initialize(from: line)
                file.initialize(to: File(path: strdup(path), version: version, line: buffer, next: files))
                files = file
            }
        }

        deinit { file.pointee.isMapped = false }

        func requireUnchanged() throws(InputError) {
            if file.pointee.isChanged { throw error }
        }
    }
}
