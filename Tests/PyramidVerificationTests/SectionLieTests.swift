import TestSupport
import Testing

@testable import PyramidTiles

/// Pyramids of groups, and of points that are never merged, whose sums over all are right.
@Suite(.tags(.slow)) struct SectionLieTests {
    private static let zooms = 0...6

    /// Two groups and the points of no group, and every ninth point never merged.
    private func fixture() -> PyramidFixture {
        var options = ClusteringOptions(maxZoom: 6)
        let points = [Feature].asymmetric(count: 150, seed: 31).enumerated().map { index, point in
            var properties = point.properties
            if index % 3 > 0 { properties["team"] = index % 3 == 1 ? "red" : "blue" }
            if index % 9 == 4 { properties["unclustered"] = true }
            return Feature(id: point.id, coordinate: point.coordinate, properties: properties)
        }
        let groups = Dictionary(grouping: points) { $0.properties["unclustered"] ?? $0.properties["team"] ?? "" }
        var fixture = PyramidFixture(options, points: points)
        fixture.zooms = Dictionary(uniqueKeysWithValues: SectionLieTests.zooms.map { ($0, []) })
        for (group, members) in groups {
            var sectionOptions = options
            if group == true { sectionOptions.clusterMaxZoom = -1 }
            for (zoom, markers) in ReferencePyramid(options: sectionOptions, points: members).zooms() {
                fixture.zooms[zoom]? += group == "" ? markers : markers.map { $0.inTeam(group) }
            }
        }
        options.groupColumn = "team"
        options.unclustered = UnclusteredRule(column: "fixed")
        fixture.options = options
        fixture.editManifest = { $0.totals.unclusteredPoints = groups[true]?.count ?? 0 }
        return fixture
    }

    /// The first marker of a zoom that holds for a test.
    private func index(in fixture: PyramidFixture, _ zoom: Int, where isIncluded: (Marker) -> Bool) throws -> Int {
        let index = fixture.zooms[zoom]?.firstIndex(where: isIncluded)
        return try #require(index)
    }

    @Test func `a pyramid of groups is sound`() throws {
        #expect(try fixture().findings() == [])
    }

    @Test func `the same markers without their groups are not`() throws {
        var fixture = fixture()
        fixture.options.groupColumn = nil
        #expect(try fixture.kinds().isSuperset(of: [.tooClose, .wrongClusterID]))
    }

    @Test(arguments: 0...5) func `a cluster of another group's value is found`(zoom: Int) throws {
        var fixture = fixture()
        let place = try index(in: fixture, zoom) { $0.team == "red" && $0.pointCount > 1 }
        fixture.edit(zoom, place) { $0.with(properties: ["team": "blue"]) }
        #expect(try fixture.kinds().contains(.wrongClusterID))
    }

    @Test(arguments: zooms) func `a point that says no more that it is never merged is found`(zoom: Int) throws {
        var fixture = fixture()
        let place = try index(in: fixture, zoom) { $0.isUnclustered }
        let point = try fixture.point(zoom, place)
        let properties = point.properties.filter { $0.key != "unclustered" }
        fixture.zooms[zoom]?[place] = .point(
            Feature(id: point.id, coordinate: point.coordinate, properties: properties))
        #expect(try fixture.kinds().contains(.wrongSum))
    }

    @Test(arguments: zooms) func `a point that is said to be never merged is found`(zoom: Int) throws {
        var fixture = fixture()
        let place = try index(in: fixture, zoom) { !$0.isUnclustered && $0.pointCount == 1 }
        let point = try fixture.point(zoom, place)
        let properties = point.properties.merging(["unclustered": true]) { $1 }
        fixture.zooms[zoom]?[place] = .point(
            Feature(id: point.id, coordinate: point.coordinate, properties: properties))
        #expect(try fixture.kinds().contains(.wrongSum))
    }

    @Test func `points of one id in two groups are found`() throws {
        var fixture = fixture()
        for team in ["red", "blue"] {
            let place = try index(in: fixture, 6) { $0.team == .string(team) }
            let point = try fixture.point(6, place).with(id: "twice")
            fixture.zooms[6]?[place] = .point(point)
        }
        #expect(try fixture.kinds().contains(.repeatedID))
    }
}

extension Marker {
    fileprivate var team: PropertyValue? { isUnclustered ? nil : properties["team"] }
    fileprivate var isUnclustered: Bool { properties["unclustered"] == true }

    /// A cluster with the value and the id of its group.
    fileprivate func inTeam(_ team: PropertyValue) -> Marker {
        guard case .cluster(let cluster) = self, case .string(let name) = team else { return self }
        return .cluster(
            cluster.with(id: cluster.id ^ ClusterGroup.idMask(of: Array(name.utf8)), properties: ["team": team]))
    }
}
