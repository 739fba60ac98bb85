import Foundation
import Synchronization

/// What happens when another program cuts an input short while it is read.
///
/// The bytes that are gone can't be read any more: the system ends the process with SIGBUS, or they turn out to be
/// zeros, on the last page that is left. ``endProcess(withCode:describe:)`` makes a sentence of it.
public enum TruncatedInputs {
    /// From now on, a process that fails because an input was cut short ends at once, with a line on standard error.
    /// Affects the inputs that are opened afterwards.
    /// - Parameter describe: the line for an error.
    public static func endProcess(withCode code: Int32, describe: @escaping @Sendable (InputError) -> String) {
        description.withLock { $0 = describe }
        exitCode = code
        isEnding.store(false, ordering: .relaxed)
        // Swift stops at the first thing that can't be, which zeros in a row that was accepted are, with the others.
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
        /// 0 once the file is no longer mapped.
        var byteCount: Int
        let path: UnsafeMutablePointer<CChar>
        let device: dev_t
        let inode: ino_t
        let line: UnsafeMutableBufferPointer<UInt8>
        let next: UnsafeMutablePointer<File>?

        /// Whether the file is there and shorter than it was; another file that was renamed to its path doesn't count.
        var isCut: Bool {
            var status = stat()
            return byteCount > 0 && stat(path, &status) == 0 && status.st_dev == device && status.st_ino == inode
                && Int(status.st_size) < byteCount
        }
    }

    private static let handle: @convention(c) (Int32) -> Void = { number in
        var file = TruncatedInputs.files
        while let found = file {
            if found.pointee.isCut {
                // Several threads can fail at once.
                while TruncatedInputs.isEnding.exchange(true, ordering: .relaxed) { pause() }
                let line = found.pointee.line
                _ = write(STDERR_FILENO, line.baseAddress, line.count)
                _exit(TruncatedInputs.exitCode)
            }
            file = found.pointee.next
        }
        // What failed is tried again, and fails as it always did.
        sigaction(number, TruncatedInputs.earlierHandlers + Int(number), nil)
    }

    /// Keeps an eye on a mapped file as long as it lives.
    final class Watch: Sendable {
        nonisolated(unsafe) private let file: UnsafeMutablePointer<File>
        private let error: InputError

        init(path: String, byteCount: Int, name: String) {
            let error = InputError(
                .unreadable, in: name,
                "was cut short by another program while it was read; build again when it is complete")
            self.error = error
            var status = stat()
            let isThere = stat(path, &status) == 0
            file = .allocate(capacity: 1)
            description.withLock { describe in
                let line = Array((describe.map { $0(error) + "\n" } ?? "").utf8)
                let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: line.count)
                _ = buffer.initialize(from: line)
                file.initialize(
                    to: File(
                        byteCount: isThere ? byteCount : 0, path: strdup(path), device: status.st_dev,
                        inode: status.st_ino, line: buffer, next: files))
                files = file
            }
        }

        deinit { file.pointee.byteCount = 0 }

        func requireWhole() throws(InputError) {
            if file.pointee.isCut { throw error }
        }
    }
}
