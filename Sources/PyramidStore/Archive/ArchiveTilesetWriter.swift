import PyramidPlatform
import PyramidTiles
import Synchronization

/// Writes a tileset as a single file, a PMTiles archive.
///
/// Tiles are appended to a work file, `.NAME.building` beside the output, as they come. The work file is also the lock
/// that keeps a second build out. At the end the tiles are copied to a temporary file, in the order of PMTiles and with
/// each body once, which is then renamed to the output. Until then an older archive stays as it is. A build that is
/// killed leaves the work file and the temporary file, and the next build removes them.
///
/// An archive that already holds the same bytes is not touched.
public final class ArchiveTilesetWriter: TilesetWriter {
    private let locked: LockedFolder
    /// The name of the archive in the folder.
    private let fileName: String
    /// Where the first tile begins in the work file.
    private let workStart: Int
    private let syncs: Bool
    private let work: SharedWork
    private let memory: ListMemory
    /// Guards the properties after it.
    private let stateLock = Mutex(())
    nonisolated(unsafe) private var contents: ArchiveContents
    /// Bodies that have yet to be written to the work file.
    nonisolated(unsafe) private var buffer = ByteBuffer(capacity: 2 * ArchiveTilesetWriter.stepBytes)

    /// About how many bytes are written to a file at a time.
    private static let stepBytes = 1 << 20
    /// Bodies that are closer together than this are read in one call: reading the gap costs less than another call.
    private static let gapBytes = 1 << 12

    /// Creates the work file, and the folder if it is missing.
    /// - Parameters:
    ///   - path: the archive's path.
    ///   - force: whether it may replace another program's archive, or one of another format version.
    ///   - jobs: how many threads put the tiles in order.
    ///   - syncs: whether to wait until the data is on disk.
    ///   - memory: for the lists of tiles; `nil` for a few MiB, and temporary files with the rest.
    public init(
        path: String, force: Bool = false, jobs: Int = 1, syncs: Bool = true, memory: ListMemory? = nil
    ) throws(OutputError) {
        try ArchiveTilesetWriter.check(path: path, force: force)
        let (parent, name) = ArchiveTilesetWriter.folderAndName(of: path)
        fileName = name
        self.syncs = syncs
        work = SharedWork(jobs: jobs)
        let memory = memory ?? .small(beside: path)
        self.memory = memory
        contents = ArchiveContents(memory)
        locked = try LockedFolder(
            parent, marker: ArchiveTilesetWriter.workName(of: name), of: "archive", syncs: false)
        workStart = Int(lseek(locked.lock.descriptor, 0, SEEK_CUR))
        // A build that was killed may have left a temporary file. It is removed even if no new archive gets written.
        do throws(OutputError) {
            _ = try folder.remove(temporaryName)
        } catch {
            abandon()
            throw error
        }
    }

    private var folder: DirectoryHandle { locked.folder }
    private var workName: String { ArchiveTilesetWriter.workName(of: fileName) }
    private var temporaryName: String { ArchiveTilesetWriter.temporaryName(of: fileName) }

    public func write(_ bytes: UnsafeRawBufferPointer, to address: FileAddress, _ file: StoredFile) throws {
        precondition(address.kind == .tile, "an archive has only tiles")
        let id = address.tile.pmtilesID
        try stateLock.withLock { _ in
            try contents.append(id, file)
            buffer.append(bytes)
            if buffer.count >= ArchiveTilesetWriter.stepBytes { try flush() }
        }
    }

    public func write(
        _ bytes: UnsafeRawBufferPointer, to tile: TileCoordinate, _ file: StoredFile, sameAs other: TileCoordinate
    ) throws {
        let (id, otherID) = (tile.pmtilesID, other.pmtilesID)
        try stateLock.withLock { _ in try contents.append(id, sameAs: otherID) }
    }

    private func flush() throws(OutputError) {
        guard buffer.withUnsafeBytes({ writeFully($0, to: locked.lock.descriptor) }) else {
            throw folder.failure(workName)
        }
        buffer.removeAll()
    }

