import PyramidPlatform
import PyramidTiles
import Synchronization

/// A tileset as a single file: a PMTiles archive written by `pyramid`.
///
/// It keeps reading the file that it has opened, even if a build replaces the archive meanwhile. The file is not
/// trusted: its size bounds the memory that reading takes, and `PMTilesDirectory/limitBytes` bounds that of a
/// directory.
///
/// Source: [PMTiles 3](https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md).
public final class ArchiveTileset: TilesetReader {
    package let file: OpenedFile
    public let header: PMTilesHeader
    private let root: PMTilesDirectory
    public let storage: TileStorage
    public let idProperty: String?
    /// The metadata files that a directory would have, by name, or why they can't be read.
    private let metadata: Result<[String: [UInt8]], StoreError>
    private let recentLeaves = Mutex(LeafDirectories())

    /// Leaf directories that were used recently, by their offsets.
    private struct LeafDirectories {
        private var directories: [UInt64: PMTilesDirectory] = [:]
        private var entryCount = 0
        /// Takes about 25 MB.
        private static let entryLimit = 1 << 20

        subscript(offset: UInt64) -> PMTilesDirectory? { directories[offset] }

        mutating func insert(_ directory: PMTilesDirectory, at offset: UInt64) {
            if entryCount + directory.entries.count > LeafDirectories.entryLimit {
                directories.removeAll(keepingCapacity: true)
                entryCount = 0
            }
            if directories.updateValue(directory, forKey: offset) == nil { entryCount += directory.entries.count }
        }
    }

    /// - Throws: ``StoreError`` if the file isn't an archive or is cut off, or if its root directory is damaged. Errors
    ///   in the metadata are thrown when they are read.
    public init(path: String) throws(StoreError) {
        let file = try OpenedFile(path: path)
        self.file = file
        let start = try file.bytes(0..<min(PMTilesHeader.byteCount, file.byteCount))
        let header: PMTilesHeader
        do throws(MetadataError) {
            header = try PMTilesHeader(decoding: start)
        } catch {
            throw file.damaged(error.description)
        }
        self.header = header
        guard header.fileByteCount <= file.byteCount else {
            throw file.damaged(
                "has \(file.byteCount) bytes, expected \(header.fileByteCount) as its header states: the end is missing"
            )
        }
        guard header.rootDirectory.upperBound <= PMTilesHeader.startByteCount else {
            throw file.damaged(
                "has a root directory that ends at byte \(header.rootDirectory.upperBound), expected one in the first "
                    + "\(PMTilesHeader.startByteCount)")
        }
        root = try ArchiveTileset.directory(header.rootDirectory, of: file, "the root directory")
        let found = Result { () throws(StoreError) in try ArchiveTileset.metadata(of: file, header) }
        let content = (try? found.get())?.content
        (storage, idProperty) = (content?.storage ?? TileStorage(), content?.idProperty)
        metadata = found.map(\.files)
    }

    /// Whether a file is an archive by its name or by its first bytes, however damaged the rest is.
    public static func isArchive(atPath path: String) -> Bool {
        ArchiveTilesetWriter.isArchive(path) || OpenedFile.begins(with: PMTilesHeader.magic, at: path)
    }

    /// The media type of archives.
    public static let contentType = "application/vnd.pmtiles"

    public var name: String { file.path }
    public var byteCount: Int { file.byteCount }
    /// The folder that holds the file, without symbolic links, and its name there.
    package var location: (folder: String, name: String) {
        let url = URL(fileURLWithPath: file.path).resolvingSymlinksInPath()
        return (url.deletingLastPathComponent().path, url.lastPathComponent)
    }
    /// Whether the path now belongs to another file or to none, or the file has been written to.
    package var isReplaced: Bool { file.isReplaced }
    public var directoryPath: String? { nil }
    /// An archive is always complete: a build replaces it only when the new one is finished.
    public var isBeingBuilt: Bool { false }

    public func metadataBytes(of name: String) throws(StoreError) -> [UInt8] {
        guard let bytes = try metadata.get()[name] else {
            throw StoreError(path: path(ofFile: name), reason: .missing)
        }
        return bytes
    }

    /// The metadata as they are stored, inflated.
    package func metadataJSON() throws(StoreError) -> [UInt8] { try ArchiveTileset.metadataJSON(of: file, header) }

    private static func metadataJSON(of file: OpenedFile, _ header: PMTilesHeader) throws(StoreError) -> [UInt8] {
        try file.inflated(header.metadata, limitBytes: ArchiveMetadata.limitBytes, "metadata")
    }

    private static func metadata(
        of file: OpenedFile, _ header: PMTilesHeader
    ) throws(StoreError) -> (content: Manifest.ContentOptions?, files: [String: [UInt8]]) {
        let json = try metadataJSON(of: file, header)
        guard let bytes = ArchiveMetadata.manifest(in: json) else {
            throw file.damaged("is a PMTiles archive without pyramid's manifest: another program wrote it")
        }
        // If the manifest is damaged, `manifest()` throws the error.
        var files = [Manifest.fileName: bytes]
        guard let manifest = try? Manifest(decoding: bytes) else { return (nil, files) }
        if let metadata = try? ArchiveMetadata(decoding: json) {
            files[TileJSON.fileName] = try? metadata.tileJSON(header, manifest).encoded()
        }
        return (manifest.content, files)
    }

