/// The size and the checksum of a file, and of the JSON in it.
public struct StoredFile: Hashable, Sendable {
    /// The size of the file.
    public let byteCount: Int
    /// The CRC-32 of the file.
    public let crc32: UInt32
    /// The size of the JSON.
    public let bodyByteCount: Int
    /// The CRC-32 of the JSON.
    public let bodyCRC32: UInt32

    public init(byteCount: Int, crc32: UInt32, bodyByteCount: Int, bodyCRC32: UInt32) {
        self.byteCount = byteCount
        self.crc32 = crc32
        self.bodyByteCount = bodyByteCount
        self.bodyCRC32 = bodyCRC32
    }
}

/// Lists of files as text: one line a file after a header, fields separated by tabs.
extension StoredFile {
    static let listColumns = "bytes\tcrc32\tbody_bytes\tbody_crc32"

    /// Appends the four fields and the end of the line.
    func append(to buffer: inout ByteBuffer) {
        buffer.append(UInt8(ascii: "\t"))
        buffer.append(integer: byteCount)
        buffer.append(UInt8(ascii: "\t"))
        buffer.append(Array(crc32.hexadecimal.utf8))
        buffer.append(UInt8(ascii: "\t"))
        buffer.append(integer: bodyByteCount)
        buffer.append(UInt8(ascii: "\t"))
        buffer.append(Array(bodyCRC32.hexadecimal.utf8))
        buffer.append(UInt8(ascii: "\n"))
    }
}
