import TestSupport
import Testing

@testable import PyramidTiles
@testable import PyramidVerification

/// Clusters that are not what they say, in pyramids whose checksums are all right.
@Suite(.tags(.slow)) struct ClusterLieTests {
    private func fixture(_ options: ClusteringOptions = ClusteringOptions(maxZoom: 6)) -> PyramidFixture {
        PyramidFixture(options, points: ConsistentLieTests.points)
    }

    @Test func `counts that no sum has room for are found`() throws {
        var fixture = fixture()
        let index = try #require(fixture.zooms[2]?.firstIndex { $0.pointCount > 1 })
        fixture.edit(2, index) { $0.with(pointCount: 1 << 53) }
        let cluster = try #require(fixture.zooms[2]?[index])
        fixture.zooms[2]? += [Marker](repeating: cluster, count: 1025)
        #expect(try fixture.kinds().isSuperset(of: [.repeatedID, .wrongSum, .tooClose]))
    }

    @Test(arguments: [
        ClusteringOptions(maxZoom: 6), ClusteringOptions(position: .centroid, minPoints: 3, maxZoom: 6),
    ])
    func `an expansion zoom that no cluster of the zoom can have is found`(options: ClusteringOptions) throws {
        let sound = fixture(options)
        for zoom in 0...options.clusterMaxZoom {
            for wrong in [zoom, 7] {
                var fixture = sound
                let index = try #require(fixture.zooms[zoom]?.firstIndex { $0.pointCount > 1 })
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

    @Test func `lists that no option adds are found, and a point's own property of that name isn't one`() throws {
        func inserting(_ members: String, before key: String) -> (String) -> String {
            { $0.replacing(key, with: members + key, maxReplacements: 1) }
        }
        let edits: [(edit: (String) -> String, kinds: Set<Finding.Kind>)] = [
            (inserting(#""members":[1,2],"#, before: #""point_count":"#), [.wrongContent]),
            (inserting(#""facets":[[],[1]],"#, before: #""point_count":"#), [.wrongContent]),
            ({ $0.dropLast() + #","facets":[["a"]]}"# }, [.wrongContent]),
            (inserting(#""members":3,"facets":"a","#, before: #""name":"#), []),
        ]
        for (number, (edit, kinds)) in edits.enumerated() {
            var fixture = fixture()
            let tile = try fixture.crowdedTile(atZoom: kinds.isEmpty ? 6 : 1)
            fixture.bodyEdits[tile] = { body in
                let edited = edit(body)
                #expect(edited != body)
                return edited
            }
            #expect(try fixture.kinds() == kinds, "\(number)")
        }
    }

    @Test func `a cluster with the id of another place is found`() throws {
        var fixture = fixture()
        let index = try #require(fixture.zooms[2]?.firstIndex { $0.pointCount > 1 })
        fixture.edit(2, index) { $0.with(id: $0.id ^ 1) }
        #expect(try fixture.kinds() == [.wrongClusterID])
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
