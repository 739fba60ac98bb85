import TestSupport
import Testing

@testable import PyramidClient
@testable import PyramidTiles

@Suite(.tags(.threads)) struct MarkerChangesTests {
    private static func place(_ longitude: Double, _ latitude: Double) -> Coordinate {
        Coordinate(longitude: longitude, latitude: latitude)
    }

    private static func point(_ id: PropertyValue?, _ longitude: Double, _ latitude: Double, parent: UInt64? = nil)
        -> Marker
    {
        Marker.point(Feature(id: id, coordinate: place(longitude, latitude))).with(parentID: parent)
    }

    private static func cluster(
        _ id: UInt64, _ longitude: Double, _ latitude: Double, count: Int, box: [Int32], parent: UInt64? = nil
    ) -> Marker {
        Marker.cluster(
            Cluster(
                id: id, coordinate: place(longitude, latitude),
                boundingBox: BoundingBox(
                    west: box[0] * 1_000_000, south: box[1] * 1_000_000, east: box[2] * 1_000_000,
                    north: box[3] * 1_000_000),
                pointCount: count, expansionZoom: 5)
        ).with(parentID: parent)
    }

    /// The changes between markers that no filter changes.
    private static func changes(from old: [Marker], to new: [Marker], isOneZoom: Bool = false) throws -> MarkerChanges {
        MarkerChanges(from: try unfiltered(old), to: try unfiltered(new), isOneZoom: isOneZoom)
    }

    private static func unfiltered(_ markers: [Marker]) throws -> [FilteredMarker] {
        let tileJSON = TileJSON(tileTemplate: "", minZoom: 0, maxZoom: 9, bounds: .world, fields: [:])
        let matcher = try FacetMatcher(.all, tileJSON)
        return FilteredFile(markers.map { BundleRecord(zooms: 4...4, marker: $0) }, matcher).markers.compactMap(\.self)
    }

    @Test func `markers split out of the cluster whose box holds them, and merge into it`() throws {
        let coarse = [
            MarkerChangesTests.cluster(7, 178, -17, count: 5, box: [176, -20, -176, -15]),
            MarkerChangesTests.cluster(8, 10, 50, count: 3, box: [9, 49, 12, 51]),
            MarkerChangesTests.point("a", -70, 40),
        ]
        let fine = [
            MarkerChangesTests.cluster(7, 178, -17, count: 3, box: [177, -18, 179, -16]),
            MarkerChangesTests.point("b", -177, -19), MarkerChangesTests.point("c", 176.5, -15.5),
            MarkerChangesTests.point("d", 11, 50), MarkerChangesTests.point("a", -70, 40),
            MarkerChangesTests.point("e", 100, 0),
        ]
        let splitting = try MarkerChangesTests.changes(from: coarse, to: fine)
        #expect(splitting.added.map(\.marker.marker) == [fine[1], fine[2], fine[3], fine[5]])
        #expect(splitting.added.map(\.id) == [.point("b"), .point("c"), .point("d"), .point("e")])
        #expect(splitting.added.map(\.origin?.marker) == [coarse[0], coarse[0], coarse[1], nil])
        #expect(splitting.removed == [.init(id: .cluster(8), destination: nil)])
        #expect(splitting.updated.map(\.id) == [.cluster(7)] && splitting.updated.map(\.marker.marker) == [fine[0]])

        let merging = try MarkerChangesTests.changes(from: fine, to: coarse)
        #expect(merging.removed.map(\.id) == [.point("b"), .point("c"), .point("d"), .point("e")])
        #expect(merging.removed.map(\.destination?.marker) == [coarse[0], coarse[0], coarse[1], nil])
        #expect(merging.added.map(\.id) == [.cluster(8)] && merging.added.map(\.origin) == [nil])
        #expect(merging.updated.map(\.marker.marker) == [coarse[0]])

        let panning = try MarkerChangesTests.changes(from: coarse, to: fine, isOneZoom: true)
        #expect(panning.added.map(\.id) == splitting.added.map(\.id) && panning.updated == splitting.updated)
        #expect(panning.added.allSatisfy { $0.origin == nil })
    }

    @Test func `the parent that the pyramid names counts more than what is near`() throws {
        let near = MarkerChangesTests.cluster(1, 0, 0, count: 9, box: [-5, -5, 5, 5])
        let named = MarkerChangesTests.cluster(2, 4, 4, count: 9, box: [-5, -5, 5, 5])
        let child = MarkerChangesTests.point("a", 0.5, 0.25, parent: 2)
        #expect(try MarkerChangesTests.changes(from: [near, named], to: [child]).added.first?.origin?.marker == named)
        #expect(
            try MarkerChangesTests.changes(from: [child], to: [near, named]).removed.first?.destination?.marker == named
        )
        let nameless = MarkerChangesTests.point("a", 0.5, 0.25)
        #expect(
            try MarkerChangesTests.changes(from: [named, near], to: [nameless]).added.first?.origin?.marker == near)
    }

    /// A cluster keeps its id over several zooms, and has fewer points at the higher ones.
    @Test func `a parent of another zoom that has no more points than the marker is not its origin`() throws {
        let higher = MarkerChangesTests.cluster(2, 4, 4, count: 3, box: [3, 3, 5, 5])
        let large = MarkerChangesTests.cluster(7, 1, 1, count: 3, box: [0, 0, 2, 2], parent: 2)
        #expect(try MarkerChangesTests.changes(from: [higher], to: [large]).added.map(\.origin) == [nil])
    }

    @Test func `the nearest is found across the antimeridian, and never a smaller cluster`() throws {
        let marker = MarkerChangesTests.cluster(3, 179.9, 0.5, count: 4, box: [179, 0, -179, 1])
        let across = MarkerChangesTests.cluster(4, -179.5, 0.25, count: 5, box: [170, -5, -170, 5])
        let farther = MarkerChangesTests.cluster(5, 175, 0.25, count: 50, box: [170, -5, -170, 5])
        let small = MarkerChangesTests.cluster(6, 179.9, 0.5, count: 4, box: [170, -5, -170, 5])
        let narrow = MarkerChangesTests.cluster(9, 179.9, 0.5, count: 9, box: [179, 0, 180, 1])
        #expect(
            try MarkerChangesTests.changes(from: [marker], to: [small, narrow, farther, across]).removed.first?
                .destination?.marker == across)
    }

    @Test func `another parent makes no other marker`() throws {
        let changes = try MarkerChangesTests.changes(
            from: [MarkerChangesTests.point(nil, 1, 2, parent: 5)], to: [MarkerChangesTests.point(nil, 1, 2, parent: 6)]
        )
        #expect(changes.updated.isEmpty && changes.added.isEmpty && changes.removed.isEmpty)
    }

    @Test func `the same id at another place has moved`() throws {
        let before = [
            MarkerChangesTests.point(12, 5, 6), MarkerChangesTests.cluster(1, 5, 6, count: 2, box: [5, 6, 6, 7]),
        ]
        let after = [
            MarkerChangesTests.cluster(1, 5.5, 6, count: 2, box: [5, 6, 6, 7]), MarkerChangesTests.point(12, 5, 6.5),
        ]
        let changes = try MarkerChangesTests.changes(from: before, to: after)
        #expect(
            changes.updated.map(\.marker.marker) == after && changes.updated.map(\.id) == [.cluster(1), .point(12)])
        #expect(changes.added.isEmpty && changes.removed.isEmpty)
    }

    @Test func `points without ids that are alike are counted`() throws {
        let twin = MarkerChangesTests.point(nil, 3, 4)
        let changes = try MarkerChangesTests.changes(from: [twin, twin], to: [twin, twin, twin])
        #expect(changes.added.map(\.marker.marker) == [twin] && changes.added.map(\.origin) == [nil])
        #expect(changes.updated.isEmpty && changes.removed.isEmpty)
    }
}
