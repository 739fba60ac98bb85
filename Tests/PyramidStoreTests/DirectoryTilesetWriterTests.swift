import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidStore

/// What becomes of the files of a directory that is written, written again, and was left behind by a stopped build.
@Suite(.tags(.threads)) struct DirectoryTilesetWriterTests {
    private let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private static let metadata = ["manifest.json", "tilejson.json", "files.tsv"]
    private static let marker = "A build of this pyramid is under way, or was interrupted.\nprocess 7\n"

    /// Numbers of files.
    private func changes(_ written: Int, _ unchanged: Int, _ removed: Int) -> TilesetOutcome.Changes {
        var changes = TilesetOutcome.Changes()
        (changes.written, changes.unchanged, changes.removed) = (written, unchanged, removed)
        return changes
    }

    /// The addresses of tiles and bundles (`z/x/y`), with their texts.
    private func texts(_ tiles: [String: String], _ bundles: [String: String]) throws -> [(FileAddress, String)] {
        try tiles.map { (FileAddress.tile(try #require(TileCoordinate($0))), $1) }
            + bundles.map { (FileAddress.bundle(try #require(TileCoordinate($0))), $1) }
    }

    /// Writes a pyramid of tiles and bundles that hold these texts, which needn't be JSON.
    private func write(
        _ tiles: [String: String], bundles: [String: String] = [:], suffix: String = ".json", syncs: Bool = false,
        preview: String? = nil, force: Bool = false, memory: ListMemory = .unlimited
    ) throws -> TilesetOutcome.Changes {
        let storage = TileStorage(
            suffix: suffix, compression: .none, layout: TilesetLayout(bundleLimit: bundles.isEmpty ? nil : 64))
        let writer = try DirectoryTilesetWriter(
            path: scratch.path, storage: storage, force: force, syncs: syncs, memory: memory)
        let entries = try texts(tiles, bundles).map { address, text in
            let entry = FileList.Entry(address: address, file: file(text))
            try Array(text.utf8).withUnsafeBytes { try writer.write($0, to: entry.address, entry.file) }
            return entry
        }
        let manifest = Manifest(
            generator: "pyramid test", options: ClusteringOptions(maxZoom: 3),
            content: Manifest.ContentOptions(
                properties: [], storage: storage, compressionLevel: 6, compressor: ""),
            input: Manifest.InputSummary(
                digest: "0123456789abcdef", rowsRead: 1, rowsAccepted: 1, rowsClamped: 0, rowsSkipped: [:]),
            zooms: [], files: [:])
        let tileJSON = TileJSON(
            tileTemplate: storage.template(of: .tile), minZoom: 0, maxZoom: 3,
            bounds: BoundingBox(west: 1, south: 2, east: 3, north: 4), fields: [:])
        let metadata = TilesetMetadata(
            list: FileList(entries), tileJSON: tileJSON, manifest: manifest, previewPage: preview.map { Array($0.utf8) }
        )
        return try writer.finish(metadata).changes
    }

    private func file(_ text: String) -> StoredFile {
        let bytes = Array(text.utf8)
        return StoredFile(
            byteCount: bytes.count, crc32: Gzip.crc32(bytes), bodyByteCount: bytes.count, bodyCRC32: Gzip.crc32(bytes))
    }

    /// The files, without those of the metadata and without directories.
    private func files() throws -> [String: String] {
        try Dictionary(
            uniqueKeysWithValues: scratch.names().compactMap { name in
                Self.metadata.contains(name) ? nil : scratch.text(name).map { (name, $0) }
            })
    }

    @Test(arguments: [true, false])
    func `a new pyramid is its tiles, its bundles and its metadata`(syncs: Bool) throws {
        let written = try write(["0/0/0": "a", "3/4/2": "b"], bundles: ["3/4/0": "c", "3/4/1": "d"], syncs: syncs)
        #expect(written == changes(4, 0, 0))
        #expect(
            try scratch.names() == [
                "bundles", "bundles/3", "bundles/3/4", "bundles/3/4/0.json", "bundles/3/4/1.json", "files.tsv",
                "manifest.json", "tilejson.json", "tiles", "tiles/0", "tiles/0/0", "tiles/0/0/0.json", "tiles/3",
                "tiles/3/4", "tiles/3/4/2.json",
            ])
        #expect(scratch.text("tiles/3/4/2.json") == "b" && scratch.text("bundles/3/4/1.json") == "d")
        let manifest = try DirectoryTileset(path: scratch.path).manifest()
        #expect(Set(manifest.files.keys) == ["tilejson.json", "files.tsv"])
        let list = try #require(FileManager.default.contents(atPath: scratch.path("files.tsv")))
        #expect(manifest.files["files.tsv"] == Manifest.FileSummary(of: [UInt8](list)))
        #expect(try scratch.openPaths() == [])
    }

    @Test func `the same once more touches no file`() throws {
        let tiles = ["0/0/0": "a", "3/4/2": "b"]
        _ = try write(tiles, bundles: ["3/4/0": "c"], preview: "page")
        let before = try scratch.names().map { scratch.fileNumber($0) }
        #expect(try write(tiles, bundles: ["3/4/0": "c"], preview: "page") == changes(0, 3, 0))
        #expect(try scratch.names().map { scratch.fileNumber($0) } == before)
    }

    @Test(arguments: [nil, false, true])
    func `files are made, replaced and removed, even if the older list doesn't fit into the memory`(
        isInterrupted: Bool?
    ) throws {
        let spools = try TemporaryFolder()
        let memory = isInterrupted == nil ? .unlimited : ListMemory(budgetBytes: 30, folder: spools.path)
        _ = try write(
            ["0/0/0": "a", "3/4/2": "b", "3/5/2": "c", "2/1/1": "d"], bundles: ["3/4/0": "e", "3/6/0": "f"])
        let kept = scratch.fileNumber("tiles/0/0/0.json")
        if isInterrupted == true { try scratch.file(".building", Self.marker) }
        let written = try write(
            ["0/0/0": "a", "3/4/2": "B", "1/1/0": "g"], bundles: ["3/4/0": "E", "3/4/1": "h"], memory: memory)
        #expect(written == changes(4, 1, 3))
        #expect(
            try files() == [
                "tiles/0/0/0.json": "a", "tiles/3/4/2.json": "B", "tiles/1/1/0.json": "g", "bundles/3/4/0.json": "E",
                "bundles/3/4/1.json": "h",
            ])
        #expect(scratch.fileNumber("tiles/0/0/0.json") == kept)
        // Empty directories go with their files.
        #expect(try scratch.names().allSatisfy { !["tiles/2", "tiles/3/5", "bundles/3/6"].contains($0) })
        #expect(try write(["0/0/0": "a"], memory: memory) == changes(0, 1, 4))
        #expect(try files() == ["tiles/0/0/0.json": "a"])
        #expect(scratch.fileNumber("bundles") == nil)
        #expect(try spools.names() == [] && spools.openPaths() == [])
    }

    @Test func `another suffix leaves nothing of the old one`() throws {
        _ = try write(["0/0/0": "a", "3/4/2": "b"], bundles: ["3/4/0": "c"])
        #expect(
            try write(["0/0/0": "a", "3/4/2": "b"], bundles: ["3/4/0": "c"], suffix: ".geojson") == changes(3, 0, 3))
        #expect(
            try files().keys.sorted() == ["bundles/3/4/0.geojson", "tiles/0/0/0.geojson", "tiles/3/4/2.geojson"])
    }

    @Test func `without room for the older list, the directory stays as it was`() throws {
        let start = "\(GeoJSON.start)"
        _ = try write(["0/0/0": start, "3/4/2": start])
        let before = try files()
        let memory = ListMemory(budgetBytes: 30, folder: scratch.path("none"))
        let error = #expect(throws: OutputError.self) { try write(["0/0/0": "c"], memory: memory) }
        #expect(error?.kind == .failed && error?.description.contains("set TMPDIR") == true)
        #expect(try files() == before)
        #expect(!DirectoryTileset(path: scratch.path).isBeingBuilt)
        // A list with errors, or none, is still not that of a tileset that can be compared.
        try scratch.file("files.tsv", "damaged")
        #expect(try write(["0/0/0": "c"], memory: memory) == changes(1, 0, 1))
    }

    @Test func `files of others stay, and keep their directories`() throws {
        _ = try write(["0/0/0": "a", "3/4/2": "b"], bundles: ["3/4/0": "c"])
        let foreign = ["notes.txt": "1", "tiles/3/4/2.png": "2", "tiles/3/4/02.json": "3", "bundles/3/4/notes": "4"]
        for (name, text) in foreign { try scratch.file(name, text) }
        #expect(try write(["0/0/0": "a"]) == changes(0, 1, 2))
        #expect(try files() == foreign.merging(["tiles/0/0/0.json": "a"]) { $1 })
    }

    @Test func `a file of another in the place of a tile stops the build, which stays marked`() throws {
        _ = try write(["0/0/0": "a"])
        try scratch.file("tiles/3/4/2.json", "precious")
        let error = #expect(throws: OutputError.self) { try write(["0/0/0": "b", "3/4/2": "c"]) }
        #expect(error?.kind == .failed)
        #expect(scratch.text("tiles/3/4/2.json") == "precious")
        #expect(DirectoryTileset(path: scratch.path).isBeingBuilt)
        #expect(try scratch.openPaths() == [])
    }

    @Test func `what a stopped build left is found and removed`() throws {
        _ = try write(["0/0/0": "a", "3/4/2": "b"], bundles: ["3/4/0": "c"])
        let start = "\(GeoJSON.start)"
        for (name, text) in [
            (".building", Self.marker), ("tiles/3/6/1.json", start), ("tiles/3/6/2.json", ""),
            ("tiles/3/4/2.json.pyramid-tmp", start), ("bundles/2/1/0.json", start),
            ("bundles/2/1/1.json.pyramid-tmp", ""), ("manifest.json.pyramid-tmp", "{"), ("files.tsv.pyramid-tmp", ""),
            ("tiles/3/6/notes.json", "mine"),
        ] { try scratch.file(name, text) }
        #expect(try write(["0/0/0": "a", "3/4/2": "B"], bundles: ["3/4/0": "c"]) == changes(1, 2, 3))
        #expect(
            try files() == [
                "tiles/0/0/0.json": "a", "tiles/3/4/2.json": "B", "bundles/3/4/0.json": "c",
                "tiles/3/6/notes.json": "mine",
            ])
    }

    @Test func `a directory has one writer at a time, and one that does not finish leaves its marker`() throws {
        _ = try write(["0/0/0": "a"])
        do {
            let writer = try DirectoryTilesetWriter(path: scratch.path, syncs: false)
            let error = #expect(throws: OutputError.self) { try write(["0/0/0": "b"]) }
            #expect(error?.kind == .busy)
            withExtendedLifetime(writer) {}
        }
        #expect(try scratch.openPaths() == [])
        #expect(try files() == ["tiles/0/0/0.json": "a", ".building": scratch.text(".building") ?? ""])
        // Nothing is known to be as the list says.
        #expect(try write(["0/0/0": "a"]) == changes(0, 1, 0))
        #expect(!DirectoryTileset(path: scratch.path).isBeingBuilt)
    }

    /// A build that writes these tiles and bundles and then fails.
    private func abandon(
        _ tiles: [String: String], bundles: [String: String] = [:], path: String? = nil, suffix: String = ".json",
        force: Bool = false
    ) throws {
        let storage = TileStorage(suffix: suffix, compression: .none)
        let writer = try DirectoryTilesetWriter(path: path ?? scratch.path, storage: storage, force: force)
        for (address, text) in try texts(tiles, bundles) {
            try Array(text.utf8).withUnsafeBytes { try writer.write($0, to: address, file(text)) }
        }
        writer.abandon()
    }

    @Test func `a first build that fails leaves a directory as it was, or none`() throws {
        let start = "\(GeoJSON.start)"
        try abandon(["0/0/0": start, "3/4/2": start], bundles: ["3/4/0": start])
        #expect(try scratch.names() == [])
        try abandon(["0/0/0": start], path: scratch.path("a/out"))
        #expect(try scratch.names() == ["a"])
        // What an interrupted build left goes with it.
        try scratch.file("a/out/.building", Self.marker)
        try scratch.file("a/out/tiles/3/4/2.json", start)
        try scratch.file("a/out/files.tsv", start)
        try abandon(["0/0/0": start], path: scratch.path("a/out"))
        #expect(try scratch.names() == ["a", "a/out"])
    }

    @Test func `files of others stay where a build fails`() throws {
        let start = "\(GeoJSON.start)"
        let foreign = ["notes.txt": "1", "index.html": "mine", "tiles/3/4/notes": "2", "tiles/3/4/02.json": start]
        for (name, text) in foreign { try scratch.file(name, text) }
        try abandon(["0/0/0": start, "3/4/2": start], force: true)
        #expect(try files() == foreign)
    }

    @Test func `a build over a tileset that fails takes back what is new, and is repaired by the next`() throws {
        let start = "\(GeoJSON.start)"
        _ = try write(["0/0/0": "a", "3/4/2": "b"], bundles: ["3/4/0": "c"])
        let before = try files()
        try abandon(
            ["0/0/0": "A", "3/4/2": "b", "3/4/3": start, "3/5/1": start],
            bundles: ["3/4/1": start, "3/6/0": start])
        let after = try files()
        #expect(after == before.merging(["tiles/0/0/0.json": "A", ".building": after[".building"] ?? ""]) { $1 })
        #expect(try scratch.names().allSatisfy { !["tiles/3/5", "bundles/3/6"].contains($0) })
        _ = try write(["0/0/0": "a", "3/4/2": "b"], bundles: ["3/4/0": "c"])
        #expect(try files() == before)
    }

    @Test func `a build with another suffix that fails takes its files back`() throws {
        let start = "\(GeoJSON.start)"
        _ = try write(["0/0/0": "a", "3/4/2": "b"], bundles: ["3/4/0": "c"])
        let before = try files()
        try abandon(["0/0/0": start, "3/4/2": start], bundles: ["3/4/0": start], suffix: ".geojson")
        #expect(try files().filter { $0.key != ".building" } == before)
    }

    @Test func `of a tileset whose manifest is damaged nothing is taken away`() throws {
        _ = try write(["0/0/0": "\(GeoJSON.start)"])
        try scratch.file("manifest.json", "{\"rows_accepted\": 1}")
        let before = try files()
        try abandon(["1/0/0": "\(GeoJSON.start)"])
        #expect(try Set(before.keys).isSubset(of: files().keys))
        #expect(DirectoryTileset(path: scratch.path).isBeingBuilt)
    }

    @Test func `a tileset of another format version is replaced by force alone`() throws {
        let start = "\(GeoJSON.start)"
        _ = try write(["0/0/0": start, "3/4/2": start], bundles: ["3/4/0": start])
        var manifest = try DirectoryTileset(path: scratch.path).manifest()
        manifest.formatVersion = 2
        try scratch.file("manifest.json", String(decoding: try manifest.encoded(), as: UTF8.self))
        try scratch.file("bundles.tsv", "mine")
        let before = try files()
        let error = #expect(throws: OutputError.self) { try write(["0/0/0": start]) }
        #expect(error?.description.contains("format version 2, expected 3") == true)
        #expect(try files() == before)
        _ = try write(["0/0/0": start], force: true)
        #expect(try files() == ["tiles/0/0/0.json": start, "bundles.tsv": "mine"])
    }

    @Test func `a directory of others is refused untouched, but for force`() throws {
        try scratch.file("notes.txt", "mine")
        let error = #expect(throws: OutputError.self) { try write(["0/0/0": "a"]) }
        #expect(error?.kind == .unusable)
        #expect(try scratch.names() == ["notes.txt"])
        #expect(try write(["0/0/0": "a"], force: true) == changes(1, 0, 0))
        #expect(try files() == ["notes.txt": "mine", "tiles/0/0/0.json": "a"])
        try scratch.file("out", "")
        let file = #expect(throws: OutputError.self) { try DirectoryTilesetWriter(path: scratch.path("out")) }
        #expect(file?.kind == .unusable)
    }

    @Test func `a copy of a tile is no tile, and stays`() throws {
        let start = "\(GeoJSON.start)"
        let copies = ["tiles/0/0/0.json.bak": start, "tiles/3/4/2.json.orig": start]
        for (name, text) in copies { try scratch.file(name, text) }
        try abandon(["0/0/0": start], force: true)
        #expect(try files() == copies)
        _ = try write(["0/0/0": "a"], force: true)
        try scratch.file(".building", Self.marker)
        _ = try write(["0/0/0": "b"])
        #expect(try files() == copies.merging(["tiles/0/0/0.json": "b"]) { $1 })
    }

    @Test(arguments: ["", "<!doctype html><p>on", "<!doctype html><p>o\0e</p>"])
    func `a damaged page is written again, and removed if no page is asked for and it is surely damaged`(
        damage: String
    ) throws {
        let page = "<!doctype html><p>one</p>"
        for next in [page, nil] {
            _ = try write(["0/0/0": "a"], preview: page)
            try scratch.file("index.html", damage)
            _ = try write(["0/0/0": "a"], preview: next)
            // Without the page that it should be, a shorter one may be the user's.
            let isKept = next == nil && damage == "<!doctype html><p>on"
            #expect(scratch.text("index.html") == (isKept ? damage : next))
            try? FileManager.default.removeItem(atPath: scratch.path("index.html"))
        }
    }

    @Test func `a page for people is written, replaced and removed, but never one of the user's`() throws {
        _ = try write(["0/0/0": "a"], preview: "one")
        _ = try write(["0/0/0": "a"], preview: "two")
        #expect(scratch.text("index.html") == "two")
        _ = try write(["0/0/0": "a"])
        #expect(scratch.text("index.html") == nil)
        try scratch.file("index.html", "mine")
        _ = try write(["0/0/0": "a"])
        let error = #expect(throws: OutputError.self) { try write(["0/0/0": "a"], preview: "three") }
        #expect(error?.kind == .unusable)
        #expect(scratch.text("index.html") == "mine")
    }

    /// Compressing is most of the work of a second build, so tiles that would come out the same are kept.
    @Test func `a compressed tile is kept if its compressor and its JSON are the same, byte by byte`() throws {
        let fixture = PyramidFixture(ClusteringOptions(maxZoom: 2), points: .asymmetric(count: 9, seed: 3))
        try fixture.withDirectory { directory in
            let compressor = try directory.manifest().content.compressor
            let entry = try #require(try directory.tileEntries().last)
            let json = try #require(try directory.body(of: entry.address))
            func kept(_ json: [UInt8], by compressor: String?, crc32: UInt32) throws -> StoredFile? {
                let writer = try DirectoryTilesetWriter(path: directory.path, compressor: compressor, syncs: false)
                var existing = ExistingTile()
                let kept = json.withUnsafeBytes {
                    writer.keep(.tile(entry.address), with: $0, crc32: crc32, using: &existing)
                }
                // No build was begun, or the next one would keep nothing.
                try FileManager.default.removeItem(atPath: directory.path(ofFile: DirectoryTileset.buildMarkerName))
                return kept
            }
            let crc32 = Gzip.crc32(json)
            #expect(try kept(json, by: compressor, crc32: crc32) == entry.file)
            #expect(try kept(json, by: compressor + " of another version", crc32: crc32) == nil)
            #expect(try kept(json, by: nil, crc32: crc32) == nil)
            var other = json
            other[json.count / 2] ^= 1
            #expect(try kept(other, by: compressor, crc32: crc32) == nil)
            #expect(try kept(json.dropLast(), by: compressor, crc32: crc32) == nil)
            try Data([1]).write(to: URL(fileURLWithPath: directory.path(of: entry.address)))
            #expect(try kept(json, by: compressor, crc32: crc32) == nil)
        }
    }
}
