import Foundation
import TestSupport
import Testing

@testable import PyramidPublishing
@testable import PyramidStore
@testable import PyramidTiles

struct PyramidDifferenceTests {
    private static func list(_ tiles: [String: Int], bundles: [String: Int] = [:]) throws -> FileList {
        let files = tiles.map { ("tiles/\($0)", $1) } + bundles.map { ("bundles/\($0)", $1) }
        return FileList(
            try files.map { address, number in
                FileList.Entry(
                    address: try #require(FileAddress(address)), byteCount: number, crc32: 1, bodyByteCount: 1,
                    bodyCRC32: 1)
            })
    }

    private static func file(_ number: Int) -> Manifest.FileSummary {
        Manifest.FileSummary(bytes: number, crc32: "0000000\(number)")
    }

    @Test func `changes come by tile, then the files beside them by name`() throws {
        let old = TilesetListing(
            list: try PyramidDifferenceTests.list(["2/1/3": 1, "2/1/0": 1, "10/7/4": 1]), storage: TileStorage(),
            files: ["manifest.json": PyramidDifferenceTests.file(1), "old.html": PyramidDifferenceTests.file(2)])
        let new = TilesetListing(
            list: try PyramidDifferenceTests.list(["2/1/3": 2, "2/1/0": 1, "3/7/4": 1]), storage: TileStorage(),
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

    /// A pyramid with one tile and these bundles.
    private static func listing(
        _ tiles: [String: Int] = ["9/7/4": 1], bundles: [String: Int], _ storage: TileStorage? = nil
    ) throws -> TilesetListing {
        TilesetListing(list: try list(tiles, bundles: bundles), storage: storage)
    }

    @Test func `bundles come behind the tiles, by zoom, column and row as numbers`() throws {
        var old = try PyramidDifferenceTests.listing(
            bundles: ["10/2/1": 1, "9/10/3": 1, "9/9/3": 1, "9/9/10": 1, "11/0/0": 1])
        var new = try PyramidDifferenceTests.listing(
            [:], bundles: ["10/2/1": 2, "9/10/3": 1, "9/9/3": 3, "9/9/10": 2, "9/100/3": 1])
        old.files = ["files.tsv": PyramidDifferenceTests.file(1)]
        new.files = ["files.tsv": PyramidDifferenceTests.file(2)]
        #expect(
            PyramidDifference(from: old, to: new).changes.map(\.description) == [
                "D tiles/9/7/4.json", "M bundles/9/9/3.json", "M bundles/9/9/10.json", "A bundles/9/100/3.json",
                "M bundles/10/2/1.json", "D bundles/11/0/0.json", "M files.tsv",
            ])
    }

    @Test func `bundles are compared, whatever is known of the storage`() throws {
        let without = try PyramidDifferenceTests.listing(bundles: [:])
        let with = try PyramidDifferenceTests.listing(bundles: ["7/2/1": 1, "7/2/0": 1], TileStorage(suffix: ".gz"))
        #expect(
            PyramidDifference(from: without, to: with).changes.map(\.description) == [
                "A bundles/7/2/0.gz", "A bundles/7/2/1.gz",
            ])
        #expect(PyramidDifference(from: with, to: without).paths(.removed) == ["bundles/7/2/0.gz", "bundles/7/2/1.gz"])
    }

