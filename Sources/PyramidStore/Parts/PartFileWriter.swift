import PyramidPlatform
import PyramidTiles
import Synchronization

/// Writes the file of a part of the world: all tiles and bundles that are finished, and sections for the process
/// that joins the parts.
///
///     "PYRPART1" | bodies | sections | table | offset and size of the table, its CRC-32 | "PYRPARTX"
///
/// Integers are little-endian. A file with a name gets it only when it is complete. A build that joins its parts itself
/// writes them to a temporary file, and passes finished tiles and bundles on to the tileset.
package final class PartFileWriter: TilesetFileWriter {
    /// `nil` in a build that joins its parts itself.
    private let file: NamedPartFile?
    /// In a build that joins its parts itself: what gets the part, and what gets finished tiles and bundles.
    private let own: (spool: Spool, tileset: (any TilesetFileWriter)?, cutZoom: Int)?
    /// Guards the properties after it.
    private let stateLock = Mutex(())
    nonisolated(unsafe) private var entries: [PartFile.Entry] = []
    /// The tiles of the cut zoom that contain files of the tileset.
    nonisolated(unsafe) private var passedOn: Set<TileCoordinate> = []
    /// Tiles that have the body of another tile.
    nonisolated(unsafe) private var repeated: [(tile: TileCoordinate, other: TileCoordinate)] = []
    nonisolated(unsafe) private var sections: [PartFile.Section] = []
    /// Bytes that have yet to be written to the file.
    nonisolated(unsafe) private var buffer = ByteBuffer(capacity: 2 * PartFileWriter.stepBytes)
    nonisolated(unsafe) private var byteCount = PartFile.magic.count

    private static let stepBytes = 1 << 20

    /// - Parameter syncs: whether to wait until the data is on disk.
    package init(path: String, syncs: Bool = true) throws(OutputError) {
        try PartFileWriter.check(path)
        (file, own) = (try NamedPartFile(path: path, syncs: syncs), nil)
        buffer.append(PartFile.magic)
    }

    /// Writes a part of a build that joins it itself.
    /// - Parameter tileset: `nil` if the part has no tiles.
    package init(in spool: Spool, beside tileset: (any TilesetFileWriter)?, cutZoom: Int) {
        (file, own) = (nil, (spool, tileset, cutZoom))
        buffer.append(PartFile.magic)
    }

    /// Throws ``OutputError`` unless there is nothing at the path, or an empty file or an earlier part, which may be
    /// replaced.
    package static func check(_ path: String) throws(OutputError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw OutputError(.unusable, path, "is not a regular file, so no part can be written there")
        }
        guard status.st_size > 0 else { return }
        guard PartFile.isPart(path) else {
            throw OutputError(.unusable, path, "is not a part that pyramid wrote, and would be replaced; move it away")
        }
    }

    /// Throws ``OutputError`` if there is a part at the path of a tileset that is to be written.
    package static func requireNoPart(_ path: String) throws(OutputError) {
        guard PartFile.isPart(path) else { return }
        throw OutputError(.unusable, path, "is a part, expected the output as the last path")
    }

    /// Whether the process that writes the part also joins it.
    package var isOfJoin: Bool { own != nil }

    /// The tiles of the cut zoom that contain files of the tileset.
    package var finishedTiles: [TileCoordinate] { stateLock.withLock { _ in Array(passedOn) } }

    package func write(_ bytes: UnsafeRawBufferPointer, to address: FileAddress, _ file: StoredFile) throws {
        if let own, !file.isHandedOver {
            note(address)
            try own.tileset?.write(bytes, to: address, file)
            return
        }
        try stateLock.withLock { _ in
            entries.append(PartFile.Entry(address: address, file: file, offset: byteCount))
            try append(bytes)
        }
    }

    package func write(
        _ bytes: UnsafeRawBufferPointer, to tile: TileCoordinate, _ file: StoredFile, sameAs other: TileCoordinate
    ) throws {
        guard let own else { return stateLock.withLock { _ in repeated.append((tile, other)) } }
        note(.tile(tile))
        try own.tileset?.write(bytes, to: tile, file, sameAs: other)
    }

    package func keep(
        _ address: FileAddress, with json: UnsafeRawBufferPointer, crc32: UInt32, using existing: inout ExistingTile
    ) -> StoredFile? {
        let kept = own?.tileset?.keep(address, with: json, crc32: crc32, using: &existing)
        if kept != nil { note(address) }
        return kept
    }

    private func note(_ address: FileAddress) {
        guard let own, let tile = address.tile.ancestor(atZoom: own.cutZoom) else { return }
        _ = stateLock.withLock { _ in passedOn.insert(tile) }
    }

    /// Writes a section. All tiles must have been written before.
    /// - Parameter fill: passes the section's bytes to its argument, piece by piece.
    package func writeSection(
        _ name: String, _ fill: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        let start = byteCount
        var crc32: UInt32 = 0
        try fill { piece in
            crc32 = Gzip.crc32(piece, after: crc32)
            try append(piece)
        }
        sections.append(PartFile.Section(name: name, range: start..<byteCount, crc32: crc32))
    }

    package func writeSection(_ name: String, _ bytes: borrowing ByteBuffer) throws {
        try bytes.withUnsafeBytes { bytes in try writeSection(name) { append in try append(bytes) } }
    }

    /// Completes the file and gives it its name.
    package func finish() throws {
        try writeSection(PartFile.filesName) { append in
            var bytes = ByteBuffer()
            for entry in allEntries() {
                bytes.removeAll()
                entry.append(to: &bytes)
                try bytes.withUnsafeBytes(append)
            }
        }
        var table = ByteBuffer()
        for section in sections { section.append(to: &table) }
        let start = byteCount
        let crc32 = table.withUnsafeBytes { Gzip.crc32($0) }
        try table.withUnsafeBytes { try append($0) }
        var end = ByteBuffer()
        end.append(littleEndian: UInt64(start), byteCount: 8)
        end.append(littleEndian: UInt64(table.count), byteCount: 8)
        end.append(littleEndian: UInt64(crc32), byteCount: 4)
        end.append(PartFile.endMagic)
        try end.withUnsafeBytes { try append($0) }
        try flush()
        try file?.finish()
    }

    /// Removes the unfinished file. An older file with the same name stays.
    package func abandon() { file?.abandon() }

    /// All tiles, including those with the body of another one, and bundles, in the order of addresses.
    private func allEntries() -> [PartFile.Entry] {
        let own = entries.sorted { $0.address < $1.address }
        let same = repeated.map { tile, other in
            let entry = own[own.partitioningIndex { $0.address >= .tile(other) }]
            return PartFile.Entry(address: .tile(tile), file: entry.file, offset: entry.offset)
        }
        return (own + same).sorted { $0.address < $1.address }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws {
        byteCount += bytes.count
        buffer.append(bytes)
        if buffer.count >= PartFileWriter.stepBytes { try flush() }
    }

    private func flush() throws {
        try buffer.withUnsafeBytes { bytes in
            try file?.write(bytes)
            try own?.spool.append(bytes)
        }
        buffer.removeAll()
    }
}

/// A part's file, which replaces an earlier one when it is complete.
private final class NamedPartFile: Sendable {
    private let folder: DirectoryHandle
    private let fileName: String
    private let lock: BuildLock
    private let file: StagedFile
    private let syncs: Bool

    init(path: String, syncs: Bool) throws(OutputError) {
        let (parent, name) = ArchiveTilesetWriter.folderAndName(of: path)
        folder = try DirectoryHandle(making: parent)
        fileName = name
        self.syncs = syncs
        lock = try BuildLock(path: ArchiveTilesetWriter.workPath(of: path), of: "part")
        do throws(OutputError) {
            file = try StagedFile(name, in: folder)
        } catch {
            _ = try? folder.remove(ArchiveTilesetWriter.workName(of: name))
            throw error
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws { try file.write(bytes) }

    func finish() throws {
        try file.publish(syncs: syncs)
        _ = try folder.remove(ArchiveTilesetWriter.workName(of: fileName))
    }

    func abandon() {
        file.abandon()
        _ = try? folder.remove(ArchiveTilesetWriter.workName(of: fileName))
    }
}
