import Foundation
import Testing

@testable import PyramidStore

/// Which system call brings data to the disk, where not every file system has the best one.
struct DiskSyncTests {
    /// Which of the calls were made if each fails with its error, and whether the last of them succeeded.
    private func outcome(_ errors: Int32...) -> (made: [Int], isSynced: Bool) {
        var made: [Int] = []
        func call(_ index: Int) -> Int32 {
            made.append(index)
            errno = errors[index]
            return errno == 0 ? 0 : -1
        }
        let isSynced = DirectoryHandle.firstSupported({ call(0) }, { call(1) })
        return (made, isSynced)
    }

    @Test func `the first call is enough if it succeeds`() {
        let outcome = outcome(0, EIO)
        #expect(outcome.made == [0] && outcome.isSynced)
    }

    @Test(arguments: [ENOTSUP, ENOTTY, EINVAL])
    func `where a file system does not have the first call, the second one is made`(code: Int32) {
        #expect(outcome(code, 0).made == [0, 1])
        #expect(outcome(code, 0).isSynced && !outcome(code, EIO).isSynced)
        #expect(outcome(code, code).isSynced)
    }

    @Test(arguments: [EIO, ENOSPC, EBADF])
    func `a failure is not hidden by another call`(code: Int32) {
        let outcome = outcome(code, 0)
        #expect(outcome.made == [0] && !outcome.isSynced && errno == code)
    }

    @Test func `an interrupted call is repeated`() {
        var errors = [EINTR, EINTR, 0]
        let isSynced = DirectoryHandle.firstSupported(
            {
                errno = errors.removeFirst()
                return errno == 0 ? 0 : -1
            }, { -1 })
        #expect(isSynced && errors.isEmpty)
    }
}
