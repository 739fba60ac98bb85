import Foundation

/// Reads whole files and nothing but files.
package enum RegularFile {
    /// The bytes of a file, never more than the limit: a file that grows while it is read is cut off there.
    ///
    /// A symbolic link is not followed and a pipe is not waited for.
    package static func bytes(atPath path: String, limitBytes: Int) throws(StoreError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: throw StoreError(path: path, reason: .missing)
            case ELOOP: throw StoreError(path: path, reason: .notRegularFile)
            default: throw StoreError(path: path, reason: .unreadable(errno))
            }
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreError(path: path, reason: .unreadable(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError(path: path, reason: .notRegularFile) }
        guard status.st_size <= limitBytes else {
            throw StoreError(path: path, reason: .tooLarge(limitBytes: limitBytes))
        }
        let size = Int(status.st_size)
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size, let start = buffer.baseAddress {
                let step = read(descriptor, start + count, size - count)
                if step > 0 {
                    count += step
                } else if step == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else { throw StoreError(path: path, reason: .unreadable(failure)) }
        return bytes
    }
}
