import PyramidPlatform
import PyramidStore

/// A file below a directory, open for reading.
final class OpenedFile: Sendable {
    let version: FileVersion
    var byteCount: Int { version.byteCount }
    private let descriptor: Int32

    /// Why an existing file can't be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Opens a file without following symbolic links below `root`; `nil` if it doesn't exist or isn't a regular file.
    /// - Parameters:
    ///   - root: the path of a directory.
    ///   - names: the names of nested directories, then of the file.
    init?(below root: String, _ names: [String]) throws(Failure) {
        precondition(names.allSatisfy { !$0.isEmpty && !$0.contains("/") && $0 != ".." }, "no name of a file")
        // Opening a pipe would wait for its writer otherwise.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        var opened = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for (index, name) in names.enumerated() where opened >= 0 {
            let next = openat(opened, name, index < names.count - 1 ? flags | O_DIRECTORY : flags)
            let code = errno
            close(opened)
            errno = code
            opened = next
        }
        guard opened >= 0 else {
            // Opening a socket is ENXIO on Linux, and EOPNOTSUPP on Darwin.
            if [ENOENT, ENOTDIR, ELOOP, ENXIO, EOPNOTSUPP, ENAMETOOLONG].contains(errno) { return nil }
            throw Failure(description: "\(names.joined(separator: "/")): \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            return nil
        }
        descriptor = opened
        version = FileVersion(status)
    }

    deinit { close(descriptor) }

    /// The bytes from `offset`, fewer than requested only at the end of the file.
    func bytes(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            if let read = readFully(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: offset) {
                filled = read
            } else {
                failure = errno
            }
        }
        guard failure == 0 else { throw Failure(description: String(cString: strerror(failure))) }
        return bytes
    }

    func allBytes() throws(Failure) -> [UInt8] { try bytes(at: 0, count: byteCount) }
}
