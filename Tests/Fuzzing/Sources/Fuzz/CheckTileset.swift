import Foundation
import PyramidStore
import PyramidVerification

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
    for path in [storage.relativePath(of: world), storage.relativePath(of: LeafPage(clusterID: 1, page: 0))] {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        require(names.count > 2 && names.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }, "a file at \(path)")
    }
}

/// The tiles of a sound tileset can be read, and bundles show what the report counts.
private func checkReading(of tileset: FuzzedTileset) {
    do {
        let listing = try TilesetListing(of: tileset)
        for entry in listing.tiles.entries {
            require(try tileset.tile(at: entry.address) != nil, "\(entry.address) is not there")
            require(try tileset.json(of: entry.address) != nil, "\(entry.address) is not there")
        }
        for entry in listing.bundles.entries { _ = try tileset.body(of: entry.address.tile) }
        for entry in listing.leaves?.entries ?? [] {
            require(try tileset.points(of: entry.address)?.isEmpty == false, "a page without points")
        }
    } catch {
        fatalError("a sound tileset can't be read: \(error)")
    }
}

private func readAll(of tileset: FuzzedTileset) {
    guard let listing = try? TilesetListing(of: tileset) else { return }
    for tile in listing.tiles.entries.map(\.address) + listing.bundles.entries.map(\.address.tile) {
        _ = try? tileset.tile(at: tile)
        _ = try? tileset.json(of: tile)
        if let below = TileCoordinate(z: tile.z + 1, x: 2 * tile.x, y: 2 * tile.y + 1) {
            _ = try? tileset.body(of: below)
        }
    }
    for entry in listing.leaves?.entries ?? [] { _ = try? tileset.points(of: entry.address) }
}

/// The files of an input under a manifest, with lists and checksums that match them.
private struct FuzzedTileset: TilesetReader {
    let storage: TileStorage
    private let metadata: [String: [UInt8]]
    private let files: [FileAddress: [UInt8]]

    init(_ manifest: Manifest, _ sections: NamedSections) {
        storage = manifest.content.storage
        var stored: [FileAddress: [UInt8]] = [:]
        var tiles: [TileList.Entry] = []
        var bundles: [BundleList.Entry] = []
        var leaves: [LeafList.Entry] = []
        for (address, body) in sections.files {
            let bytes = storage.compression == .gzip ? compressed(body) : body
            stored[address] = bytes
            let file = StoredFile(bytes, body: body)
            switch address {
            case .tile(let tile): tiles.append(TileList.Entry(address: tile, file: file))
            case .bundle(let tile): bundles.append(BundleList.Entry(address: BundleAddress(tile), file: file))
            case .page(let page): leaves.append(LeafList.Entry(address: page, file: file))
            }
        }
        files = stored
        var metadata = [TileList.fileName: TileList(tiles).encoded()]
        metadata[TileJSON.fileName] = sections[TileJSON.fileName]
        if storage.bundleLimit != nil { metadata[BundleList.fileName] = BundleList(bundles).encoded() }
        if manifest.content.clusters.hasLeaves { metadata[LeafList.fileName] = LeafList(leaves).encoded() }
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

    func strays(tiles: TileList, bundles: BundleList, leaves: LeafList?) -> [StrayFile] { [] }
}
