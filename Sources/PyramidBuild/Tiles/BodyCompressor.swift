import PyramidStore
import PyramidTiles

/// Turns the bytes of an encoder into files, one after the other, and reuses its buffer.
struct BodyCompressor: ~Copyable {
    private let compression: TileStorage.Compression
    private let compressor: GzipCompressor
    private var compressed = ByteBuffer(capacity: 1 << 16)

    init(_ storage: TileStorage, level: Int) {
        compression = storage.compression
        compressor = GzipCompressor(level: level, literalByteLimit: storage.codec.literalByteLimit)
    }

    /// Calls `write` with the bytes of the file and its sizes and checksums.
    /// - Parameter keep: returns the file if it exists already, given its JSON and the CRC-32 of that; called before
    ///   compressing.
    mutating func store<Encoder: TileEncoder & ~Copyable>(
        _ encoder: borrowing Encoder,
        keep: (UnsafeRawBufferPointer, UInt32) -> StoredFile? = { _, _ in nil },
        _ write: (UnsafeRawBufferPointer, StoredFile) throws -> Void
    ) rethrows -> StoredFile {
        try encoder.withUnsafeBytes { json in
            let jsonCRC32 = Gzip.crc32(json)
            if let kept = keep(json, jsonCRC32) { return kept }
            guard compression == .gzip else {
                let file = StoredFile(
                    byteCount: json.count, crc32: jsonCRC32, bodyByteCount: json.count, bodyCRC32: jsonCRC32)
                try write(json, file)
                return file
            }
            compressed.removeAll()
            compressor.compress(json, crc32: jsonCRC32, into: &compressed)
            return try compressed.withUnsafeBytes { stored in
                let file = StoredFile(
                    byteCount: stored.count, crc32: Gzip.crc32(stored), bodyByteCount: json.count, bodyCRC32: jsonCRC32)
                try write(stored, file)
                return file
            }
        }
    }
}