    public func finish(_ metadata: TilesetMetadata) throws -> TilesetOutcome {
        try stateLock.withLock { _ in
            try flush()
            buffer = ByteBuffer()
        }
        guard contents.tileCount > 0 else {
            throw OutputError(
                .unusable, folder.path + "/" + fileName, "would have no tiles, but an archive needs at least one")
        }
        let layout = try ArchiveLayout(&contents, memory) { range throws(OutputError) in try workBytes(range) }
        var outcome = TilesetOutcome(manifest: metadata.manifest)
        let start = try start(of: layout, metadata, &outcome.manifest)
        if try holds(start, layout) {
            outcome.changes.unchanged = layout.tileCount
        } else {
            try write(start, layout)
            outcome.changes.written = layout.tileCount
        }
        _ = try folder.remove(workName)
        return outcome
    }

    /// Removes the work file and the unfinished archive. The old archive stays as it is, unless the new one has already
    /// replaced it.
    public func abandon() {
        _ = try? folder.remove(temporaryName)
        _ = try? folder.remove(workName)
        locked.removeIfMade()
    }
}

extension ArchiveTilesetWriter {
    /// The bytes before the tile data.
    private struct Start {
        /// The header, the root directory and the metadata.
        let bytes: [UInt8]
        let leaves: StoredElements<UInt8>

        var byteCount: Int { bytes.count + leaves.count }

        /// Calls `body` with each piece and its offset.
        func forEachPiece(_ body: (_ piece: UnsafeRawBufferPointer, _ offset: Int) throws -> Void) throws {
            try bytes.withUnsafeBytes { try body($0, 0) }
            try leaves.withUnsafeBufferPointer { leaves in
                for piece in leaves.indices.split(every: stepBytes) {
                    let piece = UnsafeRawBufferPointer(leaves)[piece]
                    try body(UnsafeRawBufferPointer(rebasing: piece), bytes.count + piece.startIndex)
                }
            }
        }
    }

    /// Makes the bytes before the tile data; completes the manifest, which is among them.
    private func start(
        of layout: ArchiveLayout, _ metadata: TilesetMetadata, _ manifest: inout Manifest
    ) throws -> Start {
        let directories = try ArchiveDirectories(layout, memory, work)
        manifest.content.storage.layout = .archive
        manifest.files = [
            TileJSON.fileName: Manifest.FileSummary(of: try metadata.tileJSON.encoded()),
            ArchiveSection.rootDirectory.rawValue: Manifest.FileSummary(of: directories.root),
            ArchiveSection.leafDirectories.rawValue: directories.leaves.withUnsafeBufferPointer {
                Manifest.FileSummary(of: UnsafeRawBufferPointer($0))
            },
            ArchiveSection.tileData.rawValue: Manifest.FileSummary(
                bytes: layout.tileDataByteCount, crc32: layout.tileDataCRC32(work).hexadecimal),
        ]
        let json = try ArchiveMetadata(metadata.tileJSON, generator: manifest.generator)
            .encoded(with: try manifest.encoded())
        let sealed = SealedGzip.compress(json)
        var end = PMTilesHeader.byteCount
        func section(_ byteCount: Int) -> Range<Int> {
            defer { end += byteCount }
            return end..<end + byteCount
        }
        let header = PMTilesHeader(
            rootDirectory: section(directories.root.count), metadata: section(sealed.count),
            leafDirectories: section(directories.leaves.count), tileData: section(layout.tileDataByteCount),
            counts: (layout.tileCount, layout.entryCount, layout.order.count),
            tileType: .init(manifest.content.storage.codec),
            zooms: metadata.tileJSON.minzoom...metadata.tileJSON.maxzoom, area: PMTilesHeader.Area(metadata.tileJSON))
        return Start(bytes: header.encoded() + directories.root + sealed, leaves: directories.leaves)
    }

