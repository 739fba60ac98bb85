import PyramidPlatform
import PyramidStore

/// A read-only view of a file's content, valid as long as this object lives.
package final class MappedRegion: Sendable {
    package nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
    private let isMapped: Bool
    private let name: String
    /// `nil` for a file that no other program can change.
    nonisolated(unsafe) private let watched: UnsafeMutablePointer<ChangedInputs.File>?

    /// Maps the first `byteCount` bytes of a file; the descriptor may be closed afterwards.
    /// - Parameter place: the file's path and its version when opened; `nil` for a temporary file of our own.
    init(
        descriptor: Int32, byteCount: Int, name: String, place: (path: String, version: FileVersion)? = nil
    ) throws(InputError) {
        self.name = name
        isMapped = byteCount > 0
        guard isMapped else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            watched = nil
            return
        }
        guard let start = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            let reason = String(cString: strerror(errno))
            throw InputError(.unreadable, in: name, "can't be mapped into memory (\(reason))")
        }
        bytes = UnsafeRawBufferPointer(start: start, count: byteCount)
        watched = place.map { ChangedInputs.watch($0.path, $0.version, name: name) }
    }

    init(copying content: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 8)
        copy.copyBytes(from: content)
        bytes = UnsafeRawBufferPointer(copy)
        (isMapped, name, watched) = (false, "", nil)
    }

    deinit {
        watched?.pointee.isMapped = false
        if isMapped {
            munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
        } else {
            bytes.deallocate()
        }
    }

    /// Frees the pages read so far; they are loaded again when needed.
    package func releasePages() {
        guard isMapped else { return }
        madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_DONTNEED)
    }

    /// - Throws: ``InputError`` if the file was changed since it was mapped.
    package func requireUnchanged() throws(InputError) {
        if watched?.pointee.isChanged == true { throw ChangedInputs.error(name) }
    }
}
