import Foundation
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidInput

/// Pyramids of groups, held against pyramids of each group's rows alone.
@Suite(.tags(.slow)) struct GroupTests {
    /// What a marker is, but for the group that an id tells.
    private struct Shown: Hashable {
        let id: UInt64
        let coordinate: Coordinate
        let pointCount: Int
        let boundingBox: BoundingBox
        let expansionZoom: Int?
        let name: PropertyValue?
    }

    private static let header = "name,lon,lat,team,fixed\n"
    private static let teams = ["red", "blue", "", "grün", "42"]

    private static func options(_ random: inout SeededRandom) -> ClusteringOptions {
        var options = ClusteringOptions(
            position: random.next(below: 2) == 0 ? .anchor : .centroid,
            clusterDistance: PixelsByZoom(20 + random.next(below: 40)), minPoints: 2 + random.next(below: 8) / 6,
            minZoom: random.next(below: 3), maxZoom: 5 + random.next(below: 6))
        options.clusterMaxZoom -= random.next(below: 3)
        return options
    }

    private static func rows(_ random: inout SeededRandom) -> [(row: String, team: String, isFixed: Bool)] {
        let shape = PointScatter.Shape.allCases[random.next(below: PointScatter.Shape.allCases.count)]
        return PointScatter.points(shape, count: 90, random: &random).enumerated().map { index, point in
            let coordinate = WebMercator.unproject(point)
            let team = teams[random.next(below: 11) % teams.count]
            let isFixed = random.next(below: 9) == 0
            return (
                "p\(index),\(coordinate.longitude),\(coordinate.latitude),\(team),\(isFixed ? "yes" : "no")\n", team,
                isFixed
            )
        }
    }

    private func shown(_ pyramid: BuiltPyramid, atZoom zoom: Int, idMask: UInt64 = 0) throws -> Set<Shown> {
        Set(
            try pyramid.markers(atZoom: zoom).map { _, marker in
                switch marker {
                case .point(let point):
                    Shown(
                        id: 0, coordinate: point.coordinate, pointCount: 1, boundingBox: BoundingBox(point.coordinate),
                        expansionZoom: 0, name: point.properties["name"])
                case .cluster(let cluster):
                    Shown(
                        id: cluster.id ^ idMask, coordinate: cluster.coordinate, pointCount: cluster.pointCount,
                        boundingBox: cluster.boundingBox, expansionZoom: cluster.expansionZoom, name: nil)
                }
            })
    }

    @Test(arguments: 0..<24) func `a pyramid of groups is the pyramids of the groups`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let rows = GroupTests.rows(&random)
        let plain = GroupTests.options(&random)
        var options = plain
        options.groupColumn = seed % 4 == 3 ? nil : "TEAM"
        options.unclustered = seed % 3 == 0 ? nil : UnclusteredRule("fixed=yes")
        let content = ClusterContentOptions(memberLimit: 10_000, memberProperties: ["name"])
        let whole = try BuiltPyramid(
            csv: GroupTests.header + rows.map(\.row).joined(), clustering: options, clusters: content)
        #expect(try PyramidVerifier(tileset: whole.directory).checkedReport().findings == [])
        try HierarchyOracle(whole.directory, key: "name").expectNoProblems()

        let clustered = rows.filter { options.unclustered == nil || !$0.isFixed }
        let fixed = rows.filter { options.unclustered != nil && $0.isFixed }
        var expected: [Int: Set<Shown>] = [:]
        for (team, members) in Dictionary(grouping: clustered, by: { options.groupColumn == nil ? "" : $0.team }) {
            let alone = try BuiltPyramid(csv: GroupTests.header + members.map(\.row).joined(), clustering: plain)
            for zoom in plain.minZoom...plain.maxZoom {
                let mask = ClusterGroup.idMask(of: Array(team.utf8))
                expected[zoom, default: []].formUnion(try shown(alone, atZoom: zoom, idMask: mask))
            }
        }
        var lone = plain
        lone.clusterMaxZoom = -1
        if !fixed.isEmpty {
            let alone = try BuiltPyramid(csv: GroupTests.header + fixed.map(\.row).joined(), clustering: lone)
            for zoom in plain.minZoom...plain.maxZoom {
                // No id and no zoom of a point: the same at all zooms.
                expected[zoom, default: []].formUnion(try shown(alone, atZoom: zoom))
            }
        }
        for zoom in plain.minZoom...plain.maxZoom {
            #expect(try shown(whole, atZoom: zoom) == expected[zoom], "zoom \(zoom)")
        }

        let shuffled = try BuiltPyramid(
            csv: GroupTests.header + rows.map(\.row).shuffled(using: &random).joined(), clustering: options,
            clusters: content, jobs: 3)
        #expect(try shuffled.files() == whole.files())
    }

    private static let csv = """
        name,lon,lat,team,fixed,n
        a,10.1,50.1,red,0,3
        b,10.1,50.1,red,,4
        c,10.1,50.1,blue,no,x
        d,10.2,50.1,blue,FALSE,5
        e,10.2,50.1,,maybe,6
        f,10.3,50.1,,0,7

        """

    private func markers(_ change: (inout ClusteringOptions) -> Void) throws -> [Marker] {
        var options = ClusteringOptions(maxZoom: 3)
        change(&options)
        let pyramid = try BuiltPyramid(csv: GroupTests.csv, clustering: options)
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings == [])
        return try pyramid.markers(atZoom: 0).map(\.marker)
    }

    @Test func `clusters carry their group, and differ in their ids at one place`() throws {
        let markers = try markers { $0.groupColumn = "team" }
        let clusters = markers.compactMap(\.cluster)
        #expect(Set(clusters.map { $0.properties["team"] }) == ["red", "blue", nil])
        #expect(clusters.map(\.pointCount) == [2, 2, 2])
        #expect(Set(clusters.map(\.id)).count == 3)
    }

    @Test func `points that are never merged say so`() throws {
        let markers = try markers { $0.unclustered = UnclusteredRule("fixed") }
        let points = markers.compactMap(\.point)
        #expect(points.map { $0.properties["name"] } == ["e"])
        #expect(points.map { $0.properties["unclustered"] } == [true])
        #expect(markers.map(\.pointCount).sorted() == [1, 5])
    }

    @Test func `no group at all is left where all points stand alone`() throws {
        let markers = try markers { $0.unclustered = UnclusteredRule("lat=50.1") }
        #expect(markers.count == 6)
        #expect(markers.allSatisfy { $0.pointCount == 1 })
    }

    @Test func `clusters carry the sum of their weights`() throws {
        let markers = try markers {
            $0.weightColumn = "n"
            $0.groupColumn = "team"
        }
        let weights = markers.compactMap { $0.cluster?.properties["point_weight"] }
        // What is no number counts as 1.
        #expect(Set(weights) == [7, 6, 13])
    }

    @Test func `a group that points don't show is refused, and so is one name for two values`() throws {
        var options = ClusteringOptions(maxZoom: 3)
        options.groupColumn = "team"
        #expect {
            try BuiltPyramid(csv: GroupTests.csv, clustering: options, input: InputOptions(exclude: ["team"]))
        } throws: { "\($0)".contains("group by needs the column \"team\"") && ($0 as? InputError)?.kind == .usage }
        #expect {
            try BuiltPyramid(
                csv: GroupTests.csv, clustering: options, clusters: ClusterContentOptions(properties: ["Team"]))
        } throws: { "\($0)".contains("two options add a property \"team\"") && ($0 as? InputError)?.kind == .usage }
        options.unclustered = UnclusteredRule("fixed")
        let content = ClusterContentOptions(accumulate: [try #require(Accumulation("fixed:max:unclustered"))])
        #expect {
            try BuiltPyramid(csv: GroupTests.csv, clustering: options, clusters: content)
        } throws: { "\($0)".contains("add a property \"unclustered\"") && ($0 as? InputError)?.kind == .usage }
        options.groupColumn = "nobody"
        #expect { try BuiltPyramid(csv: GroupTests.csv, clustering: options) } throws: {
            "\($0)".contains("\"team\", \"fixed\"")
        }
    }
}
