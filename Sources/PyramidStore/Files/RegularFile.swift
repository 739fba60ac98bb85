import PyramidPlatform

/// Reads whole files, and only regular files.
package enum RegularFile {
    /// The bytes of a file. If the file grows while it is read, the bytes are cut off at its first size.
    ///
    /// Doesn't follow symbolic links and doesn't wait for pipes.
    package static func bytes(atPath path: String, limitBytes: Int) throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        try forEachPiece(atPath: path, limitBytes: limitBytes, pieceBytes: .max) { piece, _ in bytes = piece }
        return bytes
    }

    /// Calls `body` with the bytes of a file, piece by piece, and with the file's size.
    package static func forEachPiece(
        atPath path: String, limitBytes: Int, pieceBytes: Int = 1 << 20,
        _ body: (_ piece: [UInt8], _ total: Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        let file = uninterrupted { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard file >= 0 else {
            throw errno == ELOOP ? StoreError(path: path, reason: .notRegularFile) : StoreError(opening: path)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw StoreError(path: path, reason: .unreadable(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError(path: path, reason: .notRegularFile) }
        guard status.st_size <= limitBytes else {
            throw StoreError(path: path, reason: .tooLarge(limitBytes: limitBytes))
        }
        let total = Int(status.st_size)
        var done = 0
        repeat {
            var failure: Int32 = 0
            let wanted = min(total - done, pieceBytes)
            let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
                // The buffer can be larger than requested.
                let room = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: wanted)
                if let read = readFully(file, into: room) {
                    count = read
                } else {
                    failure = errno
                }
            }
            guard failure == 0 else { throw StoreError(path: path, reason: .unreadable(failure)) }
            try body(piece, total)
            done += piece.count
            // The file has become shorter.
            if piece.count < wanted { return }
        } while done < total
    }
}