    @Test func `under another suffix every tile and bundle is another file`() throws {
        let old = try PyramidDifferenceTests.listing(bundles: ["7/2/0": 1], TileStorage())
        let new = try PyramidDifferenceTests.listing(bundles: ["7/2/0": 1], TileStorage(suffix: ".json.gz"))
        #expect(
            PyramidDifference(from: old, to: new).changes.map(\.description) == [
                "A tiles/9/7/4.json.gz", "D tiles/9/7/4.json", "A bundles/7/2/0.json.gz", "D bundles/7/2/0.json",
            ])
    }

    @Test func `of an archive and a directory, only the TileJSON is compared beside the tiles`() throws {
        let tiles = try PyramidDifferenceTests.list(["0/0/0": 1])
        let description = ["tilejson.json": PyramidDifferenceTests.file(2)]
        let archive = TilesetListing(
            list: tiles, storage: TileStorage(layout: .archive),
            files: description.merging(["manifest.json": PyramidDifferenceTests.file(1)]) { $1 })
        let names = ["manifest.json": 3, "files.tsv": 4]
        var directory = TilesetListing(
            list: tiles, storage: TileStorage(),
            files: description.merging(names.mapValues(PyramidDifferenceTests.file)) { $1 })
        for (old, new) in [(archive, directory), (directory, archive)] {
            #expect(PyramidDifference(from: old, to: new).changes.isEmpty)
        }
        directory.files["tilejson.json"] = PyramidDifferenceTests.file(5)
        for (old, new) in [(archive, directory), (directory, archive)] {
            #expect(PyramidDifference(from: old, to: new).changes.map(\.description) == ["M tilejson.json"])
        }
    }

    @Test func `a list alone is stored as the other side, and has no files beside it`() throws {
        let tiles = try PyramidDifferenceTests.list(["0/0/0": 1])
        let new = TilesetListing(
            list: tiles, storage: TileStorage(suffix: ".json.gz"),
            files: ["manifest.json": PyramidDifferenceTests.file(1)])
        #expect(PyramidDifference(from: TilesetListing(list: tiles), to: new).changes.isEmpty)
        let removed = PyramidDifference(from: new, to: TilesetListing(list: FileList([])))
        #expect(removed.changes.map(\.description) == ["D tiles/0/0/0.json.gz"])
    }

    @Test func `a pyramid is listed by its directory, its manifest or its list of tiles`() throws {
        let fixture = PyramidFixture(ClusteringOptions(maxZoom: 3), points: .asymmetric(count: 40, seed: 8))
        try fixture.withDirectory { directory in
            let listing = try TilesetListing(path: directory.path)
            #expect(listing.list == (try directory.fileList()))
            #expect(listing.storage == TileStorage())
            #expect(Set(listing.files.keys) == ["manifest.json", "tilejson.json", "files.tsv"])
            let manifest = directory.path(ofFile: Manifest.fileName)
            #expect(try TilesetListing(path: manifest) == listing)
            #expect(
                try TilesetListing(path: directory.path(ofFile: FileList.fileName))
                    == TilesetListing(list: listing.list))
            #expect(throws: StoreError(path: directory.path + "/nothing", reason: .missing)) {
                try TilesetListing(path: directory.path + "/nothing")
            }

            // A list that is whole, but of another build.
            try Data(FileList([]).encoded()).write(
                to: URL(fileURLWithPath: directory.path(ofFile: FileList.fileName)))
            #expect(throws: StoreError.self) { try TilesetListing(path: directory.path) }
            #expect(throws: StoreError.self) { try TilesetListing(path: manifest) }
        }
    }

    @Test func `the list must be that of the manifest`() throws {
        var fixture = PyramidFixture(ClusteringOptions(maxZoom: 3), points: .asymmetric(count: 40, seed: 8))
        fixture.storage.layout = .bundles(limit: 10)
        try fixture.withDirectory { directory in
            let listing = try TilesetListing(path: directory.path)
            #expect(listing.list == (try directory.fileList()) && !listing.list[.bundle].isEmpty)
            let path = directory.path(ofFile: FileList.fileName)
            try Data(FileList(Array(listing.list[.tile])).encoded()).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: StoreError.self) { try TilesetListing(path: directory.path) }
            #expect(error?.path == path)
            try FileManager.default.removeItem(atPath: path)
            #expect(throws: StoreError(path: path, reason: .missing)) { try TilesetListing(path: directory.path) }
        }
        fixture.editManifest = { $0.files[FileList.fileName] = nil }
        #expect(throws: StoreError.self) { try fixture.withDirectory { try TilesetListing(path: $0.path) } }
    }
}
