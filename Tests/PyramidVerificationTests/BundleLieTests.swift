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

    @Test(arguments: [BundleLieTests.limit - 5, BundleLieTests.limit + 30])
    func `another limit than the files were made with is found`(limit: Int) throws {
        var fixture = fixture()
        fixture.editManifest = { $0.content.storage.layout = .bundles(limit: limit) }
        #expect(try fixture.kinds() == [.wrongBundle, .wrongTileJSON])
    }

    @Test func `a limit that one file breaks by one record is found`() throws {
        var fixture = fixture()
        var tiles: [TileCoordinate: [Marker]] = [:]
        for (zoom, markers) in fixture.zooms {
            for marker in markers { tiles[fixture.tile(of: marker, zoom), default: []].append(marker) }
        }
        let counts = tiles.keys.filter { $0.z < 6 }
            .map { ReferenceBundles.records(in: $0, of: tiles, maxZoom: 6).count }
        let most = try #require(counts.filter { $0 <= BundleLieTests.limit }.max())
        let least = try #require(counts.filter { $0 > BundleLieTests.limit }.min())
        for (limit, isBroken) in [(most - 1, true), (most, false), (least - 1, false), (least, true)] {
            fixture.editManifest = { $0.content.storage.layout = .bundles(limit: limit) }
            #expect(try fixture.kinds().contains(.wrongBundle) == isBroken, "\(limit)")
        }
    }

    @Test func `a bundle that is split into a tile and smaller bundles is found`() throws {
        var fixture = fixture()
        fixture.editBundles = { bundles in
            guard let tile = bundles.bundles.keys.filter({ $0.z < 6 }).min() else { return }
            let records = bundles.bundles.removeValue(forKey: tile) ?? []
            bundles.tiles[tile] = records.filter { $0.zooms.lowerBound == tile.z }.map(\.marker)
            for record in records where record.zooms.upperBound > tile.z {
                let zooms = max(record.zooms.lowerBound, tile.z + 1)...record.zooms.upperBound
                let below = TileCoordinate(
                    containing: WebMercator.project(record.marker.coordinate), atZoom: tile.z + 1)
                bundles.bundles[below, default: []].append(.init(record.marker, at: zooms))
            }
        }
        #expect(try fixture.kinds() == [.wrongBundle])
    }

    @Test func `a record that is cut in two is found`() throws {
        var fixture = fixture()
        fixture.editBundles = { bundles in
            for (tile, records) in bundles.bundles {
                guard let index = records.firstIndex(where: { $0.zooms.count > 1 }),
                    records.count < BundleLieTests.limit
                else { continue }
                let zooms = records[index].zooms
                bundles.bundles[tile]?[index].zooms = zooms.lowerBound...zooms.lowerBound
                bundles.bundles[tile]?.append(.init(records[index].marker, at: zooms.lowerBound + 1...zooms.upperBound))
                return
            }
        }
        #expect(try fixture.kinds() == [.wrongBundle])
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

    @Test(arguments: [nil, 0, 31])
    func `a wrong depth of the cells whose points are members together is found`(depth: Int?) throws {
        var fixture = fixture()
        fixture.editTileJSON = { $0.memberDepth = depth }
        #expect(try fixture.kinds() == [.wrongTileJSON])
    }

    @Test func `zooms in a tile's feature are found`() throws {
        var fixture = fixture()
        let tile = try #require(TileCoordinate(z: 0, x: 0, y: 0))
        fixture.bodyEdits[tile] = { $0.replacingFirst(#""Feature","#, #""Feature","minzoom":0,"#) }
        #expect(try fixture.kinds() == [.notATile])
    }
}
