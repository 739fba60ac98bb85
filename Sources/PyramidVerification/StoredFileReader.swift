import PyramidStore
import PyramidTiles

/// Reads listed files one by one, and checks their sizes and checksums.
struct StoredFileReader {
    let tileset: any TilesetReader
    /// `nil` for other tilesets.
    private var archive: ArchiveTileReader?
    private var gzip = GzipReader()
    private var stored: [UInt8] = []

    struct Problem: Error {
        let kind: Finding.Kind
        let detail: String
    }

    /// - Parameter zoom: that of most files.
    init(tileset: any TilesetReader, zoom: Int) {
        self.tileset = tileset
        archive = (tileset as? ArchiveTileset).map { ArchiveTileReader($0, zoom: zoom) }
    }

    /// Reads the uncompressed content of a file into `body`, never more bytes than the list states.
    mutating func read(_ address: FileAddress, _ file: StoredFile, _ body: inout [UInt8]) throws(Problem) {
        do throws(StoreError) {
            let limit = max(0, min(file.byteCount, TileStorage.tileLimitBytes))
            if try archive?.read(address, limitBytes: limit, into: &stored) == nil {
                stored = try tileset.storedBytes(of: address, limitBytes: limit)
            }
        } catch {
            switch error.reason {
            case .missing: throw Problem(kind: .missingTile, detail: "is missing")
            case .tooLarge:
                throw Problem(
                    kind: .damagedTile, detail: "has more than \(file.byteCount) bytes, the size in the file list")
            default: throw Problem(kind: .unreadableTile, detail: "\(error.reason)")
            }
        }
        // The list of an archive is made of these bytes, and the checksum of their section covers them.
        let crc32 = archive == nil ? Gzip.crc32(stored) : file.crc32
        guard stored.count == file.byteCount, crc32 == file.crc32 else {
            throw Problem(
                kind: .damagedTile,
                detail: Finding.mismatch(
                    of: (stored.count, crc32.hexadecimal), with: (file.byteCount, file.crc32.hexadecimal),
                    in: "file list"))
        }
        let bodyCRC32: UInt32
        if tileset.storage.compression == .none {
            (body, bodyCRC32) = (stored, crc32)
        } else {
            bodyCRC32 = try inflate(file, &body)
        }
        guard body.count == file.bodyByteCount, bodyCRC32 == file.bodyCRC32 else {
            throw Problem(
                kind: .damagedTile,
                detail: Finding.mismatch(
                    of: (body.count, bodyCRC32.hexadecimal), with: (file.bodyByteCount, file.bodyCRC32.hexadecimal),
                    in: "file list, uncompressed"))
        }
    }

    /// - Returns: the checksum of the body.
    private mutating func inflate(_ file: StoredFile, _ body: inout [UInt8]) throws(Problem) -> UInt32 {
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
        // The checksum and the size end the stream, and zlib has compared them with the content.
        return stored.suffix(8).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
