import PyramidPlatform
import PyramidTiles

/// An archive, open for reading. It stays the same file even if a build replaces the archive meanwhile.
package final class ArchiveFile: Sendable {
    package let path: String
    package var byteCount: Int { version.byteCount }
    private let descriptor: Int32
    private let version: FileVersion

    /// How many bytes of a large file are read at a time.
    package static let stepBytes = 4 << 20

    /// - Throws: ``StoreError`` if there is no regular file.
    init(path: String) throws(StoreError) {
        self.path = path
        let file = uninterrupted { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard file >= 0 else {
            let isMissing = errno == ENOENT || errno == ENOTDIR
            throw StoreError(path: path, reason: isMissing ? .missing : .unreadable(errno))
        }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw StoreError(path: path, reason: .notRegularFile)
        }
        descriptor = file
        version = FileVersion(status)
    }

    /// Whether the path now belongs to another file or to none, or the file has been written to.
    var isReplaced: Bool { FileVersion(of: path) != version }

    deinit { close(descriptor) }

    /// Whether a path is that of a regular file that begins with these bytes.
    static func begins(with start: [UInt8], at path: String) -> Bool {
        guard let file = try? ArchiveFile(path: path) else { return false }
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

/// Reads ranges of an archive one after another. Ranges that are close together are read at once.
package struct ArchiveWindow {
    private let file: ArchiveFile
    private let stepBytes: Int
    private var bytes: [UInt8] = []
    private var start = 0

    /// - Parameter stepBytes: how much is read at once, at least.
    package init(of file: ArchiveFile, stepBytes: Int = ArchiveFile.stepBytes) {
        (self.file, self.stepBytes) = (file, stepBytes)
    }

    /// Calls `body` with the bytes of a range, which must be within the file.
    package mutating func withBytes<Result>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(StoreError) -> Result {
        if range.lowerBound < start || range.upperBound > start + bytes.count {
            // After a step back, more may follow in either direction.
            let first = range.lowerBound < start ? max(0, range.lowerBound - stepBytes / 2) : range.lowerBound
            let end = max(range.upperBound, min(first + stepBytes, file.byteCount))
            bytes = try file.bytes(first..<end)
            start = first
        }
        return bytes.withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[range.lowerBound - start..<range.upperBound - start]))
        }
    }
}
