import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild

/// The oracle that other tests trust finds mistakes that a builder could make.
@Suite struct HierarchyOracleTests {
    private static let clustering: ClusteringOptions = {
        var options = ClusteringOptions(maxZoom: 7, clusterMaxZoom: 5)
        options.coincidentLimit = 2
        return options
    }()

    private func oracle() throws -> HierarchyOracle {
        var random = SeededRandom(seed: 6)
        let points = [PointScatter.Shape.everywhere, .lumps, .coincident].flatMap {
            PointScatter.points($0, count: 70, random: &random)
        }
        let content = ClusterContentOptions(memberLimit: 10_000, memberProperties: ["name"])
        let pyramid = try BuiltPyramid(
            csv: PointRows(points).csv, clustering: HierarchyOracleTests.clustering, clusters: content)
        return try HierarchyOracle(pyramid.directory, key: "name")
    }

    /// The indices of the clusters of a zoom that hold for a test.
    private func clusters(_ oracle: HierarchyOracle, _ zoom: Int, where isIncluded: (Cluster) -> Bool = { _ in true })
        -> [Int]
    {
        (oracle.zooms[zoom] ?? []).indices.filter { index in
            oracle.zooms[zoom]?[index].cluster.map(isIncluded) ?? false
        }
    }

    /// What the oracle finds after a change of a cluster, by its index.
    private func problems(
        _ zoom: Int, where isIncluded: (Cluster) -> Bool = { _ in true }, parentID: UInt64? = nil,
        change: (_ cluster: Cluster, _ other: Cluster) -> Cluster
    ) throws -> String {
        var oracle = try oracle()
        let indices = clusters(oracle, zoom, where: isIncluded)
        let (first, last) = (try #require(indices.first), try #require(indices.last))
        try #require(first != last)
        let one = try #require(oracle.zooms[zoom]?[first].cluster)
        let other = try #require(oracle.zooms[zoom]?[last].cluster)
        let changed = Marker.cluster(change(one, other))
        let stated = parentID ?? oracle.zooms[zoom]?[first].parentID
        oracle.zooms[zoom]?[first] = changed.with(parentID: stated)
        return oracle.problems().joined(separator: "\n")
    }

    @Test func `a right pyramid has no problems`() throws {
        try oracle().expectNoProblems()
    }

    @Test(arguments: [0, 3, 5, 6])
    func `a wrong count, box, parent or expansion zoom is found`(zoom: Int) throws {
        #expect(try problems(zoom) { one, _ in one.with(pointCount: one.pointCount + 1) }.contains("points"))
        let box = try problems(zoom, where: { $0.boundingBox.north < 80_000_000 }) { one, _ in
            let box = one.boundingBox
            return one.with(
                boundingBox: BoundingBox(west: box.west, south: box.south, east: box.east, north: box.north + 1))
        }
        #expect(box.contains("has another box"))
        #expect(
            try problems(zoom) { one, _ in one.with(expansionZoom: .some((one.expansionZoom ?? 0) + 1)) }
                .contains("has expansion zoom"))
        // The first zoom is not compared with any before.
        let parent = try problems(zoom, parentID: 77) { one, _ in one }
        #expect(parent.contains("states the parent 77") == (zoom > 0))
    }

    @Test(arguments: [1, 3, 5])
    func `members of another cluster are found`(zoom: Int) throws {
        let swapped = try problems(zoom) { one, other in one.with(properties: other.properties) }
        #expect(swapped.contains("a point is in two markers") && swapped.contains("points are missing"))
        let id = try problems(zoom) { one, other in one.with(id: other.id) }
        #expect(id.contains("has the id of no member"))
    }

    @Test func `a cluster that takes a point of another in is found`() throws {
        var oracle = try oracle()
        let zoom = 2
        let indices = clusters(oracle, zoom) { $0.pointCount > 3 }
        let (first, last) = (try #require(indices.first), try #require(indices.last))
        guard first != last, case .cluster(let one)? = oracle.zooms[zoom]?[first],
            case .cluster(let other)? = oracle.zooms[zoom]?[last],
            case .array(var members)? = one.properties["members"],
            case .array(var others)? = other.properties["members"]
        else {
            Issue.record("too few clusters")
            return
        }
        others.append(members.removeLast())
        func with(_ cluster: Cluster, _ members: [PropertyValue]) -> Marker {
            .cluster(
                cluster.with(
                    pointCount: members.count,
                    properties: cluster.properties.merging(["members": .array(members)]) { $1 }))
        }
        oracle.zooms[zoom]?[first] = with(one, members)
        oracle.zooms[zoom]?[last] = with(other, others)
        let problems = oracle.problems().joined(separator: "\n")
        #expect(problems.contains("is split") && problems.contains("has another box"))
    }

    @Test(arguments: [2, 6])
    func `a point that is elsewhere at the next zoom is found`(zoom: Int) throws {
        var oracle = try oracle()
        let index = try #require(oracle.zooms[zoom]?.firstIndex { $0.pointCount == 1 })
        let point = try #require(oracle.zooms[zoom]?[index].point)
        oracle.zooms[zoom]?[index] = .point(
            Feature(
                id: point.id, coordinate: Coordinate(longitude: 1.5, latitude: -2.25), properties: point.properties))
        #expect(oracle.problems().contains { $0.contains("isn't the same at zoom") })
    }
}
