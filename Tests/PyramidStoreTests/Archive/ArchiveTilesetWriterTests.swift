import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidStore

struct ArchiveTilesetWriterTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("out.pmtiles") }

    init() throws { folder = try TemporaryFolder() }

    /// Tiles with bytes that begin as gzip data do; every so often they are those of another tile.
    static func tiles(count: Int, seed: UInt64, maxZoom: Int = 11) -> [TileCoordinate: [UInt8]] {
        var random = SeededRandom(seed: seed)
        var tiles: [TileCoordinate: [UInt8]] = [:]
        var bodies: [[UInt8]] = []
        while tiles.count < count {
            let zoom = random.next(below: maxZoom + 1)
            let (x, y) = (random.next(below: 1 << zoom), random.next(below: 1 << zoom))
            guard let tile = TileCoordinate(z: zoom, x: x, y: y), tiles[tile] == nil else { continue }
            if bodies.isEmpty || random.next(below: 3) > 0 {
                bodies.append(
                    GzipCompressor.header
                        + (0..<20 + random.next(below: 40)).map { _ in UInt8(random.next(below: 256)) })
            }
            tiles[tile] = bodies[random.next(below: bodies.count)]
        }
        return tiles
    }

    static func file(_ bytes: [UInt8]) -> StoredFile {
        StoredFile(byteCount: bytes.count, crc32: Gzip.crc32(bytes), bodyByteCount: 1, bodyCRC32: 2)
    }

    static func metadata(_ zooms: ClosedRange<Int> = 0...11, name: String? = nil) -> TilesetMetadata {
        let options = ClusteringOptions(minZoom: zooms.lowerBound, maxZoom: zooms.upperBound)
        return TilesetMetadata(
            list: FileList(),
            tileJSON: TileJSON(
                tileTemplate: TileStorage().template(of: .tile), minZoom: zooms.lowerBound, maxZoom: zooms.upperBound,
                bounds: BoundingBox(west: -5, south: 6, east: 7_000_000, north: 8_123_456), fields: ["name": "String"],
                options: TileJSONOptions(name: name)),
            manifest: Manifest(
                generator: "pyramid test", options: options,
                content: .init(properties: ["name"], compressionLevel: 6, compressor: ""),
                input: .init(digest: "00", rowsRead: 1, rowsAccepted: 1, rowsClamped: 0, rowsSkipped: [:]), zooms: []))
    }

    /// Writes tiles in the order of a shuffled list, on several threads.
    @discardableResult
    static func write(
        _ tiles: [TileCoordinate: [UInt8]], to path: String, seed: UInt64 = 1, jobs: Int = 1, name: String? = nil,
        memory: ListMemory? = nil
    ) throws -> TilesetOutcome {
        var random = SeededRandom(seed: seed)
        let order = tiles.keys.sorted().shuffled(using: &random)
        let writer = try ArchiveTilesetWriter(path: path, jobs: jobs, syncs: false, memory: memory)
        try SharedWork(jobs: jobs).forEach(count: order.count) {
        } _: { (_: inout Void, index: Int) throws in
            guard let bytes = tiles[order[index]] else { return }
            try bytes.withUnsafeBytes { try writer.write($0, to: .tile(order[index]), file(bytes)) }
        }
        return try writer.finish(metadata(name: name))
    }

    @Test(arguments: [1, 40, 3000, 40_000])
    func `every tile comes back, and no other`(count: Int) throws {
        let tiles = ArchiveTilesetWriterTests.tiles(count: count, seed: UInt64(count))
        try ArchiveTilesetWriterTests.write(tiles, to: path, jobs: 2)
        let archive = try ArchiveTileset(path: path)
        for (tile, bytes) in tiles { #expect(try archive.storedBytes(of: tile) == bytes) }
        let entries = try archive.tileEntries()
        #expect(entries.map(\.address) == tiles.keys.sorted())
        for entry in entries {
            #expect(entry.file.byteCount == tiles[entry.address]?.count)
            #expect(entry.file.crc32 == tiles[entry.address].map { Gzip.crc32($0) })
        }
        for other in ArchiveTilesetWriterTests.tiles(count: 200, seed: 99).keys where tiles[other] == nil {
            #expect(try archive.storedBytes(of: other) == nil)
        }
        let header = archive.header
        #expect(header.tileCount == count && header.isClustered && header.zooms == 0...11)
        #expect(header.contentCount == Set(tiles.values).count)
        #expect(header.tileData.count == Set(tiles.values).reduce(0) { $0 + $1.count })
        #expect(header.leafDirectories.isEmpty == (count < 10_000))
        #expect(header.rootDirectory.upperBound <= 16_384)
        #expect(try folder.names() == ["out.pmtiles"])
    }

    @Test func `the same tiles give the same bytes, in whatever order and on however many threads`() throws {
        let tiles = ArchiveTilesetWriterTests.tiles(count: 5000, seed: 3)
        var archives: Set<Data> = []
        for (seed, jobs) in [(1, 1), (2, 1), (3, 2), (4, 5)] {
            let path = folder.path("\(seed).pmtiles")
            try ArchiveTilesetWriterTests.write(tiles, to: path, seed: UInt64(seed), jobs: jobs)
            archives.insert(try #require(FileManager.default.contents(atPath: path)))
        }
        #expect(archives.count == 1)
    }

    @Test(arguments: [1, 200, 70_000])
    func `an archive whose lists don't fit into the memory has the same bytes`(budgetBytes: Int) throws {
        let spools = try TemporaryFolder()
        let memory = ListMemory(budgetBytes: budgetBytes, folder: spools.path)
        for count in [1, 700, 21_000] {
            let tiles = ArchiveTilesetWriterTests.tiles(count: count, seed: UInt64(count))
            try ArchiveTilesetWriterTests.write(tiles, to: path, memory: .unlimited)
            let expected = try #require(FileManager.default.contents(atPath: path))
            let other = folder.path("other.pmtiles")
            try ArchiveTilesetWriterTests.write(tiles, to: other, seed: 6, jobs: 3, memory: memory)
            #expect(FileManager.default.contents(atPath: other) == expected, "\(count) tiles")
            // It recognises an archive with the same bytes.
            let number = folder.fileNumber("out.pmtiles")
            try ArchiveTilesetWriterTests.write(tiles, to: path, memory: memory)
            #expect(folder.fileNumber("out.pmtiles") == number)
        }
        #expect(try spools.names() == [] && spools.openPaths() == [])
    }

    @Test func `an archive without room for its lists leaves the old one as it was`() throws {
        let tiles = ArchiveTilesetWriterTests.tiles(count: 50, seed: 5)
        try ArchiveTilesetWriterTests.write(tiles, to: path)
        let old = FileManager.default.contents(atPath: path)
        let memory = ListMemory(budgetBytes: 100, folder: folder.path("none"))
        let writer = try ArchiveTilesetWriter(path: path, memory: memory)
        let error = #expect(throws: OutputError.self) {
            for (tile, bytes) in tiles {
                try bytes.withUnsafeBytes {
                    try writer.write($0, to: .tile(tile), ArchiveTilesetWriterTests.file(bytes))
                }
            }
        }
        #expect(error?.description.hasPrefix(folder.path("none")) == true)
        writer.abandon()
        #expect(try folder.names() == ["out.pmtiles"])
        #expect(FileManager.default.contents(atPath: path) == old)
    }

    @Test(arguments: [1, .max])
    func `tiles that are said to be the same are stored once`(budgetBytes: Int) throws {
        let memory = ListMemory(budgetBytes: budgetBytes, folder: SpoolFolder.temporary)
        let writer = try ArchiveTilesetWriter(path: path, syncs: false, memory: memory)
        let bytes = GzipCompressor.header + Array("ten bytes.".utf8)
        let tiles = ["3/1/2", "2/0/1", "1/0/0", "0/0/0"].compactMap { TileCoordinate($0) }
        for (index, tile) in tiles.enumerated() {
            try bytes.withUnsafeBytes { bytes in
                let file = ArchiveTilesetWriterTests.file(Array(bytes))
                if index == 0 {
                    try writer.write(bytes, to: .tile(tile), file)
                } else {
                    try writer.write(bytes, to: tile, file, sameAs: tiles[index - 1])
                }
            }
        }
        _ = try writer.finish(ArchiveTilesetWriterTests.metadata(0...3))
        let archive = try ArchiveTileset(path: path)
        for tile in tiles { #expect(try archive.storedBytes(of: tile) == bytes) }
        #expect(archive.header.tileData.count == bytes.count)
        // The tiles 0/0/0 and 1/0/0 have the numbers 0 and 1.
        #expect((archive.header.tileCount, archive.header.entryCount, archive.header.contentCount) == (4, 3, 1))
    }

    @Test func `different tiles with the same checksum stay different`() throws {
        // The checksum of four bytes followed by their own checksum doesn't depend on them.
        let bodies = ["abcd", "wxyz"].map { text in
            let bytes = Array(text.utf8)
            return bytes + withUnsafeBytes(of: Gzip.crc32(bytes).littleEndian) { Array($0) }
        }
        #expect(Gzip.crc32(bodies[0]) == Gzip.crc32(bodies[1]))
        let names = ["1/0/0", "1/1/0", "2/1/3", "3/0/5"].compactMap { TileCoordinate($0) }
        let tiles = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, bodies[$0 % 2]) })
        try ArchiveTilesetWriterTests.write(tiles, to: path)
        let archive = try ArchiveTileset(path: path)
        for (tile, bytes) in tiles { #expect(try archive.storedBytes(of: tile) == bytes) }
        #expect(archive.header.contentCount == 2)
    }

    @Test func `an archive that holds the same already is not touched`() throws {
        let tiles = ArchiveTilesetWriterTests.tiles(count: 300, seed: 5)
        let first = try ArchiveTilesetWriterTests.write(tiles, to: path)
        let number = folder.fileNumber("out.pmtiles")
        let second = try ArchiveTilesetWriterTests.write(tiles, to: path, seed: 8)
        #expect((first.changes.written, second.changes.unchanged, second.changes.written) == (300, 300, 0))
        #expect(folder.fileNumber("out.pmtiles") == number)
        try ArchiveTilesetWriterTests.write(tiles, to: path, name: "other")
        #expect(folder.fileNumber("out.pmtiles") != number)
        #expect(try ArchiveTileset(path: path).tileJSON().name == "other")
        #expect(try folder.names() == ["out.pmtiles"])
    }

    @Test func `an archive with a tile that was damaged is written anew`() throws {
        let tiles = ArchiveTilesetWriterTests.tiles(count: 300, seed: 5)
        try ArchiveTilesetWriterTests.write(tiles, to: path)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var damaged = bytes
        damaged[bytes.count - 9] ^= 4
        try damaged.write(to: URL(fileURLWithPath: path))
        #expect(try ArchiveTilesetWriterTests.write(tiles, to: path).changes.written == 300)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test func `a build that is abandoned leaves the old archive and nothing else`() throws {
        let tiles = ArchiveTilesetWriterTests.tiles(count: 30, seed: 5)
        try ArchiveTilesetWriterTests.write(tiles, to: path)
        let old = FileManager.default.contents(atPath: path)
        let writer = try ArchiveTilesetWriter(path: path)
        #expect(try folder.names() == [".out.pmtiles.building", "out.pmtiles"])
        writer.abandon()
        #expect(try folder.names() == ["out.pmtiles"])
        #expect(FileManager.default.contents(atPath: path) == old)

        let inside = try ArchiveTilesetWriter(path: folder.path("made/out.pmtiles"))
        inside.abandon()
        #expect(try folder.names() == ["out.pmtiles"])
        #expect(throws: OutputError.self) {
            let writer = try ArchiveTilesetWriter(path: folder.path("empty.pmtiles"))
            defer { writer.abandon() }
            _ = try writer.finish(ArchiveTilesetWriterTests.metadata())
        }
        #expect(try folder.names() == ["out.pmtiles"])
    }

    @Test func `one build keeps another out, and a dead one doesn't`() throws {
        do {
            let writer = try ArchiveTilesetWriter(path: path)
            let error = #expect(throws: OutputError.self) { try ArchiveTilesetWriter(path: path) }
            #expect(error?.kind == .busy)
            let words = "another build or publish holds the archive (process \(getpid()))"
            #expect(error?.description.contains(words) == true)
            withExtendedLifetime(writer) {}
        }
        // As a killed build leaves them.
        try folder.file("out.pmtiles.pyramid-tmp", "left over")
        try ArchiveTilesetWriterTests.write(ArchiveTilesetWriterTests.tiles(count: 9, seed: 1), to: path)
        #expect(try folder.names() == ["out.pmtiles"])
    }

    @Test func `nothing is replaced that is not pyramid's`() throws {
        func problem(force: Bool = false) -> String {
            do throws(OutputError) {
                try ArchiveTilesetWriter.check(path: path, force: force)
                return ""
            } catch {
                return error.kind == .unusable ? error.description : "another kind of error"
            }
        }
        #expect(problem() == "")
        try folder.file("out.pmtiles", "")
        #expect(problem() == "")
        for text in ["P", "a file of the user", "PMTiles\u{2} of another version"] {
            try folder.file("out.pmtiles", text)
            #expect(problem().contains("is a file but not a PMTiles archive"))
            #expect(problem(force: true).contains("is a file but not a PMTiles archive"))
        }
        var metadata = ArchiveTilesetWriterTests.metadata()
        metadata.manifest.formatVersion = 2
        try FileManager.default.removeItem(atPath: path)
        let writer = try ArchiveTilesetWriter(path: path, syncs: false)
        for (tile, bytes) in ArchiveTilesetWriterTests.tiles(count: 1, seed: 1) {
            try bytes.withUnsafeBytes {
                try writer.write($0, to: .tile(tile), ArchiveTilesetWriterTests.file(bytes))
            }
        }
        _ = try writer.finish(metadata)
        #expect(problem().contains("holds a tileset of format version 2, expected 3"))
        #expect(problem(force: true) == "")
        try folder.file("out.pmtiles", "PMTiles\u{3}" + String(repeating: "x", count: 200))
        #expect(problem().contains("is a PMTiles archive that pyramid did not write, or a damaged one"))
        #expect(problem(force: true) == "")
        try ArchiveTilesetWriterTests.write(
            ArchiveTilesetWriterTests.tiles(count: 9, seed: 1), to: folder.path("target.pmtiles"))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "target.pmtiles")
        #expect(problem(force: true).contains("is a symbolic link"))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(problem(force: true).contains("is a directory"))
        try FileManager.default.removeItem(atPath: path)
        try folder.file(".out.pmtiles.building", "mine")
        #expect(problem(force: true).contains(".out.pmtiles.building: is not pyramid's"))
        #expect(folder.text(".out.pmtiles.building") == "mine")
    }

    @Test func `a reader stays with the file that it has opened`() throws {
        let tiles = ArchiveTilesetWriterTests.tiles(count: 30, seed: 5)
        try ArchiveTilesetWriterTests.write(tiles, to: path)
        let archive = try ArchiveTileset(path: path)
        try ArchiveTilesetWriterTests.write(ArchiveTilesetWriterTests.tiles(count: 40, seed: 6), to: path)
        for (tile, bytes) in tiles { #expect(try archive.storedBytes(of: tile) == bytes) }
    }
}
