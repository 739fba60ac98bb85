import PyramidPlatform

/// Repeats a system call as long as a signal interrupts it.
/// - Returns: the call's result; negative with `errno` set if it failed.
package func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

/// Reads a regular file until the buffer is full or the file ends.
/// - Parameter offset: where to read; `nil` to continue at the descriptor's position.
/// - Returns: how many bytes were read; `nil` with `errno` set if a call failed.
package func readFully(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int? = nil) -> Int? {
    var count = 0
    while count < buffer.count {
        let (start, room) = (buffer.baseAddress.map { $0 + count }, buffer.count - count)
        let step = uninterrupted {
            offset.map { pread(file, start, room, off_t($0 + count)) } ?? read(file, start, room)
        }
        if step < 0 { return nil }
        count += step
        // Reading a regular file returns less than requested only at its end.
        if step < room { break }
    }
    return count
}

/// Writes all the bytes.
/// - Parameter offset: where to write; `nil` to continue at the descriptor's position.
/// - Returns: false with `errno` set if a call failed.
package func writeFully(_ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int? = nil) -> Bool {
    var count = 0
    while count < bytes.count {
        let (start, rest) = (bytes.baseAddress.map { $0 + count }, bytes.count - count)
        let step = uninterrupted {
            offset.map { pwrite(file, start, rest, off_t($0 + count)) } ?? write(file, start, rest)
        }
        if step < 0 { return false }
        count += step
    }
    return true
}

/// The Finder's file with a folder's view settings. It may be in any folder that someone has opened on a Mac.
let finderFileName = ".DS_Store"

/// The names in a directory, without the Finder's file. They are sorted, because every file system has its own order.
/// - Returns: `nil` with `errno` set if the directory can't be listed.
package func names(inDirectory path: String) -> [String]? {
    guard let stream = opendir(path) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
        // The end leaves `errno` as it is.
        errno = 0
        guard let entry = readdir(stream) else { break }
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if ![".", "..", finderFileName].contains(name) { names.append(name) }
    }
    return errno == 0 ? names.sorted() : nil
}
