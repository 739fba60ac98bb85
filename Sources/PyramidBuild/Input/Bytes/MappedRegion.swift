import PyramidPlatform
import PyramidStore

/// A read-only view of a file's content, valid as long as this object lives.
final class MappedRegion: Sendable {
    nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
    private let isMapped: Bool
    /// `nil` for a file that no other program can change.
    private let watch: ChangedInputs.Watch?

    /// Maps the first `byteCount` bytes of a file; the descriptor may be closed afterwards.
    /// - Parameter place: the file's path and its version when opened; `nil` for a temporary file of our own.
    init(
        descriptor: Int32, byteCount: Int, name: String, place: (path: String, version: FileVersion)? = nil
    ) throws(InputError) {
        guard byteCount > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            isMapped = false
            watch = nil
            return
        }
        guard let start = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            let reason = String(cString: strerror(errno))
            throw InputError(.unreadable, in: name, "can't be mapped into memory (\(reason))")
        }
        bytes = UnsafeRawBufferPointer(start: start, count: byteCount)
        isMapped = true
        watch = place.map { ChangedInputs.Watch(path: $0.path, version: $0.version, name: name) }
    }

    init(copying content: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 8)
        copy.copyBytes(from: content)
        bytes = UnsafeRawBufferPointer(copy)
        isMapped = false
        watch = nil
    }

    deinit {
        if isMapped {
            munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
        } else {
            bytes.deallocate()
        }
    }

    /// Frees the pages read so far; they are loaded again when needed.
    func releasePages() {
        guard isMapped else { return }
        madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_DONTNEED)
    }

    /// - Throws: ``InputError`` if the file was changed since it was mapped.
    func requireUnchanged() throws(InputError) { try watch?.requireUnchanged() }
}
