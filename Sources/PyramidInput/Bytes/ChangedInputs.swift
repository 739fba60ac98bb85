import PyramidPlatform
import PyramidStore
import Synchronization

/// Ends the process with a sentence if another program shortens an input while it is read.
///
/// Inputs are mapped into memory; a process that reads bytes which the file no longer has gets SIGBUS.
/// ``endProcess(withCode:describe:)`` turns that into an error message. Rows that are read again may have other bytes;
/// readers cope with that, and the build ends with an error once it finds the input changed.
public enum ChangedInputs {
    /// From now on, reading a byte that an input no longer has ends the process, with a line on standard error. Affects
    /// only inputs opened afterwards.
    /// - Parameter describe: makes the line from an error.
    public static func endProcess(withCode code: Int32, describe: @escaping @Sendable (InputError) -> String) {
        description.withLock { $0 = describe }
        exitCode = code
        signal(SIGBUS, handle)
    }

    /// Locked while a file is added.
    private static let description = Mutex<(@Sendable (InputError) -> String)?>(nil)
    nonisolated(unsafe) private static var exitCode: Int32 = 0
    private static let isEnding = Atomic(false)
    /// The mapped files, as a list that a signal handler can walk. Files are only ever added.
    nonisolated(unsafe) private static var files: UnsafeMutablePointer<File>?

    /// A mapped file. A signal handler may read it: no locks, no allocation.
    struct File {
        var isMapped = true
        fileprivate let path: UnsafeMutablePointer<CChar>
        /// Taken before the first byte was read.
        fileprivate let version: FileVersion
        fileprivate let line: UnsafeMutableBufferPointer<UInt8>
        fileprivate let next: UnsafeMutablePointer<File>?

        /// Whether the mapped file was written to. Another file renamed to its path doesn't count.
        var isChanged: Bool {
            guard isMapped, let now = FileVersion(of: path), now.file == version.file else { return false }
            return now != version
        }
    }

    private static let handle: @convention(c) (Int32) -> Void = { number in
        var file = ChangedInputs.files
        while let found = file {
            if found.pointee.isChanged {
                // Several threads can get here at once; only the first goes on.
                while ChangedInputs.isEnding.exchange(true, ordering: .relaxed) { pause() }
                let line = found.pointee.line
                _ = write(STDERR_FILENO, line.baseAddress, line.count)
                _exit(ChangedInputs.exitCode)
            }
            file = found.pointee.next
        }
        // The failed access is repeated and ends the process.
        signal(number, SIG_DFL)
    }

    package static func error(_ name: String) -> InputError {
        InputError(
            .unreadable, in: name, "was changed by another program while it was read; build again when it is complete")
    }

    /// - Parameter version: of the mapped file, even if another file has its path by now.
    static func watch(_ path: String, _ version: FileVersion, name: String) -> UnsafeMutablePointer<File> {
        let file = UnsafeMutablePointer<File>.allocate(capacity: 1)
        description.withLock { describe in
            let line = Array((describe.map { $0(error(name)) + "\n" } ?? "").utf8)
            let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: line.count)
            _ = buffer.initialize(from: line)
            file.initialize(to: File(path: strdup(path), version: version, line: buffer, next: files))
            files = file
        }
        return file
    }
}
