import Foundation

/// A read-only view of a file's content, valid as long as this object lives.
final class MappedRegion: Sendable {
    nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
    private let isMapped: Bool

    /// Maps the first `byteCount` bytes of a file; the descriptor may be closed afterwards.
    init(descriptor: Int32, byteCount: Int, name: String) throws(InputError) {
        guard byteCount > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            isMapped = false
            return
        }
        guard let start = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            let reason = String(cString: strerror(errno))
            throw InputError(.unreadable, in: name, "can't be mapped into memory (\(reason))")
        }
        bytes = UnsafeRawBufferPointer(start: start, count: byteCount)
        isMapped = true
    }

    /// Copies bytes, without a file.
    init(copying content: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 8)
        copy.copyBytes(from: content)
        bytes = UnsafeRawBufferPointer(copy)
        isMapped = false
    }

    deinit {
        if isMapped {
            munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
        } else {
            bytes.deallocate()
        }
    }
}
