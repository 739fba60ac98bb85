import Foundation
import TestSupport
import Testing

@testable import PyramidStore

struct BuildLockTests {
    private let scratch: TemporaryFolder
    private var path: String { scratch.path("lock") }
    private let interrupted = "A build of this pyramid is under way, or was interrupted.\nprocess 7\n"

    init() throws { scratch = try TemporaryFolder() }

    @Test func `a lock is a file that names its process`() throws {
        let lock = try BuildLock(path: path)
        #expect(!lock.followsInterruption)
        #expect(
            scratch.text("lock")
                == "A build of this pyramid is under way, or was interrupted.\nprocess \(getpid())\n")
        try lock.sync()
    }

    @Test func `a lock that is held is busy, and stays as it is`() throws {
        let lock = try BuildLock(path: path)
        let content = scratch.text("lock")
        let error = #expect(throws: OutputError.self) { try BuildLock(path: path) }
        #expect(error?.kind == .busy)
        let words = "another build or publish holds the directory (process \(getpid()))"
        #expect(error?.description.hasSuffix(words) == true)
        #expect(scratch.text("lock") == content)
        #expect(try scratch.openPaths().count == 1)
        withExtendedLifetime(lock) {}
    }

    @Test func `a file that nobody holds is that of an interrupted build`() throws {
        try scratch.file("lock", interrupted + "and more that was in the file")
        let lock = try BuildLock(path: path)
        #expect(lock.followsInterruption)
        #expect(
            scratch.text("lock") == interrupted.replacingOccurrences(of: "process 7", with: "process \(getpid())"))
    }

    @Test func `a lock ends with its owner, and its file stays`() throws {
        do {
            let lock = try BuildLock(path: path)
            withExtendedLifetime(lock) {}
        }
        #expect(try scratch.openPaths() == [])
        #expect(try BuildLock(path: path).followsInterruption)
    }

    /// A process that is being started has copies of all descriptors until it calls `exec`.
    @Test func `a copy of the descriptor does not keep the lock`() throws {
        var lock: BuildLock? = try BuildLock(path: path)
        let copy = dup(try #require(lock?.descriptor))
        defer { close(copy) }
        lock = nil
        #expect(try BuildLock(path: path).followsInterruption)
    }

    @Test func `a file that its build has removed holds nobody up`() throws {
        let first = try BuildLock(path: path)
        try FileManager.default.removeItem(atPath: path)
        let second = try BuildLock(path: path)
        #expect(!second.followsInterruption)
        withExtendedLifetime(first) {}
    }

    private static let perl = Requirement(
        "perl", isThere: FileManager.default.isExecutableFile(atPath: "/usr/bin/perl"))

    @Test(.enabled(if: try perl.isMet()))
    func `a lock of another process holds until that process is gone, however it goes`() throws {
        try scratch.file("lock", interrupted)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/perl")
        process.arguments = [
            "-e", "use Fcntl ':flock'; open F, '+<', $ARGV[0]; flock F, LOCK_EX; print 'x'; close STDOUT; sleep 60",
            path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        #expect(try output.fileHandleForReading.readToEnd() == Data("x".utf8))
        let error = #expect(throws: OutputError.self) { try BuildLock(path: path) }
        #expect(error?.kind == .busy && error?.description.hasSuffix("(process 7)") == true)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try BuildLock(path: path).followsInterruption)
    }

    @Test func `neither a link nor a directory is taken for a lock`() throws {
        try scratch.file("file", "precious")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: scratch.path("file"))
        #expect(throws: OutputError.self) { try BuildLock(path: path) }
        #expect(scratch.text("file") == "precious")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: OutputError.self) { try BuildLock(path: path) }
        #expect(try scratch.openPaths() == [])
    }

    @Test func `a marker may have been cut anywhere while it was written`() {
        for count in 0...interrupted.utf8.count {
            #expect(BuildLock.isMarker(Data(interrupted.utf8.prefix(count))), "\(count) bytes")
        }
        #expect(!BuildLock.isMarker(Data("A build log".utf8)))
    }
}
