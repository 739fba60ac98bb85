import TestSupport
import Testing

@testable import PyramidTiles

/// Pyramids whose checksums and sums are all right and whose content is not.
struct ConsistentLieTests {
    static let points = [Feature].asymmetric(count: 140, seed: 23)

    private func fixture() -> PyramidFixture {
        PyramidFixture(ClusteringOptions(maxZoom: 6), points: ConsistentLieTests.points)
    }

    @Test func `a marker in another tile is found`() throws {
        var fixture = fixture()
        let marker = try #require(fixture.zooms[3]?.first)
        let other = try #require(
            fixture.zooms[3]?.map { fixture.tile(of: $0, 3) }.first { $0 != fixture.tile(of: marker, 3) })
        fixture.strays[marker.coordinate] = other
        #expect(try fixture.kinds() == [.outsideTile])
    }

    @Test func `a marker in two tiles is found`() throws {
        var fixture = fixture()
        let tile = try fixture.crowdedTile(atZoom: 2)
        let stray = try #require(fixture.zooms[2]?.first { fixture.tile(of: $0, 2) != tile })
        fixture.bodyEdits[tile] = { body in
            let own = try? GeoJSONTileDecoder.decode([UInt8](body.utf8), at: tile).markers
            return String(decoding: ((own ?? []) + [stray]).encodedTile(), as: UTF8.self)
        }
        #expect(try fixture.kinds().isSuperset(of: [.outsideTile, .repeatedID, .wrongSum]))
    }

    @Test(arguments: 0...6)
    func `markers out of order are found`(zoom: Int) throws {
        var fixture = fixture()
        let tile = try fixture.crowdedTile(atZoom: zoom)
        fixture.bodyEdits[tile] = { body in
            let markers = (try? GeoJSONTileDecoder.decode([UInt8](body.utf8), at: tile))?.markers ?? []
            return String(decoding: Array(markers.reversed()).encodedTile(), as: UTF8.self)
        }
        #expect(try fixture.kinds() == [.outOfOrder])
    }

    @Test func `accepted points that are not there are found at every zoom`() throws {
        var fixture = fixture()
        fixture.editManifest = {
            $0.input.rowsAccepted += 1
            $0.input.rowsRead += 1
        }
        fixture.editTileJSON = { $0.pointCount? += 1 }
        let findings = try fixture.findings()
        #expect(findings.map(\.kind) == Array(repeating: .wrongSum, count: 7))
        #expect(findings.map(\.file) == (0...6).map { "tiles/\($0)" })
    }

    @Test func `ids that repeat are found, and a number is not a string`() throws {
        var points = ConsistentLieTests.points
        points[3] = points[3].with(id: .number(7))
        points[9] = points[9].with(id: "7")
        #expect(try PyramidFixture(ClusteringOptions(maxZoom: 3), points: points).findings() == [])
        points[3] = points[3].with(id: "7")
        let findings = try PyramidFixture(ClusteringOptions(maxZoom: 3), points: points).findings()
        #expect(Set(findings.map(\.kind)) == [.repeatedID])
    }

    @Test func `tiles that are no GeoJSON of ours are found`() throws {
        let edits: [(String) -> String] = [
            { _ in "" }, { _ in "{}" }, { String($0.dropLast()) }, { $0 + "x" },
            { $0.replacingFirst("Point", "Pint") }, { $0.replacingFirst(#""coordinates":["#, #""coordinates":[9"#) },
        ]
        for edit in edits {
            var fixture = fixture()
            fixture.bodyEdits[try fixture.crowdedTile(atZoom: 1)] = edit
            #expect(try fixture.kinds() == [.notATile])
        }
    }

    @Test func `an empty tile is found`() throws {
        var fixture = fixture()
        fixture.bodyEdits[try fixture.crowdedTile(atZoom: 6)] = { _ in #"{"type":"FeatureCollection","features":[]}"# }
        #expect(try fixture.kinds().isSuperset(of: [.emptyTile, .wrongSum, .wrongFigures]))
    }

    @Test func `a tile that is not gzip is found`() throws {
        var fixture = fixture()
        let tile = try fixture.crowdedTile(atZoom: 2)
        let edits: [([UInt8]) -> [UInt8]] = [
            { _ in Array("{}".utf8) }, { _ in [] }, { $0 + [0] }, { $0 + $0 }, { Array($0.dropLast(4)) },
        ]
        for edit in edits {
            fixture.storedEdits[tile] = edit
            #expect(try fixture.kinds() == [.notGzip])
        }
    }

    @Test func `a gzip bomb is refused as soon as it is larger than listed`() throws {
        var fixture = fixture()
        let bomb = [UInt8](repeating: 0x20, count: 50_000_000).gzipped()
        fixture.storedEdits[try fixture.crowdedTile(atZoom: 2)] = { _ in bomb }
        #expect(try fixture.kinds() == [.damagedTile])
    }

    @Test func `counts that overflow are findings`() throws {
        var fixture = fixture()
        for zoom in 0...3 {
            for index in (fixture.zooms[zoom] ?? []).indices {
                fixture.edit(zoom, index) { $0.with(pointCount: 1 << 53) }
            }
        }
        fixture.editManifest = {
            $0.input.rowsSkipped = ["a": .max, "b": .max]
            $0.input.rowsAccepted = .max
        }
        #expect(try fixture.kinds().isSuperset(of: [.wrongSum, .damagedManifest]))
    }
}
