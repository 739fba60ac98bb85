import CZlib
import PyramidTiles

/// Compresses files one after another with gzip (RFC 1952), using the system's zlib. Each worker has its own
/// compressor.
///
/// The header is fixed (no name, time 0, operating system 255), so equal content gives equal bytes everywhere.
package final class GzipCompressor {
    private var stream = z_stream()
    /// zlib's default of 8 clears twice as much memory for every tile. That costs a tenth of the time and saves 10 of
    /// 22 million bytes.
    private static let memoryLevel: Int32 = 7
    static let header: [UInt8] = Gzip.magic + [8, 0, 0, 0, 0, 0, 0, 255]

    private let literalByteLimit: Int

    /// The compressor's version and settings. Compressors with the same name turn equal content into equal bytes.
    package static func name(level: Int, literalByteLimit: Int = 0) -> String {
        "zlib \(String(cString: zlibVersion())), level \(level), memory \(memoryLevel)"
            + (literalByteLimit > 0 ? ", literals to \(literalByteLimit) bytes" : "")
    }

    /// - Parameter literalByteLimit: the longest content that is compressed byte by byte, without a search for
    ///   repetitions.
    package init(level: Int, literalByteLimit: Int = 0) {
        precondition(Gzip.levels.contains(level), "no such gzip level")
        self.literalByteLimit = literalByteLimit
        let code = deflateInit2_(
            &stream, Int32(level), Z_DEFLATED, -MAX_WBITS, GzipCompressor.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(code == Z_OK, "zlib could not start: out of memory")
    }

    deinit { deflateEnd(&stream) }

    /// Appends the gzip stream of `content` to `output`.
    /// - Parameter crc32: the checksum of the content; `nil` to compute it.
    package func compress(_ content: UnsafeRawBufferPointer, crc32: UInt32? = nil, into output: inout ByteBuffer) {
        output.append(GzipCompressor.header)
        if content.count <= literalByteLimit {
            FixedCodes.shared.append(content, to: &output)
        } else {
            deflate(content, into: &output)
        }
        output.append(littleEndian: crc32 ?? Gzip.crc32(content))
        output.append(littleEndian: UInt32(content.count))
    }

    /// The bytes as raw deflate (RFC 1951), for data inside a file.
    package static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var output = ByteBuffer()
        bytes.withUnsafeBytes { GzipCompressor(level: Gzip.levels.upperBound).deflate($0, into: &output) }
        return output.withUnsafeBytes { Array($0) }
    }

    /// Appends `content` as raw deflate.
    private func deflate(_ content: UnsafeRawBufferPointer, into output: inout ByteBuffer) {
        precondition(content.count < Int(UInt32.max), "a tile of 4 GiB")
        deflateReset(&stream)
        stream.next_in = UnsafeMutablePointer(mutating: content.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(content.count)
        let bound = Int(deflateBound(&stream, UInt(content.count)))
        output.append(upTo: bound) { place in
            stream.next_out = place
            stream.avail_out = UInt32(bound)
            let code = CZlib.deflate(&stream, Z_FINISH)
            precondition(code == Z_STREAM_END, "deflate overran its own bound")
            return bound - Int(stream.avail_out)
        }
    }
}

/// Writes content as one block of deflate with fixed codes, byte by byte (RFC 1951, 3.2.6).
///
/// A stored block would be simpler. But gzip puts its CRC-32 after it, so all such files of one length would have the
/// same CRC-32, and checksums couldn't tell them apart.
private struct FixedCodes: Sendable {
    static let shared = FixedCodes()
    private let codes = (UInt8.min...UInt8.max).map { FixedCode($0) }

    func append(_ content: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
        // The header of the last block, with fixed codes.
        var (bits, count) = (UInt64(0b011), 3)
        codes.withUnsafeBufferPointer { codes in
            for byte in content {
                let code = codes[Int(byte)]
                bits |= code.bits << count
                count += code.bitCount
                if count >= 32 {
                    output.append(littleEndian: UInt32(truncatingIfNeeded: bits))
                    bits >>= 32
                    count -= 32
                }
            }
        }
        // Seven zero bits end the block.
        for shift in stride(from: 0, to: count + 7, by: 8) { output.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }
}

extension TileCodec {
    /// The longest content that is compressed byte by byte, without a search for repetitions.
    ///
    /// Vector tiles with a single point hardly have any. With a million points, four fifths of the tiles are at most
    /// this long. Searching them would save a byte or two each and take half of the build's time.
    package var literalByteLimit: Int { self == .mvt ? 192 : 0 }
}

extension TileStorage {
    /// The name of the files' compressor; empty if they aren't compressed.
    package func compressorName(level: Int) -> String {
        guard compression == .gzip else { return "" }
        return GzipCompressor.name(level: level, literalByteLimit: codec.literalByteLimit)
    }
}

extension TileJSON.Bundles {
    /// - Parameter template: relative to `tilejson.json`, unless it is absolute.
    package init(_ index: BundleIndex, template: String) {
        self.init(
            limit: index.limit, root: index.root, template: template, deflated: GzipCompressor.deflated(index.nodes))
    }
}
