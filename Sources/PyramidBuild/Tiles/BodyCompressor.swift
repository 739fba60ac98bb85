import PyramidTiles

/// Makes files of the JSON that an encoder holds, one after the other, with a buffer that it keeps.
struct BodyCompressor: ~Copyable {
    private let compression: TileStorage.Compression
    private let compressor: GzipCompressor
    private var compressed = ByteBuffer(capacity: 1 << 16)

    init(_ compression: TileStorage.Compression, level: Int) {
        self.compression = compression
        compressor = GzipCompressor(level: level)
    }

    /// Calls `body` with the bytes of the file and what a list says of them.
    mutating func store<Result>(
        _ encoder: borrowing GeoJSONTileEncoder, _ body: (UnsafeRawBufferPointer, StoredFile) throws -> Result
    ) rethrows -> Result {
        try encoder.withUnsafeBytes { json in
            let jsonCRC32 = Gzip.crc32(json)
            guard compression == .gzip else {
                let file = StoredFile(
                    byteCount: json.count, crc32: jsonCRC32, bodyByteCount: json.count, bodyCRC32: jsonCRC32)
                return try body(json, file)
            }
            compressed.removeAll()
            compressor.compress(json, crc32: jsonCRC32, into: &compressed)
            return try compressed.withUnsafeBytes { stored in
                let file = StoredFile(
                    byteCount: stored.count, crc32: Gzip.crc32(stored), bodyByteCount: json.count, bodyCRC32: jsonCRC32
                )
                return try body(stored, file)
            }
        }
    }
}
