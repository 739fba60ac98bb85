import CZlib

/// Gzip (RFC 1952) for readers of tiles, through the system's zlib.
public enum Gzip {
    /// The levels of zlib: 1 is fastest, 9 smallest.
    public static let levels = 1...9

    /// The first bytes of every gzip stream.
    public static let magic: [UInt8] = [0x1f, 0x8b]

    /// The CRC-32 of gzip and PNG.
    /// - Parameter start: the checksum of the preceding bytes, if there are any.
    public static func crc32(_ bytes: UnsafeRawBufferPointer, after start: UInt32 = 0) -> UInt32 {
        guard let place = bytes.bindMemory(to: UInt8.self).baseAddress else { return start }
        return UInt32(truncatingIfNeeded: crc32_z(UInt(start), place, bytes.count))
    }

    public static func crc32(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { crc32($0) }
    }

    /// The CRC-32 of two byte sequences, one after the other, from their checksums.
    /// - Parameters:
    ///   - second: the checksum of the second sequence.
    ///   - byteCount: the length of the second sequence.
    package static func crc32(_ first: UInt32, followedBy second: UInt32, byteCount: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32_combine(UInt(first), UInt(second), byteCount))
    }

    /// Decompresses a stream of a single member, such as a tile.
    /// - Parameter isRaw: whether the stream is raw deflate, without the header and checksum of gzip.
    /// - Throws: the errors of ``GzipReader/read(_:into:limitBytes:)``.
    public static func decompress(
        _ bytes: [UInt8], limitBytes: Int, isRaw: Bool = false
    ) throws(GzipError) -> [UInt8] {
        var (reader, content) = (GzipReader(isRaw: isRaw), [UInt8]())
        try reader.read(bytes, into: &content, limitBytes: limitBytes)
        return content
    }
}

/// Inflates a stream piece by piece, one gzip member at a time.
public final class GzipInflater {
    private var stream = z_stream()
    /// Whether the last call ended a member; the next one starts another.
    public private(set) var isAtMemberEnd = false

    /// - Parameter isRaw: whether the stream is raw deflate, without the header and checksum of gzip.
    public init(isRaw: Bool = false) throws(GzipError) {
        let windowBits = isRaw ? -MAX_WBITS : 16 + MAX_WBITS
        let code = inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw .corrupt("zlib could not start") }
    }

    deinit { inflateEnd(&stream) }

    /// Inflates the front of `bytes` until they are used up, a member ends, or the output of a step is full.
    /// - Returns: the bytes not used yet.
    public func inflate(
        _ bytes: UnsafeRawBufferPointer, appendingTo content: inout [UInt8], stepBytes: Int = 1 << 16
    ) throws(GzipError) -> UnsafeRawBufferPointer {
        if isAtMemberEnd {
            inflateReset(&stream)
            isAtMemberEnd = false
        }
        let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(1 << 30))
        stream.next_in = UnsafeMutablePointer(mutating: piece.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(piece.count)
        let code = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stepBytes) { room in
            stream.next_out = room.baseAddress
            stream.avail_out = UInt32(stepBytes)
            let code = CZlib.inflate(&stream, Z_NO_FLUSH)
            content.append(contentsOf: UnsafeBufferPointer(rebasing: room[..<(stepBytes - Int(stream.avail_out))]))
            return code
        }
        switch code {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isAtMemberEnd = true
        default:
            let detail = stream.msg.map { String(cString: $0) } ?? "code \(code)"
            throw detail == "incorrect header check" ? .notGzip : .corrupt(detail)
        }
        return UnsafeRawBufferPointer(rebasing: bytes.dropFirst(piece.count - Int(stream.avail_in)))
    }
}

/// Inflates streams of a single member, such as tiles, one after another into an array that is reused.
public struct GzipReader {
    /// `nil` before the first stream, and after a broken one.
    private var inflater: GzipInflater?
    private let isRaw: Bool

    /// - Parameter isRaw: whether the streams are raw deflate, without the header and checksum of gzip.
    public init(isRaw: Bool = false) { self.isRaw = isRaw }

