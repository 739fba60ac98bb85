import PyramidPlatform
import PyramidTiles
import Synchronization

/// A temporary file without a name. The system deletes it after its last use, even if the process is killed.
package final class Spool: Sendable {
    private let folder: String
    package let descriptor: Int32
    private let end = Atomic(0)

    /// - Parameter folder: see ``SpoolFolder``.
    package init(in folder: String) throws(OutputError) {
        self.folder = folder
        var path = Array("\(folder)/pyramid-spool-XXXXXX".utf8CString)
        descriptor = uninterrupted { mkstemp(&path) }
        guard descriptor >= 0 else { throw Spool.failure(folder, "can't hold a temporary file") }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package var byteCount: Int { end.load(ordering: .relaxed) }

    /// Appends bytes. Several threads may append at the same time. After an error the spool can't be used any longer.
    /// - Returns: where the bytes begin.
    @discardableResult
    package func append(_ bytes: UnsafeRawBufferPointer) throws(OutputError) -> Int {
        let start = end.wrappingAdd(bytes.count, ordering: .relaxed).oldValue
        guard writeFully(bytes, to: descriptor, at: start) else {
            throw Spool.failure(folder, "can't hold \(start + bytes.count) bytes of a temporary file")
        }
        return start
    }

    /// Maps bytes that have been appended. The mapping outlives the spool.
    /// - Parameter isWritable: whether the bytes may be changed through the mapping.
    package func map(_ range: Range<Int>, isWritable: Bool = false) throws(OutputError) -> MappedSpool {
        do throws(MappedSpool.Failure) {
            return try MappedSpool(descriptor, range, isWritable: isWritable)
        } catch {
            throw Spool.failure(folder, "has a temporary file that can't be mapped into memory")
        }
    }

    private static func failure(_ folder: String, _ problem: String) -> OutputError {
        OutputError(.failed, folder, "\(problem) (\(OutputError.lastReason())); set TMPDIR to another folder")
    }
}

/// Bytes of a ``Spool``, backed by its file: they count as the system's cache, not as the process's memory.
package final class MappedSpool: Sendable {
    /// Valid as long as this object lives, for example while a property or `withExtendedLifetime` holds it.
    package nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
    /// The same, to write to if the mapping is writable. Appended bytes have room on the disk, so writing can't fail.
    package var writableBytes: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(mutating: bytes) }
    /// The pages that hold the bytes; `nil` if there are none.
    private nonisolated(unsafe) let pages: UnsafeMutableRawBufferPointer?

    fileprivate struct Failure: Error {}

    /// - Throws: ``Failure`` with `errno` set.
    fileprivate init(_ descriptor: Int32, _ range: Range<Int>, isWritable: Bool) throws(Failure) {
        guard !range.isEmpty else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            pages = nil
            return
        }
        // Mappings begin at a page, and every system's pages divide this.
        let start = range.lowerBound & ~0xffff
        let count = range.upperBound - start
        let access = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
        guard let address = mmap(nil, count, access, MAP_SHARED, descriptor, off_t(start)), address != MAP_FAILED
        else { throw Failure() }
        let mapped = UnsafeMutableRawBufferPointer(start: address, count: count)
        pages = mapped
        bytes = UnsafeRawBufferPointer(rebasing: mapped[(range.lowerBound - start)...])
    }

    deinit { if let pages { munmap(pages.baseAddress, pages.count) } }

    /// Frees the pages read so far; they are loaded again when needed.
    package func releasePages() {
        if let pages { madvise(pages.baseAddress, pages.count, MADV_DONTNEED) }
    }
}

extension StoredElements {
    /// Frees the pages of a temporary file read so far; they are loaded again when needed.
    package func releasePages() { (owner as? MappedSpool)?.releasePages() }
}
