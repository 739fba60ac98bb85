import PyramidPlatform
import PyramidTiles

/// An open directory, with the system calls on its files that writing a tileset needs.
///
/// Symbolic links in the directory are never followed: they may lead to files outside the tileset.
package final class DirectoryHandle: Sendable {
    package let path: String
    package let descriptor: Int32

    package init(path: String) throws(OutputError) {
        self.path = path
        descriptor = uninterrupted { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        if descriptor < 0 { throw OutputError(opening: path) }
    }

    /// Opens a subdirectory, creating it if missing.
    package func directory(_ name: String) throws(OutputError) -> DirectoryHandle {
        if let directory = try existingDirectory(name) { return directory }
        if uninterrupted({ mkdirat(descriptor, name, 0o777) }) != 0, errno != EEXIST { throw failure(name) }
        guard let directory = try existingDirectory(name) else { throw failure(name) }
        return directory
    }

    /// Opens a subdirectory; `nil` if there is none.
    /// - Throws: ``OutputError`` of the kind `unusable` if the name belongs to something else. A link may lead to files
    ///   of others.
    package func existingDirectory(_ name: String) throws(OutputError) -> DirectoryHandle? {
        let opened = uninterrupted { openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) }
        if opened >= 0 { return DirectoryHandle(path: path + "/" + name, descriptor: opened) }
        if errno == ENOENT { return nil }
        let error = failure(name)
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw error
        }
        let kind = status.st_mode & S_IFMT == S_IFLNK ? "a symbolic link" : "a file"
        throw OutputError(.unusable, path + "/" + name, "is \(kind), expected a directory; move it away")
    }

    /// Opens a subdirectory; `nil` if there is none, or if the name belongs to something else.
    package func directoryIfOne(_ name: String) throws(OutputError) -> DirectoryHandle? {
        do throws(OutputError) {
            return try existingDirectory(name)
        } catch {
            if error.kind == .unusable { return nil }
            throw error
        }
    }

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Creates the directory and its parents if missing.
    package convenience init(making path: String) throws(OutputError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/") {
            made += name
            if uninterrupted({ mkdir(made, 0o777) }) != 0, errno != EEXIST {
                let code = errno
                if access(made, F_OK) != 0 {
                    errno = code
                    throw OutputError(opening: path, "the directory can't be created: ")
                }
            }
            made += "/"
        }
        try self.init(path: path)
    }

    deinit { close(descriptor) }

    /// Whether the name exists, even as a dangling symbolic link.
    package func contains(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// The permission bits of a file; `nil` if there is no regular file.
    func permissions(of name: String) -> mode_t? { status(of: name).map { $0.st_mode & 0o777 } }

    /// The size of a file in bytes; `nil` if there is no regular file.
    package func size(of name: String) -> Int? { status(of: name).map { Int($0.st_size) } }

    private func status(of name: String) -> stat? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return status
    }

    /// The content of a file; `nil` if there is none.
    package func content(of name: String) throws(OutputError) -> [UInt8]? {
        let file = openForReading(name)
        if file < 0 {
            if errno == ENOENT { return nil }
            throw failure(name)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure(name) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes { readFully(file, into: $0) }
        guard let count else { throw failure(name) }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// - Returns: whether the file existed.
    package func remove(_ name: String) throws(OutputError) -> Bool {
        if uninterrupted({ unlinkat(descriptor, name, 0) }) == 0 { return true }
        if errno == ENOENT { return false }
        throw failure(name)
    }

    /// Removes a file in nested directories, and those of them that become empty or are.
    /// - Parameter name: `nil` to remove only empty directories.
    /// - Returns: whether the file existed.
    package func remove(_ name: String?, in directories: ArraySlice<String>) throws(OutputError) -> Bool {
        guard let first = directories.first else { return try name.map(remove) ?? false }
        guard let directory = try existingDirectory(first) else { return false }
        let inner = directories.dropFirst()
        // Without a file, as many empty directories as possible: with too few descriptors, inner ones can't be opened.
        let wasThere =
            try name == nil ? (try? directory.remove(nil, in: inner)) ?? false : directory.remove(name, in: inner)
        try removeDirectoryIfEmpty(first)
        return wasThere
    }

    /// Removes a subdirectory if it is empty, or holds only the Finder's file.
    package func removeDirectoryIfEmpty(_ name: String) throws(OutputError) {
        guard uninterrupted({ unlinkat(descriptor, name, AT_REMOVEDIR) }) != 0 else { return }
        guard [ENOTEMPTY, EEXIST, ENOENT].contains(errno) else { throw failure(name) }
        guard let directory = try existingDirectory(name), directory.contains(finderFileName),
            try directory.names().isEmpty, try directory.remove(finderFileName)
        else { return }
        try removeDirectoryIfEmpty(name)
    }

    /// The names in the directory, sorted, without the Finder's file.
    package func names() throws(OutputError) -> [String] {
        guard let names = PyramidStore.names(inDirectory: path) else {
            throw OutputError(.failed, path, "can't be listed: \(OutputError.lastReason())")
        }
        return names
    }

    /// The first bytes of a file, at most `count`; `nil` if there is no readable file.
    package func start(of name: String, count: Int) -> [UInt8]? {
        let file = openForReading(name)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        guard let found = bytes.withUnsafeMutableBytes({ readFully(file, into: $0) }) else { return nil }
        return Array(bytes[..<found])
    }

    /// Reads a file of exactly `count` bytes.
    /// - Returns: whether the file is readable and has this size.
    package func read(_ name: String, count: Int, into bytes: inout [UInt8]) -> Bool {
        let file = openForReading(name)
        guard file >= 0 else { return false }
        defer { close(file) }
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: repeatElement(0, count: count + 1))
        guard bytes.withUnsafeMutableBytes({ readFully(file, into: $0) }) == count else { return false }
        bytes.removeLast()
        return true
    }

    /// Creates and opens a new file; `nil` if the name exists.
    func createFile(_ name: String) throws(OutputError) -> Int32? {
        let file = uninterrupted {
            openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        }
        if file >= 0 { return file }
        if errno == EEXIST { return nil }
        throw failure(name)
    }

    /// Creates a new file with these bytes, and leaves nothing behind if that fails.
    /// - Returns: false if the name exists.
    func create(_ name: String, with bytes: UnsafeRawBufferPointer) throws(OutputError) -> Bool {
        guard let file = try createFile(name) else { return false }
        let isWritten = writeFully(bytes, to: file)
        let code = errno
        // `close` closes the file even if it is interrupted.
        guard close(file) == 0 || errno == EINTR, isWritten else {
            if !isWritten { errno = code }
            let error = failure(name)
            _ = try? remove(name)
            throw error
        }
        return true
    }

    func openForReading(_ name: String) -> Int32 {
        uninterrupted { openat(descriptor, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW) }
    }

    /// Whether a file holds exactly these bytes.
    package func holds(_ name: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let file = openForReading(name)
        guard file >= 0 else { return false }
        defer { close(file) }
        return DirectoryHandle.isNext(bytes, in: file, isLast: true)
    }

    /// Whether these are the next bytes of a file.
    /// - Parameter isLast: whether the file must end after them.
    static func isNext(_ bytes: UnsafeRawBufferPointer, in file: Int32, isLast: Bool = false) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: bytes.count + (isLast ? 1 : 0), alignment: 1) { content in
            guard readFully(file, into: content) == bytes.count else { return false }
            guard let start = bytes.baseAddress, let found = content.baseAddress else { return bytes.isEmpty }
            return memcmp(start, found, bytes.count) == 0
        }
    }

    package func failure(_ name: String) -> OutputError {
        OutputError(.failed, path + "/" + name, "\(OutputError.lastReason())")
    }
}