    /// Whether the existing archive already has exactly these bytes.
    private func holds(_ start: Start, _ layout: ArchiveLayout) throws -> Bool {
        guard let old = try? OpenedFile(path: folder.path + "/" + fileName),
            old.byteCount == start.byteCount + layout.tileDataByteCount
        else { return false }
        let isSame = Atomic(true)
        let compare = { @Sendable (piece: UnsafeRawBufferPointer, offset: Int) in
            guard isSame.load(ordering: .relaxed) else { return }
            let found = try? old.bytes(offset..<offset + piece.count)
            if found?.elementsEqual(piece) != true { isSame.store(false, ordering: .relaxed) }
        }
        try start.forEachPiece(compare)
        guard isSame.load(ordering: .relaxed) else { return false }
        try forEachPiece(of: layout) { piece, offset in compare(piece, start.byteCount + offset) }
        return isSame.load(ordering: .relaxed)
    }

    private func write(_ start: Start, _ layout: ArchiveLayout) throws {
        let file = try StagedFile(fileName, in: folder)
        file.keepPermissions()
        try start.forEachPiece { piece, offset in try file.write(piece, at: offset) }
        try forEachPiece(of: layout) { piece, offset in try file.write(piece, at: start.byteCount + offset) }
        try file.publish(syncs: syncs)
    }

    /// Calls `body` on several threads with the tile data, piece by piece.
    /// - Parameter body: gets a piece, and its offset in the tile data.
    private func forEachPiece(
        of layout: ArchiveLayout, _ body: @Sendable (_ piece: UnsafeRawBufferPointer, _ offset: Int) throws -> Void
    ) throws {
        let chunks = layout.chunks(ofBytes: ArchiveTilesetWriter.stepBytes)
        try work.forEach(count: chunks.count) {
            (piece: [UInt8](), run: [UInt8]())
        } _: { (buffers: inout (piece: [UInt8], run: [UInt8]), index: Int) throws in
            let locations = chunks[index].map { layout.location(of: $0) }
            guard let first = locations.first, let last = locations.last else { return }
            let byteCount = last.offset + last.work.count - first.offset
            if buffers.piece.count < byteCount { buffers.piece = [UInt8](repeating: 0, count: byteCount) }
            // Tiles that are neighbours are close together in the work file, too, but in another order. So a few reads
            // get them all.
            let sorted = locations.sorted { $0.work.lowerBound < $1.work.lowerBound }
            var start = 0
            while start < sorted.count {
                var end = start + 1
                while end < sorted.count,
                    sorted[end].work.lowerBound - sorted[end - 1].work.upperBound < ArchiveTilesetWriter.gapBytes
                {
                    end += 1
                }
                let run = sorted[start].work.lowerBound..<sorted[end - 1].work.upperBound
                if buffers.run.count < run.count { buffers.run = [UInt8](repeating: 0, count: run.count) }
                try buffers.run.withUnsafeMutableBytes {
                    try read(run, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<run.count]))
                }
                buffers.piece.withUnsafeMutableBytes { piece in
                    buffers.run.withUnsafeBytes { bytes in
                        for (work, offset) in sorted[start..<end] {
                            let room = UnsafeMutableRawBufferPointer(rebasing: piece[(offset - first.offset)...])
                            let from = work.lowerBound - run.lowerBound
                            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[from..<from + work.count]))
                        }
                    }
                }
                start = end
            }
            try buffers.piece.withUnsafeBytes {
                try body(UnsafeRawBufferPointer(rebasing: $0[..<byteCount]), first.offset)
            }
        }
    }

    /// Reads a range of the work file, counted from the first body.
    private func read(_ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) throws(OutputError) {
        guard let count = readFully(locked.lock.descriptor, into: buffer, at: workStart + range.lowerBound) else {
            throw folder.failure(workName)
        }
        guard count == range.count else {
            throw OutputError(.failed, folder.path + "/" + workName, "was cut off by another program")
        }
    }

    private func workBytes(_ range: Range<Int>) throws(OutputError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        do {
            try bytes.withUnsafeMutableBytes { try read(range, into: $0) }
        } catch let error as OutputError {
            throw error
        } catch {
            preconditionFailure("reading throws output errors")
        }
        return bytes
    }
}
