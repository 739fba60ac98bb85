import TestSupport
import Testing

@testable import PyramidTiles
@testable import PyramidVerification

/// MVT tiles, whose places are not exact: nothing is found in what is right, and lies are found.
struct MVTVerificationTests {
    private static func fixture(
        _ options: ClusteringOptions = ClusteringOptions(maxZoom: 6), _ points: [Feature] = ConsistentLieTests.points
    ) -> PyramidFixture {
        var fixture = PyramidFixture(options, points: points)
        fixture.storage = TileStorage(codec: .mvt)
        fixture.idProperty = "id"
        return fixture
    }

    @Test(arguments: SoundPyramidTests.options)
    func `a right pyramid has no findings`(options: ClusteringOptions) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let points = [Feature].asymmetric(count: 60 * Int(seed), seed: seed)
            let findings = try MVTVerificationTests.fixture(options, points).findings()
            #expect(findings.map(\.description) == [])
        }
    }

    @Test(arguments: SoundPyramidTests.options)
    func `a right pyramid of points without ids has no findings`(options: ClusteringOptions) throws {
        let points = [Feature].asymmetric(count: 180, seed: 4).map { Feature(coordinate: $0.coordinate) }
        var options = options
        options.tileSize = 512
        #expect(options.problem == nil)
        let findings = try MVTVerificationTests.fixture(options, points).findings()
        #expect(findings.map(\.description) == [])
    }

    @Test func `the report says what is not proved`() throws {
        try MVTVerificationTests.fixture().withDirectory { directory in
            let allowances = PyramidVerifier(tileset: directory, jobs: 1).verify().allowances
            #expect(allowances.count == 2 && allowances[1].hasPrefix("not verified in MVT without the input: "))
        }
        try PyramidFixture(ClusteringOptions(maxZoom: 3), points: ConsistentLieTests.points).withDirectory {
            directory in
            #expect(PyramidVerifier(tileset: directory, jobs: 1).verify().allowances.isEmpty)
        }
    }

    @Test func `tiles with another layer than the manifest's are found`() throws {
        var fixture = MVTVerificationTests.fixture()
        fixture.storage.layer = "shops"
        fixture.editTileJSON = { $0.vectorLayers[0].id = "points" }
        fixture.editManifest = { $0.content.storage.layer = "points" }
        #expect(try fixture.kinds().contains(.notATile))
        fixture = MVTVerificationTests.fixture()
        fixture.editTileJSON = { $0.vectorLayers[0].id = "shops" }
        #expect(try fixture.kinds() == [.wrongTileJSON])
    }

    @Test func `an expansion zoom that no cluster of the zoom can have is found`() throws {
        let sound = MVTVerificationTests.fixture()
        for zoom in 0...4 {
            var fixture = sound
            let index = try #require(fixture.zooms[zoom]?.firstIndex { $0.cluster?.expansionZoom == zoom + 1 })
            fixture.edit(zoom, index) { $0.with(expansionZoom: zoom % 2 == 0 ? zoom : 7) }
            #expect(try fixture.kinds() == [.wrongExpansionZoom], "zoom \(zoom)")
        }
    }

    @Test func `a point that is missing at a zoom is found`() throws {
        for zoom in 1...6 {
            var fixture = MVTVerificationTests.fixture()
            let index = try #require(fixture.zooms[zoom]?.firstIndex { $0.pointCount == 1 })
            fixture.zooms[zoom]?.remove(at: index)
            #expect(try fixture.kinds().contains(.wrongSum), "zoom \(zoom)")
        }
    }

    @Test func `counts beyond all points of values with one nearest double are found`() throws {
        var fixture = MVTVerificationTests.fixture()
        fixture.editManifest = {
            $0.content.clusters.countBy = [CategoryCount(name: "name")]
            $0.totals.categories = [["0.1": .max, "0.10000000000000001": .max]]
        }
        #expect(try fixture.kinds().contains(.wrongContent))
    }

    @Test func `a cluster with an id that no cluster can have is found`() throws {
        var fixture = MVTVerificationTests.fixture()
        let index = try #require(fixture.zooms[2]?.firstIndex { $0.pointCount > 1 })
        fixture.edit(2, index) { $0.with(id: $0.id ^ 1 << 52) }
        #expect(try fixture.kinds().contains(.wrongClusterID))
    }

    @Test func `in an archive, which shows most points zoom after zoom, the same is found as in a directory`() throws {
        let sound = MVTVerificationTests.fixture()
        for zoom in 3...6 {
            let markers = try #require(sound.zooms[zoom])
            let isAlone = { (marker: Marker) in
                [zoom - 1, zoom].allSatisfy { zoom in
                    let tile = sound.tile(of: marker, zoom)
                    return sound.zooms[zoom]?.count { sound.tile(of: $0, zoom) == tile } == 1
                }
            }
            let index = try #require(markers.firstIndex { $0.point != nil && isAlone($0) })
            let point = try sound.point(zoom, index)
            let other = try #require(markers.compactMap(\.point).first { $0.id != point.id && $0.id != nil })
            let tile = sound.tile(of: markers[index], zoom)
            let edits: [(inout PyramidFixture) -> Void] = [
                { $0.zooms[zoom]?[index] = .point(point.with(id: other.id ?? "")) },
                { $0.zooms[zoom]?[index] = .point(Feature(id: point.id, coordinate: other.coordinate)) },
                { $0.zooms[zoom]?.remove(at: index) },
                { $0.zooms[zoom]?.append(.point(point)) },
                { $0.storedEdits[tile] = { $0.dropLast() + [7] } },
            ]
            for (number, edit) in edits.enumerated() {
                var fixture = sound
                edit(&fixture)
                let expected = try fixture.kinds()
                // The place of a point is its own affair where no zoom after it differs.
                #expect(!expected.isEmpty || zoom == 6 && number == 1, "zoom \(zoom), edit \(number)")
                let found = try fixture.withArchive {
                    try PyramidVerifier(tileset: $0, jobs: 2).checkedReport().findings
                }
                #expect(Set(found.map(\.kind)) == expected, "zoom \(zoom), edit \(number)")
            }
        }
    }

    @Test func `markers closer than promised are found`() throws {
        var fixture = MVTVerificationTests.fixture(ClusteringOptions(clusterDistance: 40, maxZoom: 6))
        fixture.options.clusterDistance = 64
        #expect(try fixture.kinds().contains(.tooClose))
    }

    @Test func `a cluster that is called coincident and comes apart at a clustered zoom is found`() throws {
        var fixture = MVTVerificationTests.fixture()
        let index = try #require(fixture.zooms[1]?.firstIndex { $0.cluster?.expansionZoom == 2 })
        fixture.edit(1, index) { $0.with(boundingBox: BoundingBox($0.coordinate)) }
        #expect(try fixture.kinds() == [.wrongExpansionZoom])
    }

    @Test func `markers out of order are found`() throws {
        var fixture = MVTVerificationTests.fixture()
        let tile = try fixture.crowdedTile(atZoom: 2)
        let markers = (fixture.zooms[2] ?? []).filter { fixture.tile(of: $0, 2) == tile }.sorted {
            MortonCode(WebMercator.project($0.coordinate)) > MortonCode(WebMercator.project($1.coordinate))
        }
        let storage = fixture.storage
        fixture.replace(tile, with: markers.encodedTile(at: tile, storage))
        #expect(try fixture.kinds().contains(.outOfOrder))
    }

    @Test func `a tile that is no MVT is found, and so are a number in the place of a label and other metadata`() throws
    {
        var fixture = MVTVerificationTests.fixture()
        let tile = try fixture.crowdedTile(atZoom: 1)
        let json = [Marker]().encodedTile()
        fixture.replace(tile, with: json)
        #expect(try fixture.kinds().contains(.notATile))

        for edit in [
            { $0.tileSize = 512 }, { $0.format = nil }, { $0.data = $0.tiles }, { $0.idProperty = "name" },
            { $0.vectorLayers[0].id = "places" }, { $0.vectorLayers[0].fields["name"] = "Text" },
        ] as [@Sendable (inout TileJSON) -> Void] {
            var fixture = MVTVerificationTests.fixture()
            fixture.editTileJSON = edit
            #expect(try fixture.kinds() == [.wrongTileJSON])
        }
    }
}

extension PyramidFixture {
    /// Stores other content, with the right sizes and checksums in the list.
    fileprivate mutating func replace(_ tile: TileCoordinate, with body: [UInt8]) {
        let stored = body.gzipped()
        storedEdits[tile] = { _ in stored }
        editList = { entries in
            guard let index = entries.firstIndex(where: { $0.address == .tile(tile) }) else { return }
            entries[index] = .init(
                address: .tile(tile), byteCount: stored.count, crc32: Gzip.crc32(stored), bodyByteCount: body.count,
                bodyCRC32: Gzip.crc32(body))
        }
    }
}
