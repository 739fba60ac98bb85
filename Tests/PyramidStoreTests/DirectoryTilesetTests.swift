import Foundation
import TestSupport
import Testing

@testable import PyramidStore
@testable import PyramidTiles

struct DirectoryTilesetTests {
    private let fixture = PyramidFixture(ClusteringOptions(maxZoom: 3), points: .asymmetric(count: 40, seed: 8))

    @Test func `a path that can't be looked up is not missing`() throws {
        let name = String(repeating: "a", count: 300)
        let error = #expect(throws: StoreError.self) { try LocalTileset.open(path: name) }
        #expect(error?.reason == .unreadable(ENAMETOOLONG))
        let missing = #expect(throws: StoreError.self) { try LocalTileset.open(path: "/dev/null/out") }
        #expect(missing?.reason == .missing)
    }

    @Test func `every tile is read as it was written`() throws {
        try fixture.withDirectory { directory in
            var markers: [Int: [Marker]] = [:]
            for entry in try directory.tileEntries() {
                let tile = try #require(try directory.tile(at: entry.address))
                #expect(tile.coordinate == entry.address)
                markers[entry.address.z, default: []] += tile.markers
                let stored = try #require(try directory.storedBytes(of: entry.address))
                let body = try #require(try directory.body(of: entry.address))
                #expect(stored.count == entry.file.byteCount)
                #expect(Gzip.crc32(body) == entry.file.bodyCRC32)
            }
            for zoom in 0...3 {
                #expect(Set(try #require(markers[zoom])) == Set(try #require(fixture.zooms[zoom])))
            }
        }
    }

    @Test func `a list of several megabytes is read as it was written`() throws {
        try fixture.withDirectory { directory in
            let list = FileList(
                try (0..<60_000).map { number in
                    FileList.Entry(
                        address: .tile(try #require(TileCoordinate(z: 16, x: number, y: 65_535 - number))),
                        byteCount: 100 + number, crc32: UInt32(number) &* 0x9e37_79b9, bodyByteCount: 3 * number,
                        bodyCRC32: ~UInt32(number))
                })
            let path = directory.path(ofFile: FileList.fileName)
            let bytes = list.encoded()
            #expect(bytes.count > 2_000_000)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(try directory.fileList() == list)
            try Data(bytes.dropLast(9)).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: StoreError.self) { try directory.fileList() }
            #expect(error?.description.contains("line 60001 is") == true, "\(error?.description ?? "")")
        }
    }

    @Test func `metadata is read as it was written`() throws {
        try fixture.withDirectory { directory in
            #expect(try directory.manifest().options == fixture.options)
            #expect(try directory.manifest().input.rowsAccepted == 40)
            #expect(try directory.tileJSON().maxzoom == 3)
            #expect(!directory.isBeingBuilt)
            try Data().write(to: URL(fileURLWithPath: directory.path(ofFile: DirectoryTileset.buildMarkerName)))
            #expect(directory.isBeingBuilt)
        }
    }

    @Test func `a tile that is not there is nil`() throws {
        try fixture.withDirectory { directory in
            #expect(try directory.tile(z: 9, x: 1, y: 2) == nil)
            #expect(try directory.tile(z: 1, x: 7, y: 0) == nil)
            let tile = try #require(TileCoordinate(z: 3, x: 2, y: 7))
            #expect(try directory.body(of: tile) == nil)
        }
    }

    @Test func `paths are those of the URL template`() throws {
        let tile = try #require(TileCoordinate(z: 3, x: 4, y: 2))
        #expect(DirectoryTileset(path: "out").path(of: tile) == "out/tiles/3/4/2.json")
    }

    @Test func `a file whose number is spelled otherwise is a stray`() throws {
        try fixture.withDirectory { directory in
            let list = try directory.fileList()
            let tile = try #require(list.entries.last?.address.tile)
            let stray = "tiles/\(tile.z)/\(tile.x)/0\(tile.y).json"
            try Data("{}".utf8).write(to: URL(fileURLWithPath: directory.path(ofFile: stray)))
            #expect(directory.strays(list) == [StrayFile(path: stray, problem: .unlisted)])
        }
    }

    @Test func `errors name the file and the reason`() throws {
        try fixture.withDirectory { directory in
            let tile = try directory.tileEntries()[1].address
            let path = directory.path(of: tile)
            func reason(_ bytes: [UInt8]) throws -> StoreError.Reason? {
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                do {
                    _ = try directory.tile(at: tile)
                    return nil
                } catch let error as StoreError {
                    #expect(error.path == path)
                    return error.reason
                }
            }
            #expect(try reason(Array("{}".utf8)) == .notGzip(.notGzip))
            #expect(try reason([]) == .notGzip(.truncated))
            #expect(try reason(Array("[1]".utf8).gzipped() + [0]) == .notGzip(.trailingBytes))
            #expect(
                try reason(Array("[1]".utf8).gzipped())
                    == .notATile(TileDecodingError(byteOffset: 0, found: "[1]", expected: "a FeatureCollection")))
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(throws: StoreError(path: path, reason: .notRegularFile)) { try directory.tile(at: tile) }
            let manifest = directory.path(ofFile: Manifest.fileName)
            try FileManager.default.removeItem(atPath: manifest)
            #expect(throws: StoreError(path: manifest, reason: .missing)) { try directory.manifest() }
            try Data("{}".utf8).write(to: URL(fileURLWithPath: manifest))
            #expect(throws: StoreError(path: manifest, reason: .damaged("has no checksum"))) {
                try directory.manifest()
            }
        }
    }

    @Test func `a file is read up to its limit and not beyond`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("three", Data([1, 2, 3]))
        #expect(try RegularFile.bytes(atPath: path, limitBytes: 3) == [1, 2, 3])
        #expect(throws: StoreError(path: path, reason: .tooLarge(limitBytes: 2))) {
            try RegularFile.bytes(atPath: path, limitBytes: 2)
        }
    }
}