    public func storedBytes(of address: FileAddress, limitBytes: Int) throws(StoreError) -> [UInt8] {
        try file.bytes(try storedRange(of: address, limitBytes: limitBytes))
    }

    /// Where a tile's bytes are in the file.
    func storedRange(of address: FileAddress, limitBytes: Int) throws(StoreError) -> Range<Int> {
        guard address.kind == .tile, let range = try storedRange(of: address.tile) else {
            throw StoreError(path: path(ofFile: storage.relativePath(of: address)), reason: .missing)
        }
        guard range.count <= limitBytes else {
            throw StoreError(
                path: path(ofFile: storage.relativePath(of: address)), reason: .tooLarge(limitBytes: limitBytes))
        }
        return range
    }

    /// Where a tile's bytes are in the file; `nil` if the archive doesn't have it. Equal tiles can have the same.
    package func storedRange(of tile: TileCoordinate) throws(StoreError) -> Range<Int>? {
        guard let entry = try entry(of: tile) else { return nil }
        return try range(of: entry, in: header.tileData)
    }

    public func strays(_ list: FileList) -> [StrayFile] { [] }
}

/// Checksums of the file.
extension ArchiveTileset {
    /// The size and checksum of a section, read from the file.
    package func summary(of section: ArchiveSection) throws(StoreError) -> Manifest.FileSummary {
        let range =
            switch section {
            case .rootDirectory: header.rootDirectory
            case .leafDirectories: header.leafDirectories
            case .tileData: header.tileData
            }
        var crc32: UInt32 = 0
        for piece in range.split(every: OpenedFile.stepBytes) {
            crc32 = try file.bytes(piece).withUnsafeBytes { Gzip.crc32($0, after: crc32) }
        }
        return Manifest.FileSummary(bytes: range.count, crc32: crc32.hexadecimal)
    }

    /// The header, the metadata and the directories.
    package func bytesBeforeTiles() throws(StoreError) -> [UInt8] {
        try file.bytes(0..<header.tileData.lowerBound)
    }

    /// Whether the metadata match their checksum.
    package func hasSoundMetadata() throws(StoreError) -> Bool {
        SealedGzip.isSound(try file.bytes(header.metadata))
    }
}

extension ArchiveTileset {
    /// The entry of a tile; `nil` if the archive doesn't have it.
    private func entry(of tile: TileCoordinate) throws(StoreError) -> PMTilesEntry? {
        let id = tile.pmtilesID
        guard let entry = root.entry(of: id) else { return nil }
        guard entry.isLeaf else { return entry }
        guard let found = try leaf(entry).entry(of: id) else { return nil }
        if found.isLeaf { throw nestedLeaf }
        return found
    }

    private func leaf(_ entry: PMTilesEntry) throws(StoreError) -> PMTilesDirectory {
        if let directory = recentLeaves.withLock({ $0[entry.offset] }) { return directory }
        let directory = try readLeaf(entry)
        recentLeaves.withLock { $0.insert(directory, at: entry.offset) }
        return directory
    }

    private func readLeaf(_ entry: PMTilesEntry) throws(StoreError) -> PMTilesDirectory {
        try ArchiveTileset.directory(
            try range(of: entry, in: header.leafDirectories), of: file, "the leaf directory at \(entry.offset)")
    }

    /// The range of an entry's bytes in the file.
    private func range(of entry: PMTilesEntry, in section: Range<Int>) throws(StoreError) -> Range<Int> {
        guard entry.end <= UInt64(section.count) else {
            throw file.damaged(
                "has an entry with bytes \(entry.offset) to \(entry.end) for tile number \(entry.tileID), "
                    + "expected at most \(section.count)")
        }
        return section.lowerBound + Int(entry.offset)..<section.lowerBound + Int(entry.end)
    }

    private static func directory(
        _ range: Range<Int>, of file: OpenedFile, _ name: String
    ) throws(StoreError) -> PMTilesDirectory {
        let bytes = try file.inflated(range, limitBytes: PMTilesDirectory.limitBytes, name)
        do throws(MetadataError) {
            return try PMTilesDirectory(decoding: bytes)
        } catch {
            throw file.damaged("\(name) \(error)")
        }
    }

    private var nestedLeaf: StoreError {
        file.damaged("has a leaf directory that refers to another one, expected tiles")
    }

