import PyramidStore
import PyramidTiles

/// Reads listed files one by one, and checks their sizes and checksums.
struct StoredFileReader {
    let tileset: any TilesetReader
    private var gzip = GzipReader()

    struct Problem: Error {
        let kind: Finding.Kind
        let detail: String
    }

    init(tileset: any TilesetReader) {
        self.tileset = tileset
    }

    /// Reads the uncompressed content of a file into `body`, never more bytes than the list states.
    mutating func read(_ address: FileAddress, _ file: StoredFile, _ body: inout [UInt8]) throws(Problem) {
        let stored: [UInt8]
        do throws(StoreError) {
            stored = try tileset.storedBytes(
                of: address, limitBytes: max(0, min(file.byteCount, TileStorage.tileLimitBytes)))
        } catch {
            switch error.reason {
            case .missing: throw Problem(kind: .missingTile, detail: "is missing")
            case .tooLarge:
                throw Problem(
                    kind: .damagedTile, detail: "has more than \(file.byteCount) bytes, the size in the file list")
            default: throw Problem(kind: .unreadableTile, detail: "\(error.reason)")
            }
        }
        guard stored.count == file.byteCount, Gzip.crc32(stored) == file.crc32 else {
            throw Problem(
                kind: .damagedTile,
                detail: "has \(stored.count) bytes with checksum \(Gzip.crc32(stored).hexadecimal), "
                    + "expected \(file.byteCount) with \(file.crc32.hexadecimal) (file list)")
        }
        try undoCompression(stored, file, &body)
        guard body.count == file.bodyByteCount, Gzip.crc32(body) == file.bodyCRC32 else {
            throw Problem(
                kind: .damagedTile,
                detail: "has \(body.count) uncompressed bytes with checksum \(Gzip.crc32(body).hexadecimal), "
                    + "expected \(file.bodyByteCount) with \(file.bodyCRC32.hexadecimal) (file list)")
        }
    }

    private mutating func undoCompression(
        _ stored: [UInt8], _ file: StoredFile, _ body: inout [UInt8]
    ) throws(Problem) {
        if tileset.storage.compression == .none {
            body = stored
            return
        }
        let limit = max(0, min(file.bodyByteCount, TileStorage.tileLimitBytes))
        do throws(GzipError) {
            try gzip.read(stored, into: &body, limitBytes: limit)
        } catch {
            if error == .tooLarge(limitBytes: limit) {
                throw Problem(
                    kind: .damagedTile,
                    detail: "has more than \(file.bodyByteCount) uncompressed bytes, the size in the file list")
            }
            throw Problem(kind: .notGzip, detail: "\(error)")
        }
    }
}
