import Foundation
@testable import PyramidVerification

@testable import PyramidStore
@testable import PyramidTiles

/// A readable manifest survives being written again. What is verified with it, whatever its files are, comes to an end with
/// the same findings in one thread and in two.
func checkManifest(_ bytes: UnsafeRawBufferPointer) {
    let sections = NamedSections(bytes)
    guard let text = sections[Manifest.fileName], let manifest = try? Manifest(decoding: withChecksum(text)) else {
        return
    }
    let encoded = encoded(manifest)
    guard var again = try? Manifest(decoding: encoded) else { fatalError("a manifest can't be read again") }
    again.checksum = manifest.checksum
    require(again == manifest, "a manifest comes back as another: \(String(decoding: encoded, as: UTF8.self))")
    check(manifest.content.storage)

    let tileset = FuzzedTileset(manifest, sections)
    let report = PyramidVerifier(tileset: tileset, jobs: 1).verify()
    require(PyramidVerifier(tileset: tileset, jobs: 2).verify() == report, "verification depends on the threads")
    if report.isSound { checkReading(of: tileset) } else { readAll(of: tileset) }
}

private func encoded(_ manifest: Manifest) -> [UInt8] {
    do { return try manifest.encoded() } catch { fatalError("a manifest can't be written: \(error)") }
}

/// Puts the right digits after the first `"checksum" : "`, or the reader would stop there.
func withChecksum(_ bytes: [UInt8]) -> [UInt8] {
    guard let key = bytes.firstRange(of: Array(#""checksum" : ""#.utf8)), key.upperBound + 8 <= bytes.count else {
        return bytes
    }
    var bytes = bytes
    let place = key.upperBound..<key.upperBound + 8
    bytes.replaceSubrange(place, with: Array("00000000".utf8))
    bytes.replaceSubrange(place, with: Array(Gzip.crc32(bytes).hexadecimal.utf8))
    return bytes
}

/// No file of a tileset lies outside of it.
private func check(_ storage: TileStorage) {
    for path in [FileAddress.tile(world), .bundle(world)].map({ storage.relativePath(of: $0) }) {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        require(names.count > 2 && names.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }, "a file at \(path)")
    }
}

/// The tiles of a sound tileset can be read, and bundles show what the report counts.
private func checkReading(of tileset: FuzzedTileset) {
    do {
        for address in try TilesetListing(of: tileset).list.entries.map(\.address) {
            if address.kind == .tile {
                require(try tileset.tile(at: address.tile) != nil, "\(address) is not there")
                require(try tileset.json(of: address.tile) != nil, "\(address) is not there")
            } else {
                _ = try tileset.body(of: address.tile)
            }
        }
    } catch {
        fatalError("a sound tileset can't be read: \(error)")
    }
}

/// Reads the files of a tileset that need not be sound.
func readAll(of tileset: FuzzedTileset) {
    guard let listing = try? TilesetListing(of: tileset) else { return }
    for tile in listing.list.entries.map(\.address.tile) {
        _ = try? tileset.tile(at: tile)
        _ = try? tileset.json(of: tile)
        if let below = TileCoordinate(z: tile.z + 1, x: 2 * tile.x, y: 2 * tile.y + 1) {
            _ = try? tileset.body(of: below)
        }
    }
}

/// The files of an input under a manifest, with lists and checksums that match them.
struct FuzzedTileset: TilesetReader {
    let storage: TileStorage
    private let metadata: [String: [UInt8]]
    private let files: [FileAddress: [UInt8]]

    init(_ manifest: Manifest, _ sections: NamedSections) {
        storage = manifest.content.storage
        var stored: [FileAddress: [UInt8]] = [:]
        var entries: [FileList.Entry] = []
        for (address, body) in sections.files {
            let bytes =
                storage.compression == .gzip
                ? compressed(body, literalByteLimit: storage.codec.literalByteLimit) : body
            stored[address] = bytes
            entries.append(FileList.Entry(address: address, file: StoredFile(bytes, body: body)))
        }
        files = stored
        var metadata = [FileList.fileName: FileList(entries).encoded()]
        metadata[TileJSON.fileName] = sections[TileJSON.fileName]
        var manifest = manifest
        for (name, bytes) in metadata { manifest.files[name] = Manifest.FileSummary(of: bytes) }
        metadata[Manifest.fileName] = encoded(manifest)
        self.metadata = metadata
    }

    var name: String { "fuzz" }
    var directoryPath: String? { nil }
    var isBeingBuilt: Bool { false }

    func metadataBytes(of name: String) throws(StoreError) -> [UInt8] {
        guard let bytes = metadata[name] else { throw StoreError(path: name, reason: .missing) }
        return bytes
    }

    func storedBytes(of address: FileAddress, limitBytes: Int) throws(StoreError) -> [UInt8] {
        guard let bytes = files[address] else { throw StoreError(path: "\(address)", reason: .missing) }
        return bytes
    }

    func strays(_ list: FileList) -> [StrayFile] { [] }
}
