import TestSupport
import Testing

@testable import PyramidTiles
@testable import PyramidVerification

/// Points at one place that don't stay together as the manifest says, in pyramids whose checksums are all right.
struct CoincidentLieTests {
    /// 30 points all over, seven at one place, and three at another.
    private static let points: [Feature] = {
        let places = [(7, 11.5, 48.25), (3, -70.5, -33.25)]
        let together = places.flatMap { count, longitude, latitude in
            (0..<count).map {
                Feature(
                    id: .string("c\(longitude)-\($0)"),
                    coordinate: Coordinate(longitude: longitude, latitude: latitude),
                    properties: ["name": "x"])
            }
        }
        return [Feature].asymmetric(count: 30, seed: 11) + together
    }()

    private static func fixture(_ options: ClusteringOptions) -> PyramidFixture {
        var options = options
        options.coincidentLimit = 3
        return PyramidFixture(options, points: points)
    }

    private static let options = [
        ClusteringOptions(maxZoom: 5, clusterMaxZoom: 3),
        ClusteringOptions(position: .centroid, maxZoom: 5, clusterMaxZoom: 3),
        ClusteringOptions(maxZoom: 5, clusterMaxZoom: -1),
    ]

    /// The index of the cluster of seven at a zoom without other clusters.
    private func place(_ fixture: PyramidFixture, _ zoom: Int) throws -> Int {
        try #require(fixture.zooms[zoom]?.firstIndex { $0.pointCount == 7 })
    }

    @Test(arguments: options)
    func `points that are left apart are found`(options: ClusteringOptions) throws {
        let sound = CoincidentLieTests.fixture(options)
        #expect(try sound.kinds() == [])
        for zoom in [4, 5] {
            var fixture = sound
            let index = try place(fixture, zoom)
            fixture.zooms[zoom]?.remove(at: index)
            fixture.zooms[zoom]? += CoincidentLieTests.points.filter {
                $0.coordinate == Coordinate(longitude: 11.5, latitude: 48.25)
            }
            .map { .point($0) }
            #expect(try fixture.kinds().contains(.tooClose), "zoom \(zoom)")
        }
        var beside = sound
        let index = try place(beside, 4)
        let coordinate = try #require(beside.zooms[4]?[index].coordinate)
        beside.zooms[4]?.append(.point(Feature(id: "beside", coordinate: coordinate, properties: ["name": "x"])))
        #expect(try beside.kinds().contains(.tooClose))
        // At all zooms without other clusters.
        var fixture = sound
        for zoom in 4...5 { fixture.zooms[zoom] = CoincidentLieTests.points.map { .point($0) } }
        #expect(try fixture.kinds().contains(.tooClose))
    }

    @Test(arguments: options)
    func `too few points that stay together are found`(options: ClusteringOptions) throws {
        var fixture = CoincidentLieTests.fixture(options)
        fixture.options.coincidentLimit = 2
        let more = PyramidFixture(fixture.options, points: CoincidentLieTests.points)
        fixture.options.coincidentLimit = 3
        for zoom in 4...5 { fixture.zooms[zoom] = more.zooms[zoom] }
        #expect(try fixture.kinds().contains(.unexpectedCluster))
    }

    @Test(arguments: options)
    func `a wrong expansion zoom, id or count of a place is found`(options: ClusteringOptions) throws {
        let sound = CoincidentLieTests.fixture(options)
        for zoom in [4, 5] {
            let index = try place(sound, zoom)
            func kinds(_ change: (Cluster) -> Cluster) throws -> Set<Finding.Kind> {
                var fixture = sound
                fixture.edit(zoom, index, change)
                return try fixture.kinds()
            }
            #expect(try kinds { $0.with(expansionZoom: zoom + 1) } == [.wrongExpansionZoom])
            #expect(try !kinds { $0.with(id: $0.id ^ 1) }.isEmpty)
            #expect(try kinds { $0.with(pointCount: 8) }.contains(.wrongSum))
        }
    }

    @Test func `an expansion zoom that is missing is found`() throws {
        let fixture = CoincidentLieTests.fixture(ClusteringOptions(maxZoom: 5))
        for zoom in 0...4 {
            var edited = fixture
            let index = try #require(fixture.zooms[zoom]?.firstIndex { $0.cluster?.expansionZoom != nil })
            edited.edit(zoom, index) { $0.with(expansionZoom: .some(nil)) }
            #expect(try edited.kinds().contains(.wrongExpansionZoom))
        }
    }
}
