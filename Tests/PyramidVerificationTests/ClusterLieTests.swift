import TestSupport
import Testing

@testable import PyramidTiles

/// Clusters that are not what they say, in pyramids whose checksums are all right.
@Suite(.tags(.slow)) struct ClusterLieTests {
    private func fixture(_ options: ClusteringOptions = ClusteringOptions(maxZoom: 6)) -> PyramidFixture {
        PyramidFixture(options, points: ConsistentLieTests.points)
    }

    @Test(arguments: [
        ClusteringOptions(maxZoom: 6), ClusteringOptions(clusterDistance: 25, maxZoom: 4),
        ClusteringOptions(method: .grid, maxZoom: 6),
        ClusteringOptions(method: .grid, position: .nearest, minPoints: 3, maxZoom: 6),
        ClusteringOptions(position: .centroid, maxZoom: 6), ClusteringOptions(minPoints: 3, maxZoom: 6),
    ])
    func `a point counted in another cluster is found`(options: ClusteringOptions) throws {
        var triedZooms = 0
        let sound = fixture(options)
        for zoom in 0..<options.clusterMaxZoom {
            var fixture = sound
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
            let kinds = try fixture.kinds()
            #expect(kinds.contains(.wrongNesting), "zoom \(zoom)")
            // A cluster that is whole at this zoom by its expansion zoom at the one before seems to come apart.
            #expect(kinds.isSubset(of: zoom == 0 ? [.wrongNesting] : [.wrongNesting, .wrongExpansionZoom]))
            triedZooms += 1
        }
        #expect(triedZooms > 1)
    }

    @Test func `a cluster of more points than memory has room for pages is found`() throws {
        var fixture = fixture()
        fixture.pages = [:]
        let index = try #require(fixture.zooms[5]?.firstIndex { $0.pointCount > 1 })
        fixture.edit(5, index) { $0.with(pointCount: 1 << 53) }
        let pages = try fixture.findings().filter { $0.kind == .damagedFileList && $0.file == "files.tsv" }
        #expect(pages.contains { $0.detail.contains("0 to \((1 << 53) / 100) for its \(1 << 53) points") })
    }

    @Test func `counts that no sum has room for are found`() throws {
        var fixture = fixture()
        let index = try #require(fixture.zooms[2]?.firstIndex { $0.pointCount > 1 })
        fixture.edit(2, index) { $0.with(pointCount: 1 << 53) }
        let cluster = try #require(fixture.zooms[2]?[index])
        fixture.zooms[2]? += [Marker](repeating: cluster, count: 1025)
        fixture.editManifest = { $0.content.clusters.hasParents = true }
        #expect(try fixture.kinds().isSuperset(of: [.repeatedID, .wrongContent]))
    }

    @Test(arguments: [
        ClusteringOptions(maxZoom: 6), ClusteringOptions(method: .grid, maxZoom: 6),
        ClusteringOptions(position: .centroid, minPoints: 3, maxZoom: 6),
    ])
    func `a wrong expansion zoom is found`(options: ClusteringOptions) throws {
        let sound = fixture(options)
        for zoom in 0...options.clusterMaxZoom {
            for wrong in [zoom, zoom + 1, zoom + 2, 7] {
                var fixture = sound
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
                #expect(try fixture.kinds() == [.wrongExpansionZoom], "\(wrong) at zoom \(zoom)")
            }
        }
    }

    @Test(arguments: ["\"12\"", "\"1k\"", "null", "1e1", "999999"])
    func `a wrong abbreviated count is found`(value: String) throws {
        var fixture = fixture()
        let tile = try fixture.crowdedTile(atZoom: 1)
        fixture.bodyEdits[tile] = { body in
            let parts = body.split(separator: #""point_count_abbreviated":"#, maxSplits: 1)
            return parts[0] + #""point_count_abbreviated":"# + value + parts[1].drop { $0 != "," }
        }
        #expect(try fixture.kinds() == [.wrongAbbreviatedCount])
    }

    @Test(arguments: [
        ClusteringOptions(maxZoom: 6), ClusteringOptions(method: .grid, maxZoom: 6),
    ])
    func `a box that is too small or too large is found`(options: ClusteringOptions) throws {
        let sound = fixture(options)
        for zoom in 0...options.clusterMaxZoom {
            for (west, north) in [(1, 0), (-1, 0), (0, 1), (0, -1)] as [(Int32, Int32)] {
                var fixture = sound
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
                #expect(try fixture.kinds() == [.wrongBoundingBox], "zoom \(zoom)")
            }
        }
    }

    @Test func `a cluster with the id of another place is found`() throws {
        var fixture = fixture()
        let index = try #require(fixture.zooms[2]?.firstIndex { $0.pointCount > 1 })
        fixture.edit(2, index) { $0.with(id: $0.id ^ 1) }
        #expect(try fixture.kinds().isSuperset(of: [.wrongClusterID, .wrongNesting]))
    }

    @Test func `markers that don't fit the cells of a grid are found`() throws {
        func findings(
            _ options: ClusteringOptions = ClusteringOptions(method: .grid, maxZoom: 6),
            after lie: (inout PyramidFixture) throws -> Void
        ) throws -> String {
            var fixture = fixture(options)
            try lie(&fixture)
            return try fixture.findings().map(\.description).joined(separator: "\n")
        }
        func clusters(_ fixture: PyramidFixture, _ zoom: Int) -> [Int] {
            (fixture.zooms[zoom] ?? []).indices.filter { (fixture.zooms[zoom]?[$0].pointCount ?? 0) > 1 }
        }
        let missing = try findings { fixture in
            let index = try #require(clusters(fixture, 3).first)
            fixture.zooms[3]?.remove(at: index)
        }
        #expect(missing.contains("has no marker for its cell at zoom 3"), "\(missing)")
        let shared = try findings { fixture in
            let indices = clusters(fixture, 3)
            guard let last = indices.last, case .cluster(let other)? = fixture.zooms[3]?[last] else { return }
            fixture.edit(3, indices[0]) { $0.with(id: other.id ^ 1) }
        }
        #expect(shared.contains("shares its cell with 1 markers, expected none"), "\(shared)")

        let few = ClusteringOptions(method: .grid, minPoints: 3, maxZoom: 6)
        let allowed = try findings(few) { $0.options.minPoints = 2 }
        #expect(allowed.contains("is one of 2 points of its cell, expected a cluster"), "\(allowed)")
        let lost = try findings(few) { fixture in
            // One of two points that a cell shows.
            let depth = fixture.options.cellDepth(atZoom: 3)
            let points = (fixture.zooms[3] ?? []).indices.filter { fixture.zooms[3]?[$0].pointCount == 1 }
            func cell(_ index: Int) -> UInt64? {
                fixture.zooms[3].map {
                    MortonCode(WebMercator.project($0[index].coordinate)).node(atDepth: depth)
                }
            }
            let index = try #require(points.first { one in points.contains { $0 != one && cell($0) == cell(one) } })
            fixture.zooms[3]?.remove(at: index)
        }
        #expect(lost.contains("is one of 1 points of its cell, which has 2 at zoom 4"), "\(lost)")

        let nearest = ClusteringOptions(method: .grid, position: .nearest, maxZoom: 6)
        let moved = try findings(nearest) { fixture in
            let indices = clusters(fixture, 0)
            let last = try #require(indices.last)
            let place = try #require(fixture.zooms[0]?[last].coordinate)
            fixture.edit(0, indices[0]) { $0.with(coordinate: place) }
        }
        #expect(moved.contains("is outside the cell that its id names"), "\(moved)")
    }

    @Test func `a cluster that moves away from its anchor is found`() throws {
        var fixture = fixture()
        let index = try #require(fixture.zooms[0]?.firstIndex { $0.pointCount > 3 })
        fixture.edit(0, index) { cluster in
            let moved = Coordinate(
                longitudeMicrodegrees: cluster.boundingBox.west, latitudeMicrodegrees: cluster.boundingBox.south)
            return cluster.with(id: MortonCode(WebMercator.project(moved)).clusterID, coordinate: moved)
        }
        #expect(try fixture.kinds().contains(.wrongNesting))
    }

    @Test func `clusters of fewer points than allowed are found`() throws {
        var fixture = fixture(ClusteringOptions(position: .centroid, minPoints: 2, maxZoom: 6))
        fixture.options.minPoints = 3
        #expect(try fixture.kinds() == [.clusterTooSmall])
    }

    @Test func `markers closer than promised are found`() throws {
        var fixture = fixture(ClusteringOptions(position: .centroid, clusterDistance: 40, maxZoom: 6))
        fixture.options.clusterDistance = 64
        #expect(try fixture.kinds().contains(.tooClose))
    }

    @Test func `a cluster at a zoom of points is found`() throws {
        var fixture = fixture()
        let point = try #require(fixture.zooms[6]?.first)
        fixture.zooms[6]?[0] = .cluster(
            Cluster(
                id: MortonCode(WebMercator.project(point.coordinate)).clusterID, coordinate: point.coordinate,
                boundingBox: BoundingBox(point.coordinate), pointCount: 2, expansionZoom: 7))
        #expect(try fixture.kinds().isSuperset(of: [.unexpectedCluster, .wrongSum]))
    }
}