    /// Calls `body` with every entry, in order, reading one directory after another. The entry of a leaf directory
    /// comes before the entries in it.
    /// - Throws: ``StoreError`` if a directory can't be read, if tile numbers are not in order across directories, if a
    ///   tile lies outside the tile data, or if there are more entries or tiles than the header states. So callers can
    ///   keep all entries in bounded memory.
    package func forEachEntry(_ body: (PMTilesEntry) throws(StoreError) -> Void) throws(StoreError) {
        var (entryCount, tileCount): (UInt64, UInt64) = (0, 0)
        func visit(_ entry: PMTilesEntry) throws(StoreError) {
            _ = try range(of: entry, in: header.tileData)
            entryCount += 1
            tileCount += UInt64(entry.runLength)
            try check(entryCount, "entries", stated: header.entryCount)
            try check(tileCount, "tiles", stated: header.tileCount)
            try body(entry)
        }
        var end: UInt64 = 0
        for entry in root.entries {
            guard entry.tileID >= end else {
                throw file.damaged(
                    "has tile number \(entry.tileID) in the root directory after tiles up to number \(end - 1)")
            }
            guard entry.isLeaf else {
                try visit(entry)
                end = entry.endID
                continue
            }
            try body(entry)
            let leaf = try readLeaf(entry)
            guard leaf.entries.first?.tileID == entry.tileID else {
                throw file.damaged("has a leaf directory that doesn't begin with tile number \(entry.tileID)")
            }
            for inner in leaf.entries {
                if inner.isLeaf { throw nestedLeaf }
                try visit(inner)
                end = inner.endID
            }
        }
    }

    /// This many tiles and entries are read even if the tile data have fewer bytes, because many tiles can share a few
    /// bytes.
    private static let leastCountLimit = 1 << 22

    /// - Parameters:
    ///   - count: the number so far.
    ///   - stated: the number that the header states.
    private func check(_ count: UInt64, _ what: String, stated: Int) throws(StoreError) {
        if count > stated {
            throw file.damaged("has more than the \(stated) \(what) that its header states")
        }
        let limit = max(header.tileData.count, ArchiveTileset.leastCountLimit)
        if count > limit {
            throw file.damaged(
                "has more than \(limit) \(what), too many for an archive with \(header.tileData.count) bytes of tiles"
            )
        }
    }

    /// Every tile, with sizes and checksums computed from the tile data. O(n log n)
    public func derivedFileList() throws(StoreError) -> FileList? {
        var files: [UInt64: (byteCount: UInt32, file: StoredFile)] = [:]
        // Whatever the header states, a tile of gzip has 20 bytes.
        files.reserveCapacity(min(header.contentCount, header.tileData.count / 20))
        var tiles: [FileList.Entry] = []
        var byteCount = 0
        var window = ArchiveWindow(of: file)
        try forEachEntry { entry throws(StoreError) in
            guard !entry.isLeaf else { return }
            let range = try range(of: entry, in: header.tileData)
            var stored: StoredFile
            if let known = files[entry.offset], known.byteCount == entry.byteCount {
                stored = known.file
            } else {
                byteCount += range.count
                // Otherwise a small file with many overlapping entries could take very long to read.
                guard byteCount <= header.tileData.count else {
                    throw file.damaged("has tiles that overlap, expected one after the other")
                }
                stored = try window.withBytes(range) { StoredFile(ofTile: $0) }
                files[entry.offset] = (entry.byteCount, stored)
            }
            for id in entry.tileID..<entry.endID {
                guard let tile = TileCoordinate(pmtilesID: id) else { continue }
                tiles.append(FileList.Entry(address: .tile(tile), file: stored))
            }
        }
        return FileList(consume tiles)
    }
}

extension StoredFile {
    /// The sizes and checksums of gzip data. Those of the content are only what the trailer states; inflating verifies
    /// them.
    fileprivate init(ofTile bytes: UnsafeRawBufferPointer) {
        func trailer(_ offset: Int) -> UInt32 {
            guard bytes.count >= 8 else { return 0 }
            return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - offset, as: UInt32.self))
        }
        self.init(
            byteCount: bytes.count, crc32: Gzip.crc32(bytes), bodyByteCount: Int(trailer(4)), bodyCRC32: trailer(8))
    }
}

/// Reads the tiles of an archive. Tiles of a zoom that are close together are read at once.
package struct ArchiveTileReader {
    package let archive: ArchiveTileset
    /// By zoom.
    private var windows: [ArchiveWindow]

    /// How much is read at once: some hundred small tiles.
    private static let stepBytes = 1 << 15
    /// At other zooms: some ten, because the next one there is further away.
    private static let otherStepBytes = 1 << 12

    /// - Parameter zoom: that of most tiles.
    package init(_ archive: ArchiveTileset, zoom: Int) {
        self.archive = archive
        windows = TileCoordinate.zooms.map {
            ArchiveWindow(
                of: archive.file,
                stepBytes: $0 == zoom ? ArchiveTileReader.stepBytes : ArchiveTileReader.otherStepBytes)
        }
    }

    /// Reads what ``ArchiveTileset/storedBytes(of:limitBytes:)`` returns into an array that is reused.
    package mutating func read(
        _ address: FileAddress, limitBytes: Int, into stored: inout [UInt8]
    ) throws(StoreError) {
        let range = try archive.storedRange(of: address, limitBytes: limitBytes)
        stored.removeAll(keepingCapacity: true)
        try windows[address.tile.z].withBytes(range) { stored.append(contentsOf: $0) }
    }
}
