import PyramidPlatform
import Synchronization

/// The marker file of a build in progress, or of a publish to a directory. It is locked as long as the process lives, so
/// that no second one can start. A marker without a lock belongs to an interrupted build or publish.
package final class BuildLock: Sendable {
    /// The first line of the file.
    private static let text = "A build of this pyramid is under way, or was interrupted."

    /// Whether the file existed already: an earlier build or publish was interrupted.
    package let followsInterruption: Bool
    private let path: String
    /// The open file. Its position is after the marker's text, so anything else is written after that.
    let descriptor: Int32

    /// How many locks are being taken: their files may be there without the text that says whose they are.
    private static let takingCount = Atomic(0)
    private static let isEnding = Atomic(false)

    private static func beginTaking() {
        takingCount.add(1, ordering: .sequentiallyConsistent)
        if isEnding.load(ordering: .sequentiallyConsistent) { endTaking() }
    }

    /// Goes no further if the process is about to end.
    private static func endTaking() {
        takingCount.subtract(1, ordering: .sequentiallyConsistent)
        while isEnding.load(ordering: .sequentiallyConsistent) { pause() }
    }

    /// Lets this process take no more locks, because it is about to end. Waits for those that are being taken, but not
    /// so long that the process ends later than a second after its signal.
    static func takeNoMore() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        for _ in 0..<80 where takingCount.load(ordering: .sequentiallyConsistent) > 0 { usleep(10_000) }
    }

    /// Takes the lock.
    /// - Parameter what: what the lock protects, for the message.
    /// - Throws: ``OutputError`` of the kind `busy` if another build or publish holds the lock.
    package init(path: String, of what: String = "directory") throws(OutputError) {
        self.path = path
        BuildLock.beginTaking()
        defer { BuildLock.endTaking() }
        while true {
            let (file, isNew) = try BuildLock.open(path)
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                let isHeld = errno == EWOULDBLOCK
                let reason = OutputError.lastReason()
                let holder = BuildLock.content(of: file)
                close(file)
                guard isHeld else { throw OutputError(.failed, path, "\(reason)") }
                throw OutputError(.busy, path, "another build or publish holds the \(what) (\(holder))")
            }
            // The build that held the lock may have removed the file meanwhile. Then the lock protects nothing.
            var (held, named) = (stat(), stat())
            if fstat(file, &held) == 0, lstat(path, &named) == 0, FileIdentity(held) == FileIdentity(named) {
                descriptor = file
                followsInterruption = !isNew
                break
            }
            close(file)
        }
        let content = Array("\(BuildLock.text)\n\(BuildLock.holder)\n".utf8)
        guard uninterrupted({ ftruncate(descriptor, 0) }) == 0,
            content.withUnsafeBytes({ writeFully($0, to: descriptor) })
        else {
            let error = OutputError(.failed, path, "\(OutputError.lastReason())")
            // Nothing else has changed, so the directory needs no marker.
            if !followsInterruption { unlink(path) }
            throw error
        }
    }

    deinit {
        // A process that is just being started may have a copy of the descriptor, which would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Waits until the file's content is on disk. Its name must be synced with the directory.
    func sync() throws(OutputError) { try DirectoryHandle.sync(descriptor, path) }

    /// Whether a file with the marker's name is a marker. It may be empty or cut off if the build was stopped right
    /// after creating it.
    static func isMarker(_ content: Data) -> Bool {
        content.starts(with: text.utf8) || text.utf8.starts(with: content)
    }

    /// The number of bytes that ``isMarker(_:)`` needs.
    static var markerByteCount: Int { text.utf8.count }

    /// The file, and whether it was created here.
    private static func open(_ path: String) throws(OutputError) -> (file: Int32, isNew: Bool) {
        while true {
            let made = uninterrupted {
                PyramidPlatform.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
            }
            if made >= 0 { return (made, true) }
            guard errno == EEXIST else { throw OutputError(opening: path) }
            let found = uninterrupted { PyramidPlatform.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW) }
            if found >= 0 { return (found, false) }
            // The build that created the file may have ended meanwhile.
            guard errno == ENOENT else { throw OutputError(opening: path) }
        }
    }

    private static var holder: String { "process \(getpid())" }

    /// Whether this process wrote the marker.
    static func isOfThisProcess(_ path: String) -> Bool {
        let file = uninterrupted { PyramidPlatform.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW) }
        guard file >= 0 else { return false }
        defer { close(file) }
        return content(of: file) == holder
    }

    /// The second line: the process that holds the lock.
    private static func content(of file: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = max(pread(file, &bytes, bytes.count, 0), 0)
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        return lines.count > 1 ? String(lines[1]) : "process unknown"
    }
}
