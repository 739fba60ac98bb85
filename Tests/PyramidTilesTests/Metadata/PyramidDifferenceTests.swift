import Foundation
import Testing

@testable import PyramidTiles

struct PyramidDifferenceTests {
    private static func list(_ tiles: [String: Int]) throws -> TileList {
        TileList(
            try tiles.map { tile, number in
                TileList.Entry(
                    tile: try #require(TileCoordinate(tile)), byteCount: number, crc32: 1, bodyByteCount: 1,
                    bodyCRC32: 1)
            })
    }

    private static func file(_ number: Int) -> Manifest.FileSummary {
        Manifest.FileSummary(bytes: number, crc32: "0000000\(number)")
    }

    @Test func `changes come by tile, then the files beside them by name`() throws {
        let old = PyramidListing(
            tiles: try PyramidDifferenceTests.list(["2/1/3": 1, "2/1/0": 1, "10/7/4": 1]), storage: TileStorage(),
            files: ["manifest.json": PyramidDifferenceTests.file(1), "old.html": PyramidDifferenceTests.file(2)])
        let new = PyramidListing(
            tiles: try PyramidDifferenceTests.list(["2/1/3": 2, "2/1/0": 1, "3/7/4": 1]), storage: TileStorage(),
            files: ["manifest.json": PyramidDifferenceTests.file(3), "index.html": PyramidDifferenceTests.file(2)])
        let difference = PyramidDifference(from: old, to: new)
        #expect(
            difference.changes.map(\.description) == [
                "M tiles/2/1/3.json", "A tiles/3/7/4.json", "D tiles/10/7/4.json", "A index.html", "M manifest.json",
                "D old.html",
            ])
        #expect(difference.paths(.changed) == ["tiles/2/1/3.json", "manifest.json"])
        #expect(PyramidDifference(from: old, to: old).changes.isEmpty)
    }

    @Test func `under another suffix every tile is another file`() throws {
        let tiles = try PyramidDifferenceTests.list(["0/0/0": 1])
        let old = PyramidListing(tiles: tiles, storage: TileStorage())
        let new = PyramidListing(tiles: tiles, storage: TileStorage(suffix: ".json.gz"))
        #expect(
            PyramidDifference(from: old, to: new).changes.map(\.description) == [
                "A tiles/0/0/0.json.gz", "D tiles/0/0/0.json",
            ])
    }

    @Test func `a list alone is stored as the other side, and has no files beside it`() throws {
        let tiles = try PyramidDifferenceTests.list(["0/0/0": 1])
        let new = PyramidListing(
            tiles: tiles, storage: TileStorage(suffix: ".json.gz"),
            files: ["manifest.json": PyramidDifferenceTests.file(1)])
        #expect(PyramidDifference(from: PyramidListing(tiles: tiles), to: new).changes.isEmpty)
        let removed = PyramidDifference(from: new, to: PyramidListing(tiles: TileList([])))
        #expect(removed.changes.map(\.description) == ["D tiles/0/0/0.json.gz"])
    }

    @Test func `a pyramid is listed by its directory, its manifest or its list of tiles`() throws {
        let fixture = PyramidFixture(ClusteringOptions(maxZoom: 3), points: .asymmetric(count: 40, seed: 8))
        try fixture.withDirectory { directory in
            let listing = try PyramidListing(path: directory.path)
            #expect(listing.tiles == (try directory.tileList()))
            #expect(listing.storage == TileStorage())
            #expect(Set(listing.files.keys) == ["manifest.json", "tilejson.json", "tiles.tsv"])
            let manifest = directory.path(ofFile: Manifest.fileName)
            #expect(try PyramidListing(path: manifest) == listing)
            #expect(
                try PyramidListing(path: directory.path(ofFile: TileList.fileName))
                    == PyramidListing(tiles: listing.tiles))
            #expect(throws: StoreError(path: directory.path + "/nothing", reason: .missing)) {
                try PyramidListing(path: directory.path + "/nothing")
            }

            // A list that is whole, but of another build.
            try Data(TileList([]).encoded()).write(
                to: URL(fileURLWithPath: directory.path(ofFile: TileList.fileName)))
            #expect(throws: StoreError.self) { try PyramidListing(path: directory.path) }
            #expect(throws: StoreError.self) { try PyramidListing(path: manifest) }
        }
    }
}
