import Foundation
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidStore

@Suite struct CoincidentLimitTests {
    /// A row of the input.
    private struct Row {
        let id: String
        let coordinate: Coordinate
        let group: String
        let isFixed: Bool

        var csv: String {
            "\(id),\(coordinate.longitude),\(coordinate.latitude),\(group),\(isFixed ? "yes" : "")\n"
        }
    }

    /// Places with 1 to 40 points; some places are a microdegree or two from others, so that they are one candidate.
    private static func rows(seed: UInt64) -> [Row] {
        var random = SeededRandom(seed: seed)
        var rows: [Row] = []
        for (longitude, latitude, spread) in [
            (179_999_000, -16_500_000, 2_000), (24_900_000, 60_200_000, 4), (-70_600_000, -33_400_000, 30_000_000),
        ] {
            for _ in 0..<9 {
                var east = longitude + random.next(below: spread)
                if east >= 180_000_000 { east -= 360_000_000 }
                let place = Coordinate(
                    longitudeMicrodegrees: Int32(east),
                    latitudeMicrodegrees: Int32(latitude + random.next(below: spread)))
                for _ in 0..<[1, 1, 2, 3, 5, 11, 40][random.next(below: 7)] {
                    rows.append(
                        Row(
                            id: "p\(rows.count)", coordinate: place, group: random.next(below: 3) == 0 ? "a" : "b",
                            isFixed: random.next(below: 12) == 0))
                }
            }
        }
        return rows.shuffled(using: &random)
    }

    private static func build(_ rows: [Row], _ clustering: ClusteringOptions) throws -> BuiltPyramid {
        let content = ClusterContentOptions(properties: ["id"], memberLimit: 10_000, memberProperties: ["id"])
        let pyramid = try BuiltPyramid(
            csv: "id,lon,lat,group,fixed\n" + rows.map(\.csv).joined(), clustering: clustering, clusters: content)
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings.map(\.description) == [])
        try HierarchyOracle(pyramid.directory, key: "id").expectNoProblems()
        return pyramid
    }

    private static let options: [ClusteringOptions] = [
        ClusteringOptions(maxZoom: 6),
        ClusteringOptions(position: .centroid, maxZoom: 17),
        ClusteringOptions(minPoints: 4, minZoom: 2, maxZoom: 9, clusterMaxZoom: 6),
        ClusteringOptions(minZoom: 3, maxZoom: 5, clusterMaxZoom: 1),
        ClusteringOptions(maxZoom: 2, clusterMaxZoom: -1),
    ]

    @Test(arguments: options)
    func `more points at one place than the limit are one cluster at every zoom`(options: ClusteringOptions) throws {
        for (limit, hasGroups) in [(3, false), (10, true)] {
            var clustering = options
            clustering.coincidentLimit = limit
            if hasGroups {
                clustering.groupColumn = "group"
                clustering.unclustered = UnclusteredRule("fixed")
            }
            let rows = CoincidentLimitTests.rows(seed: UInt64(limit))
            let pyramid = try CoincidentLimitTests.build(rows, clustering)
            // By group, place, and whether they may merge at all.
            let together = Dictionary(grouping: rows) { row in
                [hasGroups ? row.group : "", "\(row.coordinate)", hasGroups && row.isFixed ? row.id : ""]
            }
            let expected = together.values.map { $0.count > limit ? [$0.count] : [Int](repeating: 1, count: $0.count) }
                .flatMap { $0 }.sorted()
            #expect(expected.contains { $0 > 1 })
            for zoom in max(options.minZoom, options.clusterMaxZoom + 1)...options.maxZoom {
                let markers = try pyramid.markers(atZoom: zoom).map(\.marker)
                #expect(markers.map(\.pointCount).sorted() == expected)
                for case .cluster(let cluster) in markers {
                    #expect(cluster.isCoincident && cluster.expansionZoom == nil)
                    #expect(BoundingBox(cluster.coordinate) == cluster.boundingBox)
                    let sizes = together.values.filter { $0[0].coordinate == cluster.coordinate }.map(\.count)
                    #expect(sizes.contains(cluster.pointCount))
                    guard options.clusteredZooms.isEmpty, !hasGroups else { continue }
                    #expect(cluster.id == MortonCode(WebMercator.project(cluster.coordinate)).placeID)
                }
            }
        }
    }

    @Test(arguments: options)
    func `clustered zooms differ from those without a limit in expansion zooms alone`(
        options: ClusteringOptions
    ) throws {
        var limited = options
        limited.coincidentLimit = 4
        let rows = CoincidentLimitTests.rows(seed: 2)
        let (with, without) = (
            try CoincidentLimitTests.build(rows, limited), try CoincidentLimitTests.build(rows, options)
        )
        for zoom in options.clusteredZooms {
            var apart = 0
            let all = zip(try with.markers(atZoom: zoom), try without.markers(atZoom: zoom))
            for ((tile, marker), (otherTile, other)) in all {
                #expect(tile == otherTile)
                guard case .cluster(let cluster) = marker, case .cluster(let plain) = other else {
                    #expect(marker == other)
                    continue
                }
                let stays = plain.isCoincident && plain.pointCount > 4
                #expect(cluster.expansionZoom == (stays ? nil : plain.expansionZoom))
                #expect((cluster.id, cluster.pointCount) == (plain.id, plain.pointCount))
                // The cluster stays what it is beyond.
                if stays, zoom == options.clusterMaxZoom {
                    #expect(try with.markers(atZoom: options.maxZoom).contains { $0.marker == marker })
                }
                apart += 1
            }
            #expect(apart > 0)
        }
    }

    @Test func `places in the corner of the map have ids of their own`() throws {
        // Codes 0 and a little more, in the same cell at depth 26, and one cluster at every clustered zoom.
        let places = [
            Coordinate(longitude: -180, latitude: 89), Coordinate(longitude: -179.999998, latitude: 85.0511287),
        ]
        let rows = zip(places, [9, 7]).flatMap { place, count in
            (0..<count).map { Row(id: "\(place.longitude)-\($0)", coordinate: place, group: "", isFixed: false) }
        }
        var options = ClusteringOptions(maxZoom: 14)
        options.coincidentLimit = 5
        let pyramid = try CoincidentLimitTests.build(rows, options)
        let (last, beyond) = (try pyramid.markers(atZoom: 13), try pyramid.markers(atZoom: 14))
        #expect((last.count, beyond.count) == (1, 2))
        let ids = (last + beyond).compactMap { $0.marker.cluster?.id }
        #expect(Set(ids).count == 3)
    }
}
