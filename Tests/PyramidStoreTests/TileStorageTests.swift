import Foundation
import TestSupport
import Testing

@testable import PyramidStore
@testable import PyramidTiles

struct TileStorageTests {
    @Test func `paths and the template end in the suffix`() throws {
        let storage = TileStorage(suffix: ".geo-json.gz", compression: .gzip)
        let tile = try #require(TileCoordinate(z: 3, x: 4, y: 2))
        #expect(storage.relativePath(of: .tile(tile)) == "tiles/3/4/2.geo-json.gz")
        #expect(storage.template(of: .tile) == "tiles/{z}/{x}/{y}.geo-json.gz")
        #expect(DirectoryTileset(path: "out", storage: storage).path(of: tile) == "out/tiles/3/4/2.geo-json.gz")
    }

    @Test(arguments: [".json", ".geojson", ".json.gz", ".v2_a.json", ".1"])
    func `suffixes of dots and plain characters are taken`(suffix: String) {
        #expect(TileStorage(suffix: suffix).problem == nil)
        let name = TileStorage.parse(fileName: "17" + suffix)
        #expect(name?.row == "17" && name?.suffix == suffix)
    }

    @Test(arguments: [
        "", "json", ".", "..", ".json.", "..json", ".js/on", "./../x", ".JSON", ".jsön", ".js on", ".a\u{0}", ".{z}",
        "." + String(repeating: "a", count: 32), ".json.bak", ".orig",
    ])
    func `other suffixes are refused, also in a manifest`(suffix: String) throws {
        #expect(TileStorage(suffix: suffix).problem != nil)
        #expect(TileStorage.parse(fileName: "17" + suffix) == nil)
        let json = try MetadataJSON.encode(TileStorage(suffix: suffix))
        #expect(throws: MetadataError.self) { try MetadataJSON.decode(TileStorage.self, from: json) }
    }

    @Test func `a suffix of gzip wants gzip`() {
        #expect(TileStorage(suffix: ".json.gz", compression: .none).problem != nil)
        #expect(TileStorage(suffix: ".gz.json", compression: .none).problem == nil)
    }

    @Test func `where the manifest is damaged, a tile that is not there is an error and not nil`() throws {
        let fixture = PyramidFixture(ClusteringOptions(maxZoom: 2), points: .asymmetric(count: 9, seed: 3))
        try fixture.withDirectory { directory in
            let entry = try #require(try directory.tileEntries().last)
            try Data("{}".utf8).write(to: URL(fileURLWithPath: directory.path(ofFile: Manifest.fileName)))
            let damaged = DirectoryTileset(path: directory.path)
            #expect(try damaged.body(of: entry.address) != nil)
            #expect(throws: StoreError.self) { try damaged.body(of: #require(TileCoordinate(z: 9, x: 1, y: 2))) }
        }
    }
}
