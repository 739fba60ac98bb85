import Foundation

/// The marker file of a build that is under way, locked for as long as its process lives: another build can't begin, and
/// a file without a lock is that of a build that was interrupted.
final class BuildLock: Sendable {
    /// What the file begins with.
    static let text = "A build of this pyramid is under way, or was interrupted."

    private let descriptor: Int32

    /// Takes the lock.
    /// - Throws: ``OutputError`` of the kind `busy` where another build holds it.
    init(path: String) throws(OutputError) {
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard file >= 0 else { throw OutputError(.unusable, path, OutputError.lastReason()) }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                let isHeld = errno == EWOULDBLOCK
                let reason = OutputError.lastReason()
                let holder = BuildLock.content(of: file)
                close(file)
                guard isHeld else { throw OutputError(.failed, path, reason) }
                throw OutputError(.busy, path, "another build holds the directory (\(holder))")
            }
            // The build that held the file may have removed it in the meantime: then the lock is on nothing.
            var (held, named) = (stat(), stat())
            if fstat(file, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino {
                descriptor = file
                break
            }
            close(file)
        }
        let content = Array("\(BuildLock.text)\nprocess \(getpid())\n".utf8)
        guard ftruncate(descriptor, 0) == 0, Foundation.write(descriptor, content, content.count) == content.count
        else {
            throw OutputError(.failed, path, OutputError.lastReason())
        }
    }

    deinit { close(descriptor) }

    /// The second line: who holds the lock.
    private static func content(of file: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = max(pread(file, &bytes, bytes.count, 0), 0)
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        return lines.count > 1 ? String(lines[1]) : "process unknown"
    }
}
