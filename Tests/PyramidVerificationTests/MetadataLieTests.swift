import TestSupport
import Testing

@testable import PyramidTiles

/// Metadata whose checksums are right and whose content is not.
struct MetadataLieTests {
    private var fixture: PyramidFixture {
        PyramidFixture(ClusteringOptions(maxZoom: 3), points: .asymmetric(count: 60, seed: 3))
    }

    private static let manifestEdits: [@Sendable (inout Manifest) -> Void] = [
        { $0.input.rowsRead += 1 },
        { $0.input.rowsSkipped["ragged"] = -1 },
        { $0.input.rowsClamped = 61 },
        { $0.zooms[2].minimumDistanceUnits? += 1 },
        { $0.zooms[2].minimumDistanceUnits = nil },
        { $0.zooms[3].minimumDistanceUnits = 1 },
        { $0.zooms.removeLast() },
        { $0.zooms.swapAt(1, 2) },
        { $0.options.minPoints = 0 },
        { $0.options.clusterDistance = 0 },
        { $0.options.maxZoom = .max },
        { $0.options.clusterMaxZoom = .min },
        {
            $0.content.clusters.countBy = [CategoryCount(name: "name", limit: -1)]
            $0.totals.categories = [["A": 60]]
        },
        { $0.content.clusters.memberLimit = 0 },
        { $0.content.clusters.filterBy = [FacetColumn(name: "name"), FacetColumn(name: "name")] },
        { $0.formatVersion = 2 },
        { $0.files[FileList.fileName] = nil },
        { $0.files[TileJSON.fileName] = nil },
    ]

    @Test(arguments: manifestEdits.indices)
    func `a manifest that contradicts itself is found`(index: Int) throws {
        var fixture = fixture
        fixture.editManifest = MetadataLieTests.manifestEdits[index]
        #expect(Set(try fixture.findings().map(\.kind)) == [.damagedManifest])
    }

    private static let figureEdits: [@Sendable (inout Manifest) -> Void] = [
        { $0.zooms[0].tiles += 1 }, { $0.zooms[1].markers -= 1 }, { $0.zooms[2].clusters += 1 },
        { $0.zooms[3].bodyBytes += 1 }, { $0.zooms[2].storedBytes = .max },
    ]

    @Test(arguments: figureEdits.indices)
    func `figures that are not those of the tiles are found`(index: Int) throws {
        var fixture = fixture
        fixture.editManifest = MetadataLieTests.figureEdits[index]
        #expect(try fixture.findings().map(\.kind) == [.wrongFigures])
    }

    private static let tileJSONEdits: [@Sendable (inout TileJSON) -> Void] = [
        { $0.minzoom = 1 },
        { $0.maxzoom = 4 },
        { $0.vectorLayers[0].maxzoom = 2 },
        { $0.tiles = ["tiles/{z}/{y}/{x}.json"] },
        { $0.data = [] },
        { $0.scheme = "tms" },
        { $0.tilejson = "2.0.0" },
        { $0.bounds = [1, 2, 3] },
        { $0.bounds[1] = -91 },
        { $0.bounds[3] -= 20 },
        { $0.bounds[0] += 0.5 },
        { $0.bounds[2] -= 0.5 },
        { $0.bounds[1] -= 0.000001 },
        { $0.bounds[0] -= 0.000001 },
        { $0.center = [0, 0] },
        { $0.center[2] = 4 },
        { $0.center[0] = 181 },
    ]

    @Test(arguments: tileJSONEdits.indices)
    func `a TileJSON that contradicts the manifest or the tiles is found`(index: Int) throws {
        var fixture = fixture
        fixture.editTileJSON = MetadataLieTests.tileJSONEdits[index]
        #expect(try fixture.findings().map(\.kind) == [.wrongTileJSON])
    }

    @Test func `an absolute tile template is right`() throws {
        var fixture = fixture
        fixture.editTileJSON = {
            $0.tiles = ["https://example.org/map/tiles/{z}/{x}/{y}.json"]
            $0.data = $0.tiles
        }
        #expect(try fixture.findings() == [])
    }

    @Test func `a list with a tile of another zoom is found`() throws {
        var fixture = fixture
        let tile = try #require(TileCoordinate(z: 9, x: 1, y: 2))
        fixture.editList = {
            $0.append(FileList.Entry(address: .tile(tile), byteCount: 1, crc32: 2, bodyByteCount: 3, bodyCRC32: 4))
        }
        #expect(try fixture.findings().map(\.kind) == [.damagedFileList])
    }

    @Test func `a list with a kind of files that the manifest doesn't state is found`() throws {
        var fixture = fixture
        let address = try #require(FileAddress("bundles/1/0/1"))
        fixture.editList = {
            $0.append(FileList.Entry(address: address, byteCount: 1, crc32: 2, bodyByteCount: 3, bodyCRC32: 4))
        }
        #expect(try fixture.findings().map(\.kind).contains(.damagedFileList))
    }

    @Test func `a list without one of the tiles is found`() throws {
        var fixture = fixture
        fixture.editList = { $0.removeAll { $0.address.tile.z == 2 && $0.address.tile.y == 2 } }
        let kinds = Set(try fixture.findings().map(\.kind))
        #expect(kinds.isSuperset(of: [.extraFile, .wrongSum, .wrongFigures]))
    }

    @Test func `sizes beyond all memory in the list are findings`() throws {
        var fixture = fixture
        fixture.editList = { entries in
            entries = entries.map {
                FileList.Entry(
                    address: $0.address, byteCount: 4_294_967_295, crc32: 0, bodyByteCount: 0,
                    bodyCRC32: 0)
            }
        }
        #expect(Set(try fixture.findings().map(\.kind)) == [.damagedTile])
    }
}
