import TestSupport
import Testing

@testable import PyramidTiles
@testable import PyramidVerification

/// A verifier that finds nothing in what is right, whatever the options.
@Suite(.tags(.slow, .threads)) struct SoundPyramidTests {
    static let options: [ClusteringOptions] =
        [
            ClusteringOptions(maxZoom: 6),
            ClusteringOptions(clusterDistance: 256, maxZoom: 5),
            ClusteringOptions(clusterDistance: 7, minZoom: 2, maxZoom: 9, clusterMaxZoom: 6),
            ClusteringOptions(minPoints: 4, maxZoom: 7),
            ClusteringOptions(position: .centroid, maxZoom: 6),
            ClusteringOptions(position: .centroid, clusterDistance: 120, minPoints: 3, maxZoom: 12),
            ClusteringOptions(maxZoom: 3, clusterMaxZoom: -1),
        ] + limited

    /// Points that coincide stay together.
    private static let limited: [ClusteringOptions] = [
        ClusteringOptions(maxZoom: 6), ClusteringOptions(minZoom: 2, maxZoom: 9, clusterMaxZoom: 6),
        ClusteringOptions(position: .centroid, maxZoom: 12), ClusteringOptions(maxZoom: 3, clusterMaxZoom: -1),
        ClusteringOptions(minZoom: 3, maxZoom: 4, clusterMaxZoom: 1),
    ].map { options in
        var options = options
        options.coincidentLimit = 1
        return options
    }

    @Test(arguments: options)
    func `a right pyramid has no findings`(options: ClusteringOptions) throws {
        #expect(options.problem == nil)
        for seed in 1...3 as ClosedRange<UInt64> {
            let points = [Feature].asymmetric(count: 60 * Int(seed), seed: seed)
            let findings = try PyramidFixture(options, points: points).findings()
            #expect(findings.map(\.description) == [])
        }
    }

    /// Of different latitudes, but drawn at one place.
    @Test(arguments: limited, TileCodec.allCases)
    func `points that stay together past the map's edge have no findings`(
        options: ClusteringOptions, codec: TileCodec
    ) throws {
        let together = [86, 87.5, -89].map { latitude in
            Feature(
                id: .string("\(latitude)"), coordinate: Coordinate(longitude: 10.25, latitude: latitude),
                properties: ["name": "x"])
        }
        var fixture = PyramidFixture(options, points: [Feature].asymmetric(count: 40, seed: 9) + together)
        #expect(
            fixture.zooms[options.maxZoom]?.contains { $0.pointCount == 2 && $0.coordinate.latitude > 85.9 } == true)
        if codec == .mvt {
            fixture.storage = TileStorage(codec: .mvt)
            fixture.idProperty = "id"
        }
        #expect(try fixture.findings().map(\.description) == [])
    }

    @Test func `the totals are those of the tiles`() throws {
        let fixture = PyramidFixture(ClusteringOptions(maxZoom: 4), points: .asymmetric(count: 90, seed: 7))
        try fixture.withDirectory { directory in
            let report = try PyramidVerifier(tileset: directory, jobs: 1).checkedReport()
            #expect(report.isSound)
            #expect(report.points == 90)
            #expect(report.zooms.map(\.zoom) == [0, 1, 2, 3, 4])
            #expect(report.zooms.map(\.points) == [90, 90, 90, 90, 90])
            #expect(report.zooms.map(\.markers) == (0...4).map { fixture.zooms[$0]?.count })
            let listed = try directory.tileEntries().count
            #expect(report.tiles == listed)
        }
    }

    @Test func `progress ends with all tiles`() throws {
        let fixture = PyramidFixture(ClusteringOptions(maxZoom: 4), points: .asymmetric(count: 90, seed: 7))
        try fixture.withDirectory { directory in
            let tiles = try directory.tileEntries().count
            let last = LastProgress()
            _ = PyramidVerifier(tileset: directory, jobs: 2).verify { last.set($0, $1) }
            #expect(last.value.done == tiles)
            #expect(last.value.total == tiles)
        }
    }

    /// Calls come one at a time.
    private final class LastProgress: @unchecked Sendable {
        private(set) var value = (done: 0, total: 0)
        func set(_ done: Int, _ total: Int) { value = (done, total) }
    }
}
