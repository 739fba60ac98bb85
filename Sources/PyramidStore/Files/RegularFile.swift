import PyramidPlatform

/// Reads whole files, and only regular files.
package enum RegularFile {
    /// The bytes of a file up to the limit: a file that grows while it is read is cut off there.
    ///
    /// Follows no symbolic links and doesn't wait for pipes.
    package static func bytes(atPath path: String, limitBytes: Int) throws(StoreError) -> [UInt8] {
        let file = uninterrupted { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard file >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: throw StoreError(path: path, reason: .missing)
            case ELOOP: throw StoreError(path: path, reason: .notRegularFile)
            default: throw StoreError(path: path, reason: .unreadable(errno))
            }
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw StoreError(path: path, reason: .unreadable(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError(path: path, reason: .notRegularFile) }
        guard status.st_size <= limitBytes else {
            throw StoreError(path: path, reason: .tooLarge(limitBytes: limitBytes))
        }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            if let read = readFully(file, into: UnsafeMutableRawBufferPointer(buffer)) {
                count = read
            } else {
                failure = errno
            }
        }
        guard failure == 0 else { throw StoreError(path: path, reason: .unreadable(failure)) }
        return bytes
    }
}
