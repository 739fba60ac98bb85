import Testing

@testable import PyramidTiles

/// Pyramids whose checksums and sums are all right and whose content is not.
struct ConsistentLieTests {
    static let points = [Feature].asymmetric(count: 140, seed: 23)

    private func fixture(_ options: ClusteringOptions = ClusteringOptions(maxZoom: 6)) -> PyramidFixture {
        PyramidFixture(options, points: ConsistentLieTests.points)
    }

    private func kinds(_ fixture: PyramidFixture) throws -> Set<Finding.Kind> {
        Set(try fixture.findings().map(\.kind))
    }

    /// A tile with several markers.
    private func crowdedTile(_ fixture: PyramidFixture, atZoom zoom: Int) throws -> TileCoordinate {
        let tiles = Dictionary(grouping: fixture.zooms[zoom] ?? []) { fixture.tile(of: $0, zoom) }
        return try #require(tiles.filter { $0.value.count > 2 }.keys.min())
    }

    @Test func `a marker in another tile is found`() throws {
        var fixture = fixture()
        let marker = try #require(fixture.zooms[3]?.first)
        let other = try #require(
            fixture.zooms[3]?.map { fixture.tile(of: $0, 3) }.first { $0 != fixture.tile(of: marker, 3) })
        fixture.strays[marker.coordinate] = other
        #expect(try kinds(fixture) == [.outsideTile])
    }

    @Test func `a marker in two tiles is found`() throws {
        var fixture = fixture()
        let tile = try crowdedTile(fixture, atZoom: 2)
        let stray = try #require(fixture.zooms[2]?.first { fixture.tile(of: $0, 2) != tile })
        fixture.bodyEdits[tile] = { body in
            let own = try? GeoJSONTileDecoder.decode([UInt8](body.utf8), at: tile).markers
            return String(decoding: ((own ?? []) + [stray]).encodedTile(), as: UTF8.self)
        }
        #expect(try kinds(fixture).isSuperset(of: [.outsideTile, .repeatedID, .wrongSum]))
    }

    @Test(arguments: 0...6)
    func `markers out of order are found`(zoom: Int) throws {
        var fixture = fixture()
        let tile = try crowdedTile(fixture, atZoom: zoom)
        fixture.bodyEdits[tile] = { body in
            let markers = (try? GeoJSONTileDecoder.decode([UInt8](body.utf8), at: tile))?.markers ?? []
            return String(decoding: Array(markers.reversed()).encodedTile(), as: UTF8.self)
        }
        #expect(try kinds(fixture) == [.outOfOrder])
    }

    @Test func `accepted points that are not there are found at every zoom`() throws {
        var fixture = fixture()
        fixture.editManifest = {
            $0.input.rowsAccepted += 1
            $0.input.rowsRead += 1
        }
        let findings = try fixture.findings()
        #expect(findings.map(\.kind) == Array(repeating: .wrongSum, count: 7))
        #expect(findings.map(\.file) == (0...6).map { "tiles/\($0)" })
    }

    @Test(arguments: [
        ClusteringOptions(maxZoom: 6), ClusteringOptions(clusterDistance: 25, maxZoom: 4),
        ClusteringOptions(method: .grid, maxZoom: 6),
        ClusteringOptions(method: .grid, position: .nearest, minPoints: 3, maxZoom: 6),
        ClusteringOptions(position: .centroid, maxZoom: 6), ClusteringOptions(minPoints: 3, maxZoom: 6),
    ])
    func `a point counted in another cluster is found`(options: ClusteringOptions) throws {
        var triedZooms = 0
        for zoom in 0..<options.clusterMaxZoom {
            var fixture = fixture(options)
            // Far from each other, so that no condition on places allows it, and without a change of expansion zooms.
            let clusters = (fixture.zooms[zoom] ?? []).indices.filter { index in
                guard case .cluster(let cluster) = fixture.zooms[zoom]?[index] else { return false }
                return cluster.expansionZoom == zoom + 1 && cluster.pointCount > options.minPoints
                    && !(fixture.zooms[zoom + 1] ?? []).contains { fine in
                        guard case .cluster(let part) = fine, part.id == cluster.id else { return false }
                        return part.pointCount == cluster.pointCount - 1
                    }
            }
            guard let first = clusters.first, let last = clusters.last, first != last else { continue }
            fixture.edit(zoom, first) { $0.with(pointCount: $0.pointCount + 1) }
            fixture.edit(zoom, last) { $0.with(pointCount: $0.pointCount - 1) }
            let kinds = try kinds(fixture)
            #expect(kinds.contains(.wrongNesting), "zoom \(zoom)")
            // A cluster that is whole at this zoom by its expansion zoom at the one before seems to come apart.
            #expect(kinds.isSubset(of: zoom == 0 ? [.wrongNesting] : [.wrongNesting, .wrongExpansionZoom]))
            triedZooms += 1
        }
        #expect(triedZooms > 1)
    }

    @Test(arguments: [
        ClusteringOptions(maxZoom: 6), ClusteringOptions(method: .grid, maxZoom: 6),
        ClusteringOptions(position: .centroid, minPoints: 3, maxZoom: 6),
    ])
    func `a wrong expansion zoom is found`(options: ClusteringOptions) throws {
        for zoom in 0...options.clusterMaxZoom {
            for wrong in [zoom, zoom + 1, zoom + 2, 7] {
                var fixture = fixture(options)
                let index = fixture.zooms[zoom]?.firstIndex { marker in
                    guard case .cluster(let cluster) = marker else { return false }
                    return cluster.expansionZoom != wrong
                }
                // At the last zoom with clusters all of them have the one that is right.
                guard let index else {
                    #expect(zoom == options.clusterMaxZoom && wrong == zoom + 1)
                    continue
                }
                fixture.edit(zoom, index) { $0.with(expansionZoom: wrong) }
                #expect(try kinds(fixture) == [.wrongExpansionZoom], "\(wrong) at zoom \(zoom)")
            }
        }
    }

    @Test(arguments: ["\"12\"", "\"1k\"", "null", "1e1", "999999"])
    func `a wrong abbreviated count is found`(value: String) throws {
        var fixture = fixture()
        let tile = try crowdedTile(fixture, atZoom: 1)
        fixture.bodyEdits[tile] = { body in
            let parts = body.split(separator: #""point_count_abbreviated":"#, maxSplits: 1)
            return parts[0] + #""point_count_abbreviated":"# + value + parts[1].drop { $0 != "," }
        }
        #expect(try kinds(fixture) == [.wrongAbbreviatedCount])
    }

    @Test(arguments: [
        ClusteringOptions(maxZoom: 6), ClusteringOptions(method: .grid, maxZoom: 6),
    ])
    func `a box that is too small or too large is found`(options: ClusteringOptions) throws {
        for zoom in 0...options.clusterMaxZoom {
            for (west, north) in [(1, 0), (-1, 0), (0, 1), (0, -1)] as [(Int32, Int32)] {
                var fixture = fixture(options)
                let index = try #require(
                    fixture.zooms[zoom]?.firstIndex { marker in
                        guard case .cluster(let cluster) = marker, options.position == .anchor else {
                            return marker.pointCount > 1
                        }
                        // A box of one place would leave its place outside as well.
                        return cluster.boundingBox.west != cluster.boundingBox.east
                    })
                fixture.edit(zoom, index) { cluster in
                    let box = cluster.boundingBox
                    return cluster.with(
                        boundingBox: BoundingBox(
                            west: box.west + west, south: box.south, east: box.east, north: box.north + north))
                }
                #expect(try kinds(fixture) == [.wrongBoundingBox], "zoom \(zoom)")
            }
        }
    }

    @Test func `a cluster with the id of another place is found`() throws {
        var fixture = fixture()
        let index = try #require(fixture.zooms[2]?.firstIndex { $0.pointCount > 1 })
        fixture.edit(2, index) { $0.with(id: $0.id ^ 1) }
        #expect(try kinds(fixture).isSuperset(of: [.wrongClusterID, .wrongNesting]))
    }

    @Test func `a cluster that moves away from its anchor is found`() throws {
        var fixture = fixture()
        let index = try #require(fixture.zooms[0]?.firstIndex { $0.pointCount > 3 })
        fixture.edit(0, index) { cluster in
            let moved = Coordinate(
                longitudeMicrodegrees: cluster.boundingBox.west, latitudeMicrodegrees: cluster.boundingBox.south)
            return cluster.with(id: MortonCode(WebMercator.project(moved)).clusterID, coordinate: moved)
        }
        #expect(try kinds(fixture).contains(.wrongNesting))
    }

    @Test func `clusters of fewer points than allowed are found`() throws {
        var fixture = fixture(ClusteringOptions(position: .centroid, minPoints: 2, maxZoom: 6))
        fixture.options.minPoints = 3
        #expect(try kinds(fixture) == [.clusterTooSmall])
    }

    @Test func `markers closer than promised are found`() throws {
        var fixture = fixture(ClusteringOptions(position: .centroid, clusterDistance: 40, maxZoom: 6))
        fixture.options.clusterDistance = 64
        #expect(try kinds(fixture).contains(.tooClose))
    }

    @Test func `a cluster at a zoom of points is found`() throws {
        var fixture = fixture()
        let point = try #require(fixture.zooms[6]?.first)
        fixture.zooms[6]?[0] = .cluster(
            Cluster(
                id: MortonCode(WebMercator.project(point.coordinate)).clusterID, coordinate: point.coordinate,
                boundingBox: BoundingBox(point.coordinate), pointCount: 2, expansionZoom: 7))
        #expect(try kinds(fixture).isSuperset(of: [.unexpectedCluster, .wrongSum]))
    }

    @Test func `ids that repeat are found, and a number is not a string`() throws {
        var points = ConsistentLieTests.points
        points[3] = points[3].with(id: .number(7))
        points[9] = points[9].with(id: "7")
        #expect(try PyramidFixture(ClusteringOptions(maxZoom: 3), points: points).findings() == [])
        points[3] = points[3].with(id: "7")
        let findings = try PyramidFixture(ClusteringOptions(maxZoom: 3), points: points).findings()
        #expect(Set(findings.map(\.kind)) == [.repeatedID])
        #expect(findings.count >= 1)
    }

    @Test func `a point that changes its id from zoom to zoom is found`() throws {
        var fixture = fixture()
        guard case .point(let point) = fixture.zooms[6]?[4] else { return }
        let isAloneAbove = fixture.zooms[5]?.contains(.point(point)) ?? false
        #expect(isAloneAbove)
        fixture.zooms[6]?[4] = .point(point.with(id: "another"))
        #expect(try kinds(fixture) == [.wrongNesting])
    }

    @Test func `tiles that are no GeoJSON of ours are found`() throws {
        let edits: [(String) -> String] = [
            { _ in "" }, { _ in "{}" }, { String($0.dropLast()) }, { $0 + "x" },
            { $0.replacingFirst("Point", "Pint") }, { $0.replacingFirst(#""coordinates":["#, #""coordinates":[9"#) },
        ]
        for edit in edits {
            var fixture = fixture()
            fixture.bodyEdits[try crowdedTile(fixture, atZoom: 1)] = edit
            #expect(try kinds(fixture) == [.notATile])
        }
    }

    @Test func `an empty tile is found`() throws {
        var fixture = fixture()
        fixture.bodyEdits[try crowdedTile(fixture, atZoom: 6)] = { _ in #"{"type":"FeatureCollection","features":[]}"# }
        #expect(try kinds(fixture).isSuperset(of: [.emptyTile, .wrongSum, .wrongFigures]))
    }

    @Test func `a tile that is not gzip is found`() throws {
        var fixture = fixture()
        let tile = try crowdedTile(fixture, atZoom: 2)
        let edits: [([UInt8]) -> [UInt8]] = [
            { _ in Array("{}".utf8) }, { _ in [] }, { $0 + [0] }, { $0 + $0 }, { Array($0.dropLast(4)) },
        ]
        for edit in edits {
            fixture.storedEdits[tile] = edit
            #expect(try kinds(fixture) == [.notGzip])
        }
    }

    @Test func `a gzip bomb is refused as soon as it is larger than listed`() throws {
        var fixture = fixture()
        let bomb = [UInt8](repeating: 0x20, count: 50_000_000).gzipped()
        fixture.storedEdits[try crowdedTile(fixture, atZoom: 2)] = { _ in bomb }
        #expect(try kinds(fixture) == [.damagedTile])
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
        #expect(try kinds(fixture).isSuperset(of: [.wrongSum, .damagedManifest]))
    }
}
