import PyramidPlatform
import PyramidTiles

/// A regular file, open for reading. It stays the same file even if a build replaces it meanwhile.
package final class OpenedFile: Sendable {
    package let path: String
    package var byteCount: Int { version.byteCount }
    package let version: FileVersion
    private let descriptor: Int32

    /// How many bytes of a large file are read at a time.
    package static let stepBytes = 4 << 20

    /// - Throws: ``StoreError`` if there is no regular file.
    package convenience init(path: String) throws(StoreError) {
        let file = uninterrupted { open(path, OpenedFile.flags) }
        guard file >= 0 else { throw StoreError(opening: path) }
        guard let version = OpenedFile.version(of: file) else { throw StoreError(path: path, reason: .notRegularFile) }
        self.init(path: path, file, version)
    }

    /// Opens a file without following symbolic links below `root`; `nil` if it doesn't exist or isn't a regular file.
    /// - Parameters:
    ///   - root: the path of a directory, which errors don't name.
    ///   - names: the names of nested directories, then of the file.
    package convenience init?(below root: String, _ names: [String]) throws(StoreError) {
        precondition(names.allSatisfy { !$0.isEmpty && !$0.contains("/") && $0 != ".." }, "no name of a file")
        let flags = OpenedFile.flags | O_NOFOLLOW
        var opened = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for (index, name) in names.enumerated() where opened >= 0 {
            let next = openat(opened, name, index < names.count - 1 ? flags | O_DIRECTORY : flags)
            let code = errno
            close(opened)
            errno = code
            opened = next
        }
        let path = names.joined(separator: "/")
        guard opened >= 0 else {
            // Opening a socket is ENXIO on Linux, and EOPNOTSUPP on Darwin.
            if [ENOENT, ENOTDIR, ELOOP, ENXIO, EOPNOTSUPP, ENAMETOOLONG].contains(errno) { return nil }
            throw StoreError(opening: path)
        }
        guard let version = OpenedFile.version(of: opened) else { return nil }
        self.init(path: path, opened, version)
    }

    private init(path: String, _ descriptor: Int32, _ version: FileVersion) {
        (self.path, self.descriptor, self.version) = (path, descriptor, version)
    }

    /// Opening a pipe would wait for its writer otherwise.
    private static let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC

    /// Closes anything but a regular file, and returns `nil`.
    private static func version(of file: Int32) -> FileVersion? {
        var status = stat()
        if fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return FileVersion(status) }
        close(file)
        return nil
    }

    /// Whether the path now belongs to another file or to none, or the file has been written to.
    var isReplaced: Bool { FileVersion(of: path) != version }

    /// Whether the file has been written to since it was opened.
    package var isChanged: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || FileVersion(status) != version
    }

    deinit { close(descriptor) }

    /// Whether a path is that of a regular file that begins with these bytes.
    static func begins(with start: [UInt8], at path: String) -> Bool {
        guard let file = try? OpenedFile(path: path) else { return false }
        return (try? file.bytes(0..<start.count)) == start
    }

    /// Fills the buffer from the file, which must have enough bytes.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError) {
        guard let count = readFully(descriptor, into: buffer, at: offset) else {
            throw StoreError(path: path, reason: .unreadable(errno))
        }
        guard count == buffer.count else {
            throw damaged("ends at byte \(offset + count), expected more")
        }
    }

    package func bytes(_ range: Range<Int>) throws(StoreError) -> [UInt8] {
        guard range.upperBound <= byteCount else {
            throw damaged("has \(byteCount) bytes, expected \(range.upperBound)")
        }
        var failure: StoreError?
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            do throws(StoreError) {
                try read(into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
                count = range.count
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The inflated content of gzip data in the file.
    /// - Parameter name: the data's name, for messages.
    func inflated(_ range: Range<Int>, limitBytes: Int, _ name: String) throws(StoreError) -> [UInt8] {
        guard range.count <= limitBytes else {
            throw damaged("has \(name) of \(range.count) bytes, expected at most \(limitBytes)")
        }
        let bytes = try bytes(range)
        do throws(GzipError) {
            return try Gzip.decompress(bytes, limitBytes: limitBytes)
        } catch {
            throw damaged("has \(name) that can't be inflated: \(error)")
        }
    }

    func damaged(_ problem: String) -> StoreError { StoreError(path: path, reason: .damaged(problem)) }
}
