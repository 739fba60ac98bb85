import Foundation
import TestSupport
import Testing

@testable import PyramidPublishing
@testable import PyramidStore
@testable import PyramidTiles

struct PyramidDifferenceTests {
    private static func list(_ tiles: [String: Int]) throws -> TileList {
        TileList(
            try tiles.map { tile, number in
                TileList.Entry(
                    address: try #require(TileCoordinate(tile)), byteCount: number, crc32: 1, bodyByteCount: 1,
                    bodyCRC32: 1)
            })
    }

    private static func leaves(_ pages: [String: Int]) throws -> LeafList {
        LeafList(
            try pages.map { page, number in
                LeafList.Entry(
                    address: try #require(LeafPage(page)),
                    file: StoredFile(byteCount: number, crc32: 1, bodyByteCount: 1, bodyCRC32: 1))
            })
    }

    private static func file(_ number: Int) -> Manifest.FileSummary {
        Manifest.FileSummary(bytes: number, crc32: "0000000\(number)")
    }

    @Test func `changes come by tile, then the files beside them by name`() throws {
        let old = TilesetListing(
            tiles: try PyramidDifferenceTests.list(["2/1/3": 1, "2/1/0": 1, "10/7/4": 1]), storage: TileStorage(),
            files: ["manifest.json": PyramidDifferenceTests.file(1), "old.html": PyramidDifferenceTests.file(2)])
        let new = TilesetListing(
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

    /// A pyramid with one tile and these pages.
    private static func listing(_ pages: [String: Int]?, _ storage: TileStorage? = nil) throws -> TilesetListing {
        TilesetListing(tiles: try list(["9/7/4": 1]), leaves: try pages.map { try leaves($0) }, storage: storage)
    }

    @Test func `pages come behind the tiles, by cluster and page as numbers`() throws {
        var old = try PyramidDifferenceTests.listing(["10/2": 1, "9/10": 1, "9/9": 1, "11/0": 1])
        var new = try PyramidDifferenceTests.listing(["10/2": 2, "9/10": 1, "9/9": 3, "100/0": 1])
        old.files = ["leaves.tsv": PyramidDifferenceTests.file(1)]
        new.files = ["leaves.tsv": PyramidDifferenceTests.file(2)]
        new.tiles = TileList([])
        #expect(
            PyramidDifference(from: old, to: new).changes.map(\.description) == [
                "D tiles/9/7/4.json", "M leaves/9/9.json", "M leaves/10/2.json", "D leaves/11/0.json",
                "A leaves/100/0.json", "M leaves.tsv",
            ])
    }

    @Test func `pages are compared where both sides know them`() throws {
        let without = try PyramidDifferenceTests.listing([:])
        let with = try PyramidDifferenceTests.listing(["7/1": 1, "7/0": 1], TileStorage(suffix: ".gz"))
        let tilesAlone = try PyramidDifferenceTests.listing(nil)
        #expect(
            PyramidDifference(from: without, to: with).changes.map(\.description) == [
                "A leaves/7/0.gz", "A leaves/7/1.gz",
            ])
        #expect(PyramidDifference(from: with, to: without).paths(.removed) == ["leaves/7/0.gz", "leaves/7/1.gz"])
        #expect(PyramidDifference(from: with, to: tilesAlone).changes.isEmpty)
        #expect(PyramidDifference(from: tilesAlone, to: with).changes.isEmpty)
    }

    @Test func `under another suffix every tile and page is another file`() throws {
        let old = try PyramidDifferenceTests.listing(["7/0": 1], TileStorage())
        let new = try PyramidDifferenceTests.listing(["7/0": 1], TileStorage(suffix: ".json.gz"))
        #expect(
            PyramidDifference(from: old, to: new).changes.map(\.description) == [
                "A tiles/9/7/4.json.gz", "D tiles/9/7/4.json", "A leaves/7/0.json.gz", "D leaves/7/0.json",
            ])
    }

    @Test func `a list alone is stored as the other side, and has no files beside it`() throws {
        let tiles = try PyramidDifferenceTests.list(["0/0/0": 1])
        let new = TilesetListing(
            tiles: tiles, storage: TileStorage(suffix: ".json.gz"),
            files: ["manifest.json": PyramidDifferenceTests.file(1)])
        #expect(PyramidDifference(from: TilesetListing(tiles: tiles), to: new).changes.isEmpty)
        let removed = PyramidDifference(from: new, to: TilesetListing(tiles: TileList([])))
        #expect(removed.changes.map(\.description) == ["D tiles/0/0/0.json.gz"])
    }

    @Test func `a pyramid is listed by its directory, its manifest or its list of tiles`() throws {
        let fixture = PyramidFixture(ClusteringOptions(maxZoom: 3), points: .asymmetric(count: 40, seed: 8))
        try fixture.withDirectory { directory in
            let listing = try TilesetListing(path: directory.path)
            #expect(listing.tiles == (try directory.tileList()))
            #expect(listing.storage == TileStorage())
            #expect(Set(listing.files.keys) == ["manifest.json", "tilejson.json", "tiles.tsv"])
            let manifest = directory.path(ofFile: Manifest.fileName)
            #expect(try TilesetListing(path: manifest) == listing)
            #expect(
                try TilesetListing(path: directory.path(ofFile: TileList.fileName))
                    == TilesetListing(tiles: listing.tiles))
            #expect(throws: StoreError(path: directory.path + "/nothing", reason: .missing)) {
                try TilesetListing(path: directory.path + "/nothing")
            }

            // A list that is whole, but of another build.
            try Data(TileList([]).encoded()).write(
                to: URL(fileURLWithPath: directory.path(ofFile: TileList.fileName)))
            #expect(throws: StoreError.self) { try TilesetListing(path: directory.path) }
            #expect(throws: StoreError.self) { try TilesetListing(path: manifest) }
        }
    }

    @Test func `the list of pages must be that of the manifest`() throws {
        var fixture = PyramidFixture(ClusteringOptions(maxZoom: 3), points: .asymmetric(count: 40, seed: 8))
        fixture.pages = [LeafPage(clusterID: 7, page: 0): "a", LeafPage(clusterID: 7, page: 1): "b"]
        try fixture.withDirectory { directory in
            let listing = try TilesetListing(path: directory.path)
            #expect(listing.leaves == (try directory.leafList()) && listing.leaves?.entries.count == 2)
            #expect(listing.files.keys.contains("leaves.tsv"))
            let path = directory.path(ofFile: LeafList.fileName)
            try Data(LeafList([]).encoded()).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: StoreError.self) { try TilesetListing(path: directory.path) }
            #expect(error?.path == path)
            try FileManager.default.removeItem(atPath: path)
            #expect(throws: StoreError(path: path, reason: .missing)) { try TilesetListing(path: directory.path) }
        }
        // A pyramid that was built with pages and whose manifest doesn't name their list.
        fixture.editManifest = { $0.files[LeafList.fileName] = nil }
        #expect(throws: StoreError.self) { try fixture.withDirectory { try TilesetListing(path: $0.path) } }
        fixture.pages = nil
        #expect(try fixture.withDirectory { try TilesetListing(path: $0.path) }.leaves == LeafList())
    }
}
