import Foundation
import PyramidStore
import TestSupport
import Testing

@testable import PyramidTiles
@testable import PyramidVerification

/// Bundled tilesets, right ones and others whose checksums are all right and whose bundles are not.
struct BundleLieTests {
    private static let limit = 12

    private func fixture(_ options: ClusteringOptions = ClusteringOptions(maxZoom: 6)) -> PyramidFixture {
        var fixture = PyramidFixture(options, points: .asymmetric(count: 140, seed: 29))
        fixture.storage = TileStorage(layout: .bundles(limit: BundleLieTests.limit))
        return fixture
    }

    @Test(arguments: SoundPyramidTests.options, [1, 5, 40, 5000])
    func `a right bundled pyramid has no findings`(options: ClusteringOptions, limit: Int) throws {
        var fixture = fixture(options)
        fixture.storage.layout = .bundles(limit: limit)
        #expect(try fixture.findings().map(\.description) == [])
    }

    @Test func `a missing bundle is the only finding`() throws {
        let fixture = fixture()
        try fixture.withDirectory { directory in
            let bundles = try directory.fileList()[.bundle].map(\.address)
            let first = try #require(bundles.first)
            #expect(first.tile.z < 6)
            let path = directory.storage.relativePath(of: first)
            try FileManager.default.removeItem(atPath: directory.path(ofFile: path))
            let findings = try PyramidVerifier(tileset: directory, jobs: 2).checkedReport().findings
            #expect(findings == [Finding(kind: .missingTile, file: path, detail: "is missing")])
        }
    }

    @Test func `another limit than the index states is found`() throws {
        var fixture = fixture()
        fixture.editManifest = { $0.content.storage.layout = .bundles(limit: BundleLieTests.limit + 1) }
        #expect(try fixture.kinds() == [.wrongTileJSON])
    }

    @Test func `a record that is shown at a zoom too many or too few is found`() throws {
        for change in [-1, 1] {
            var fixture = fixture()
            fixture.editBundles = { bundles in
                for (tile, records) in bundles.bundles.sorted(by: { $0.key < $1.key }) {
                    let index = records.firstIndex { $0.zooms.upperBound < 6 && $0.zooms.count > 1 }
                    guard let index else { continue }
                    let zooms = records[index].zooms
                    bundles.bundles[tile]?[index].zooms = zooms.lowerBound...zooms.upperBound + change
                    return
                }
            }
            #expect(try fixture.kinds().isSuperset(of: [.wrongSum, .wrongFigures]), "\(change)")
        }
    }

    @Test func `a record in another bundle is found`() throws {
        var fixture = fixture()
        fixture.editBundles = { bundles in
            let tiles = bundles.bundles.keys.filter { $0.z == 6 }.sorted()
            guard let first = tiles.first, let last = tiles.last, first != last,
                let record = bundles.bundles[first]?.popLast()
            else { return }
            bundles.bundles[last]?.append(record)
        }
        #expect(try fixture.kinds().contains(.outsideTile))
    }

    @Test func `an index that leaves out a bundle, and one that is damaged, are found`() throws {
        var fixture = fixture()
        fixture.editTileJSON = { tileJSON in
            tileJSON.bundles?.index =
                TileJSON.Bundles(
                    BundleIndex(limit: 12, files: []), template: ""
                ).index
        }
        #expect(try fixture.kinds() == [.damagedTileJSON])
        fixture.editTileJSON = { $0.bundles = nil }
        #expect(try fixture.kinds() == [.wrongTileJSON])
        fixture.editTileJSON = { $0.bundles?.template = "tiles/{z}/{x}/{y}.json" }
        #expect(try fixture.kinds() == [.wrongTileJSON])
    }

    /// The record itself, and one that isn't there.
    @Test(arguments: [0, 1_000])
    func `a parent that is no cluster of the bundle at the zoom before is found`(index: Int) throws {
        var fixture = fixture()
        fixture.editBundles = { bundles in
            let tile = bundles.bundles.keys.filter { $0.z < 6 }.min()
            bundles.firstParents = tile.map { [$0: .record(index)] } ?? [:]
        }
        #expect(try fixture.kinds() == [.notATile])
    }

    @Test func `zooms in a tile's feature are found`() throws {
        var fixture = fixture()
        let tile = try #require(TileCoordinate(z: 0, x: 0, y: 0))
        fixture.bodyEdits[tile] = { $0.replacingFirst(#""Feature","#, #""Feature","minzoom":0,"#) }
        #expect(try fixture.kinds() == [.notATile])
    }
}
