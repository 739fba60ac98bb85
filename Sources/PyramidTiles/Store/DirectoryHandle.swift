import Foundation

/// An open directory and the files in it by their names: the system calls that writing a pyramid needs.
///
/// A symbolic link in a pyramid is never followed: what stands behind it is not ours.
final class DirectoryHandle: Sendable {
    let path: String
    private let descriptor: Int32

    private static let temporarySuffix = ".pyramid-tmp"

    init(path: String) throws(OutputError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { throw OutputError(.unusable, path, OutputError.lastReason()) }
    }

    /// Opens a directory in this one, and makes it first where it is missing.
    func directory(_ name: String) throws(OutputError) -> DirectoryHandle {
        if let directory = try existingDirectory(name) { return directory }
        if mkdirat(descriptor, name, 0o777) != 0, errno != EEXIST { throw failure(name) }
        guard let directory = try existingDirectory(name) else { throw failure(name) }
        return directory
    }

    /// Opens a directory in this one; `nil` where there is none.
    func existingDirectory(_ name: String) throws(OutputError) -> DirectoryHandle? {
        let opened = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        if opened >= 0 { return DirectoryHandle(path: path + "/" + name, descriptor: opened) }
        if errno == ENOENT { return nil }
        throw failure(name)
    }

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Makes the directory, and those above it, where they are missing.
    convenience init(making path: String) throws(OutputError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/") {
            made += name
            if mkdir(made, 0o777) != 0, errno != EEXIST, access(made, F_OK) != 0 {
                throw OutputError(.unusable, path, "the directory can't be made: \(OutputError.lastReason())")
            }
            made += "/"
        }
        try self.init(path: path)
    }

    deinit { close(descriptor) }

    func contains(_ name: String) -> Bool { faccessat(descriptor, name, F_OK, 0) == 0 }

    /// A whole file; `nil` where there is none.
    func content(of name: String) throws(OutputError) -> [UInt8]? {
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if file < 0 {
            if errno == ENOENT { return nil }
            throw failure(name)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure(name) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes { DirectoryHandle.readAll(file, into: $0) }
        guard let count else { throw failure(name) }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Makes a file hold `bytes`, and leaves it alone where it does already.
    /// - Returns: whether it was written.
    func update(_ name: String, with bytes: UnsafeRawBufferPointer) throws(OutputError) -> Bool {
        if try create(name, with: bytes) { return true }
        if holds(name, bytes) { return false }
        let temporary = name + DirectoryHandle.temporarySuffix
        _ = try remove(temporary)
        guard try create(temporary, with: bytes), renameat(descriptor, temporary, descriptor, name) == 0 else {
            throw failure(name)
        }
        return true
    }

    func replace(_ name: String, with bytes: [UInt8]) throws(OutputError) {
        _ = try bytes.withUnsafeBufferPointer { (bytes) throws(OutputError) in
            try update(name, with: UnsafeRawBufferPointer(bytes))
        }
    }

    /// - Returns: whether there was such a file.
    func remove(_ name: String) throws(OutputError) -> Bool {
        if unlinkat(descriptor, name, 0) == 0 { return true }
        if errno == ENOENT { return false }
        throw failure(name)
    }

    func removeDirectoryIfEmpty(_ name: String) {
        _ = unlinkat(descriptor, name, AT_REMOVEDIR)
    }

    /// The names of all that is in the directory.
    func names() throws(OutputError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw OutputError(.failed, path, "can't be listed")
        }
    }

    /// Removes what a build left that was stopped while it replaced a file.
    func removeTemporaryFiles() throws(OutputError) {
        for name in try names() where name.hasSuffix(DirectoryHandle.temporarySuffix) { _ = try remove(name) }
    }

    /// Makes a new file.
    /// - Returns: false where there is a file of that name.
    private func create(_ name: String, with bytes: UnsafeRawBufferPointer) throws(OutputError) -> Bool {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if file < 0 {
            if errno == EEXIST { return false }
            throw failure(name)
        }
        let isWritten = DirectoryHandle.writeAll(bytes, to: file)
        let code = errno
        guard close(file) == 0, isWritten else {
            if !isWritten { errno = code }
            throw failure(name)
        }
        return true
    }

    private func holds(_ name: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, Int(status.st_size) == bytes.count else { return false }
        return withUnsafeTemporaryAllocation(byteCount: bytes.count + 1, alignment: 1) { content in
            guard DirectoryHandle.readAll(file, into: content) == bytes.count else { return false }
            guard let start = bytes.baseAddress, let found = content.baseAddress else { return bytes.isEmpty }
            return memcmp(start, found, bytes.count) == 0
        }
    }

    private static func readAll(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        var count = 0
        while count < buffer.count {
            let step = read(file, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            if step == 0 { break }
            if step > 0 { count += step } else if errno != EINTR { return nil }
        }
        return count
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
        var count = 0
        while count < bytes.count {
            let step = Foundation.write(file, bytes.baseAddress.map { $0 + count }, bytes.count - count)
            if step >= 0 { count += step } else if errno != EINTR { return false }
        }
        return true
    }

    private func failure(_ name: String) -> OutputError {
        OutputError(.failed, path + "/" + name, OutputError.lastReason())
    }
}
