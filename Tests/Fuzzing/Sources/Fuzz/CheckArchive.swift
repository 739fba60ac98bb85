import Foundation
@testable import PyramidVerification

@testable import PyramidStore
@testable import PyramidTiles

/// Headers and directories that can be read come back; an archive of whatever directories and metadata is read and verified
/// to an end, in memory of the order of its size.
func checkArchive(_ bytes: UnsafeRawBufferPointer) {
    let sections = NamedSections(bytes)
    let bytes = [UInt8](bytes)
    if let header = try? PMTilesHeader(decoding: bytes) {
        require((try? PMTilesHeader(decoding: header.encoded())) == header, "a header comes back as another")
        read(bytes)
    }
    if let archive = archive(of: sections) { return read(archive) }
    guard let first = bytes.first else { return }
    // The rest is a root directory, a leaf directory and tile data.
    let rest = bytes.dropFirst()
    let rootEnd = rest.startIndex + rest.count * Int(first >> 4) / 15
    let leafEnd = rootEnd + (rest.endIndex - rootEnd) * Int(first & 15) / 15
    let (root, leaf) = (Array(rest[..<rootEnd]), Array(rest[rootEnd..<leafEnd]))
    for directory in [root, leaf] {
        guard let decoded = try? PMTilesDirectory(decoding: directory) else { continue }
        var buffer = ByteBuffer()
        PMTilesDirectory.encode(decoded.entries[...], into: &buffer)
        let again = try? PMTilesDirectory(decoding: buffer.withUnsafeBytes { [UInt8]($0) })
        require(again == decoded, "a directory comes back as another")
        for entry in decoded.entries.prefix(8) {
            require(decoded.entry(of: entry.tileID) == entry, "an entry is not found by its number")
        }
    }
    read(archive(root: compressed(root), leaf: compressed(leaf), tileData: Array(rest[leafEnd...])))
}

/// With a manifest that has the right checksums; `nil` without one.
private func archive(of sections: NamedSections) -> [UInt8]? {
    guard let json = sections["metadata"], let text = ArchiveMetadata.manifest(in: json),
        var manifest = try? Manifest(decoding: withChecksum(text)), let own = try? ArchiveMetadata(decoding: json)
    else { return nil }
    let (root, leaves) = (compressed(sections["root"] ?? []), compressed(sections["leaves"] ?? []))
    let tileData = sections["tiles"] ?? []
    manifest.files = [
        ArchiveSection.rootDirectory.rawValue: Manifest.FileSummary(of: root),
        ArchiveSection.leafDirectories.rawValue: Manifest.FileSummary(of: leaves),
        ArchiveSection.tileData.rawValue: Manifest.FileSummary(of: tileData),
    ]
    do {
        let metadata = SealedGzip.compress(try own.encoded(with: manifest.encoded()))
        return archive(root: root, metadata, leaf: leaves, tileData: tileData)
    } catch {
        fatalError("metadata can't be written: \(error)")
    }
}

private let metadata = SealedGzip.compress(Array(#"{"pyramid":{}}"#.utf8))

private func archive(
    root: [UInt8], _ metadata: [UInt8] = metadata, leaf: [UInt8], tileData: [UInt8]
) -> [UInt8] {
    var end = PMTilesHeader.byteCount
    func section(_ bytes: [UInt8]) -> Range<Int> {
        defer { end += bytes.count }
        return end..<end + bytes.count
    }
    let header = PMTilesHeader(
        rootDirectory: section(root), metadata: section(metadata), leafDirectories: section(leaf),
        tileData: section(tileData), counts: (99, 99, 99), tileType: .other, zooms: 0...30,
        area: .init(west: 0, south: 0, east: 1, north: 1, centerZoom: 0, centerLongitude: 0, centerLatitude: 0))
    return header.encoded() + root + metadata + leaf + tileData
}

private let path = NSTemporaryDirectory() + "pyramid-fuzz-\(getpid()).pmtiles"

/// Reads everything in an archive.
private func read(_ bytes: [UInt8]) {
    require(FileManager.default.createFile(atPath: path, contents: Data(bytes)), "the archive can't be written")
    defer { unlink(path) }
    guard let archive = try? ArchiveTileset(path: path) else { return }
    let report = PyramidVerifier(tileset: archive, jobs: 1).verify()
    require(PyramidVerifier(tileset: archive, jobs: 2).verify() == report, "verification depends on the threads")
    guard let list = try? archive.fileList() else { return }
    require(list.entries.count <= bytes.count, "an archive has more tiles than bytes")
    for entry in list.entries.prefix(16) {
        let stored = try? archive.storedBytes(of: entry.address, limitBytes: .max)
        require(stored?.count == entry.file.byteCount, "a tile of the list can't be read: \(entry.address)")
        require(stored.map { Gzip.crc32($0) } == entry.file.crc32, "a tile is not that of the list: \(entry.address)")
    }
}
