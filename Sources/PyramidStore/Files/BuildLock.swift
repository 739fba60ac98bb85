import Foundation

/// The marker file of a build that is under way, locked for as long as its process lives: another build can't begin, and
/// a file without a lock is that of a build that was interrupted.
final class BuildLock: Sendable {
    /// What the file begins with.
    private static let text = "A build of this pyramid is under way, or was interrupted."

    /// Whether the file was there already: a build before this one did not come to its end.
    let followsInterruption: Bool
    private let path: String
    private let descriptor: Int32

    /// Takes the lock.
    /// - Throws: ``OutputError`` of the kind `busy` where another build holds it.
    init(path: String) throws(OutputError) {
        self.path = path
        while true {
            let (file, isNew) = try BuildLock.open(path)
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                let isHeld = errno == EWOULDBLOCK
                let reason = OutputError.lastReason()
                let holder = BuildLock.content(of: file)
                close(file)
                guard isHeld else { throw OutputError(.failed, path, "\(reason)") }
                throw OutputError(.busy, path, "another build holds the directory (\(holder))")
            }
            // The build that held the file may have removed it in the meantime: then the lock is on nothing.
            var (held, named) = (stat(), stat())
            if fstat(file, &held) == 0, lstat(path, &named) == 0, held.st_ino == named.st_ino {
                descriptor = file
                followsInterruption = !isNew
                break
            }
            close(file)
        }
        let content = Array("\(BuildLock.text)\nprocess \(getpid())\n".utf8)
        guard uninterrupted({ ftruncate(descriptor, 0) }) == 0,
            content.withUnsafeBytes({ writeFully($0, to: descriptor) })
        else {
            let error = OutputError(.failed, path, "\(OutputError.lastReason())")
            // Nothing was changed: what is here is as whole as it was.
            if !followsInterruption { unlink(path) }
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Waits until the file is on the disk; its name is the directory's matter.
    func sync() throws(OutputError) { try DirectoryHandle.sync(descriptor, path) }

    /// Whether a file of the marker's name is one: a build that is stopped right after it made the file leaves it empty.
    static func isMarker(_ content: Data) -> Bool {
        content.starts(with: text.utf8) || text.utf8.starts(with: content)
    }

    /// The file, and whether it was made here.
    private static func open(_ path: String) throws(OutputError) -> (file: Int32, isNew: Bool) {
        while true {
            let made = uninterrupted {
                Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
            }
            if made >= 0 { return (made, true) }
            guard errno == EEXIST else { throw OutputError(opening: path) }
            let found = uninterrupted { Foundation.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW) }
            if found >= 0 { return (found, false) }
            // The build that made the file may have ended in the meantime.
            guard errno == ENOENT else { throw OutputError(opening: path) }
        }
    }

    /// The second line: who holds the lock.
    private static func content(of file: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = max(pread(file, &bytes, bytes.count, 0), 0)
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        return lines.count > 1 ? String(lines[1]) : "process unknown"
    }
}