    /// Replaces `content` with the stream's content.
    /// - Parameter limitBytes: the maximum content; memory stays below the limit plus one step.
    /// - Throws: ``GzipError``; ``GzipError/tooLarge(limitBytes:)`` if the content exceeds the limit.
    public mutating func read(
        _ bytes: [UInt8], into content: inout [UInt8], limitBytes: Int
    ) throws(GzipError) {
        content.removeAll(keepingCapacity: true)
        if !isRaw, bytes.withUnsafeBytes({ LiteralBlock.read($0, into: &content, limitBytes: limitBytes) }) { return }
        let inflater = if let inflater { inflater } else { try GzipInflater(isRaw: isRaw) }
        self.inflater = nil
        // The last four bytes state the content's length, so a step of that size inflates most streams at once. If they
        // state too little, steps are still at least 4 KiB.
        let claimedBytes = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let stepBytes = min(max(isRaw ? 0 : claimedBytes, 4095), limitBytes, 1 << 20) + 1
        var failure: GzipError?
        bytes.withUnsafeBytes { bytes in
            do throws(GzipError) {
                var rest = bytes
                var hasProgress = true
                repeat {
                    // Content may remain in the inflater after the last bytes.
                    guard !rest.isEmpty || hasProgress else { throw .truncated }
                    let count = content.count
                    rest = try inflater.inflate(rest, appendingTo: &content, stepBytes: stepBytes)
                    hasProgress = content.count > count
                    if content.count > limitBytes { throw .tooLarge(limitBytes: limitBytes) }
                } while !inflater.isAtMemberEnd
                if !rest.isEmpty { throw .trailingBytes }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        self.inflater = inflater
    }
}

/// The code of a byte in a block of deflate with fixed codes (RFC 1951, 3.2.6).
package struct FixedCode {
    /// The first bit is the lowest.
    package let bits: UInt64
    package let bitCount: Int

    package init(_ byte: UInt8) {
        let (code, count) = byte < 144 ? (0x30 + UInt64(byte), 8) : (0x190 + UInt64(byte) - 144, 9)
        bits = (0..<count).reduce(0) { $0 << 1 | code >> $1 & 1 }
        bitCount = count
    }
}

/// Reads what most small vector tiles are: one block with fixed codes, and no repetitions. zlib takes several times as long.
private enum LiteralBlock {
    private static let headerBytes = 10, trailerBytes = 8
    /// The magic bytes, deflate, and no optional fields.
    private static let header: UInt32 = 0x0008_8b1f

    /// By the next nine bits: a byte, and from the eighth bit on the length of its code; 0 for other symbols.
    private static let symbols: [UInt16] = {
        var symbols = [UInt16](repeating: 0, count: 512)
        for byte in UInt8.min...UInt8.max {
            let code = FixedCode(byte)
            for rest in 0..<512 >> code.bitCount {
                symbols[Int(code.bits) | rest << code.bitCount] = UInt16(byte) | UInt16(code.bitCount) << 8
            }
        }
        return symbols
    }()

    /// Appends the content to `content`.
    /// - Returns: `false` if the stream is anything else, or damaged.
    static func read(_ stream: UnsafeRawBufferPointer, into content: inout [UInt8], limitBytes: Int) -> Bool {
        let end = stream.count - trailerBytes
        guard end > headerBytes, stream.number(at: 0, UInt32.self) == header,
            // The last block, with fixed codes.
            stream[headerBytes] & 7 == 0b011
        else {
            return false
        }
        // A code has at least eight bits; some of the trailer's may be read, too.
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stream.count) { room in
            guard let count = symbols.withUnsafeBufferPointer({ literals(of: stream, to: end, $0, into: room) }),
                count <= limitBytes
            else { return false }
            let found = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: room[..<count]))
            guard count == stream.number(at: end + 4, UInt32.self),
                Gzip.crc32(found) == stream.number(at: end, UInt32.self)
            else { return false }
            content.append(contentsOf: found)
            return true
        }
    }

    /// - Returns: the number of bytes; `nil` if the block doesn't end at the byte before `end`.
    private static func literals(
        of stream: UnsafeRawBufferPointer, to end: Int, _ symbols: UnsafeBufferPointer<UInt16>,
        into room: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var (bit, count) = (headerBytes * 8 + 3, 0)
        while bit < end * 8 {
            var bits = stream.number(at: bit >> 3, UInt64.self) &>> UInt64(bit & 7)
            // That many codes are in these bits, however long they are.
            for _ in 0..<6 {
                let symbol = symbols[Int(bits & 511)]
                guard symbol > 0 else { return bits & 127 == 0 && (bit + 7 + 7) >> 3 == end ? count : nil }
                room[count] = UInt8(truncatingIfNeeded: symbol)
                count &+= 1
                bits &>>= UInt64(symbol &>> 8)
                bit &+= Int(symbol &>> 8)
            }
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func number<Number: FixedWidthInteger>(at offset: Int, _ type: Number.Type) -> Number {
        Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}

/// Why inflating failed.
public enum GzipError: Error, Equatable, Sendable {
    case notGzip
    case truncated
    case corrupt(String)
    case trailingBytes
    /// The content exceeds the reader's limit.
    case tooLarge(limitBytes: Int)
}

extension GzipError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notGzip: "not gzip data"
        case .truncated: "gzip data ends too early"
        case .corrupt(let detail): "gzip data is corrupt (\(detail))"
        case .trailingBytes: "bytes follow the end of the gzip data"
        case .tooLarge(let limit): "content is longer than the limit of \(limit) bytes"
        }
    }
}
