import PyramidStore
import PyramidTiles

/// Turns what encoders have written into the bytes of files, compressed or not. It reuses its buffer.
struct BodyCompressor: ~Copyable {
    private let compression: TileStorage.Compression
    private let compressor: GzipCompressor
    private var compressed = ByteBuffer(capacity: 1 << 16)

    init(_ storage: TileStorage, level: Int) {
        compression = storage.compression
        compressor = GzipCompressor(level: level, literalByteLimit: storage.codec.literalByteLimit)
    }

    /// Calls `write` with the bytes to store, and their sizes and checksums.
    /// - Parameter keep: returns the file if it exists with this content, given before compression, and its CRC-32. Then
    ///   nothing is compressed or written.
    mutating func store<Encoder: TileEncoder & ~Copyable>(
        _ encoder: borrowing Encoder,
        keep: (UnsafeRawBufferPointer, UInt32) -> StoredFile? = { _, _ in nil },
        _ write: (UnsafeRawBufferPointer, StoredFile) throws -> Void
    ) rethrows -> StoredFile {
        try encoder.withUnsafeBytes { body in
            let bodyCRC32 = Gzip.crc32(body)
            if let kept = keep(body, bodyCRC32) { return kept }
            guard compression == .gzip else {
                let file = StoredFile(
                    byteCount: body.count, crc32: bodyCRC32, bodyByteCount: body.count, bodyCRC32: bodyCRC32)
                try write(body, file)
                return file
            }
            compressed.removeAll()
            compressor.compress(body, crc32: bodyCRC32, into: &compressed)
            return try compressed.withUnsafeBytes { stored in
                let file = StoredFile(
                    byteCount: stored.count, crc32: Gzip.crc32(stored), bodyByteCount: body.count, bodyCRC32: bodyCRC32)
                try write(stored, file)
                return file
            }
        }
    }
}
