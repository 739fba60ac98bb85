import Foundation
import PyramidStore
import PyramidTiles

/// An archive taken apart, to be put together again with something wrong: all the checksums are right then.
package struct ForgedArchive {
    /// Of tiles.
    package var entries: [PMTilesEntry] = []
    package var tileData: [UInt8]
    package var manifest: Manifest
    package var metadata: ArchiveMetadata
    package var editHeader: (inout PMTilesHeader) -> Void = { _ in }
    package var editMetadata: (inout [UInt8]) -> Void = { _ in }
    /// The entries of each leaf directory; `nil` if all are in the root.
    package var leafEntryCount: Int?
    /// What becomes of the entries of the root directory, which refer to leaf directories if there are any.
    package var editRoot: (inout [PMTilesEntry]) -> Void = { _ in }
    /// What becomes of a directory's bytes before they are compressed.
    package var editDirectory: (inout [UInt8]) -> Void = { _ in }
    private let header: PMTilesHeader

    package init(_ archive: ArchiveTileset) throws {
        header = archive.header
        tileData = try archive.file.bytes(header.tileData)
        manifest = try archive.manifest()
        metadata = ArchiveMetadata(try archive.tileJSON(), generator: manifest.generator)
        var entries: [PMTilesEntry] = []
        try archive.forEachEntry { entry throws(StoreError) in if !entry.isLeaf { entries.append(entry) } }
        self.entries = entries
    }

    private func directory(_ entries: [PMTilesEntry]) -> [UInt8] {
        var buffer = ByteBuffer()
        PMTilesDirectory.encode(entries[...], into: &buffer)
        var bytes = buffer.withUnsafeBytes { Array($0) }
        editDirectory(&bytes)
        return bytes.gzipped()
    }

    package func bytes() throws -> [UInt8] {
        var rootEntries = entries
        var leaves: [UInt8] = []
        if let leafEntryCount {
            rootEntries = entries.indices.split(every: leafEntryCount).map { part in
                let bytes = directory(Array(entries[part]))
                defer { leaves += bytes }
                return PMTilesEntry(
                    tileID: entries[part.lowerBound].tileID, offset: UInt64(leaves.count),
                    byteCount: UInt32(bytes.count), runLength: 0)
            }
        }
        editRoot(&rootEntries)
        let root = directory(rootEntries)
        var manifest = manifest
        manifest.files[ArchiveSection.rootDirectory.rawValue] = Manifest.FileSummary(of: root)
        manifest.files[ArchiveSection.leafDirectories.rawValue] = Manifest.FileSummary(of: leaves)
        manifest.files[ArchiveSection.tileData.rawValue] = Manifest.FileSummary(of: tileData)
        var json = try metadata.encoded(with: manifest.encoded())
        editMetadata(&json)
        let sealed = SealedGzip.compress(json)
        var header = header
        header.rootDirectory = PMTilesHeader.byteCount..<PMTilesHeader.byteCount + root.count
        header.metadata = header.rootDirectory.upperBound..<header.rootDirectory.upperBound + sealed.count
        header.leafDirectories = header.metadata.upperBound..<header.metadata.upperBound + leaves.count
        header.tileData = header.leafDirectories.upperBound..<header.leafDirectories.upperBound + tileData.count
        header.tileCount = entries.reduce(0) { $0 + Int($1.runLength) }
        header.entryCount = entries.count
        header.contentCount = Set(entries.map(\.offset)).count
        editHeader(&header)
        return header.encoded() + root + sealed + leaves + tileData
    }
}

extension PyramidFixture {
    /// Calls `body` with the pyramid as an archive, which is removed afterwards.
    package func withArchive<Result>(_ body: (ArchiveTileset) throws -> Result) throws -> Result {
        try withDirectory { directory in
            let path = directory.path + ".pmtiles"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let writer = try ArchiveTilesetWriter(path: path, syncs: false)
            let list = try directory.fileList()
            for entry in list.entries {
                let bytes = try directory.storedBytes(of: entry.address, limitBytes: 1 << 20)
                try bytes.withUnsafeBytes { try writer.write($0, to: entry.address, entry.file) }
            }
            _ = try writer.finish(
                TilesetMetadata(list: list, tileJSON: try directory.tileJSON(), manifest: try directory.manifest()))
            return try body(try ArchiveTileset(path: path))
        }
    }
}
