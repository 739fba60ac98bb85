/// The size and checksum of a file, and of the JSON or MVT in it.
public struct StoredFile: Hashable, Sendable, BitwiseCopyable {
    private let bytes, bodyBytes: UInt32
    /// The CRC-32 of the file.
    public let crc32: UInt32
    /// The CRC-32 of the JSON or MVT.
    public let bodyCRC32: UInt32

    /// The size of the file.
    public var byteCount: Int { Int(bytes) }
    /// The size of the JSON or MVT.
    public var bodyByteCount: Int { Int(bodyBytes) }

    /// - Parameters:
    ///   - byteCount: less than 2³².
    ///   - bodyByteCount: less than 2³².
    public init(byteCount: Int, crc32: UInt32, bodyByteCount: Int, bodyCRC32: UInt32) {
        bytes = UInt32(byteCount)
        self.crc32 = crc32
        bodyBytes = UInt32(bodyByteCount)
        self.bodyCRC32 = bodyCRC32
    }
}

extension StoredFile {
    /// Appends the fields to a line of a ``FileList``, and ends the line.
    package func append(to buffer: inout ByteBuffer) {
        buffer.append(UInt8(ascii: "\t"))
        buffer.append(integer: byteCount)
        buffer.append(UInt8(ascii: "\t"))
        buffer.append(hexadecimal: crc32)
        buffer.append(UInt8(ascii: "\t"))
        buffer.append(integer: bodyByteCount)
        buffer.append(UInt8(ascii: "\t"))
        buffer.append(hexadecimal: bodyCRC32)
        buffer.append(UInt8(ascii: "\n"))
    }
}
