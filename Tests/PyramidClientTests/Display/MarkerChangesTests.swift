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

    @Test func `markers split out of the cluster whose box holds them, and merge into it`() {
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
        let splitting = MarkerChanges(from: coarse, to: fine)
        #expect(splitting.added.map(\.marker) == [fine[1], fine[2], fine[3], fine[5]])
        #expect(splitting.added.map(\.origin) == [coarse[0], coarse[0], coarse[1], nil])
        #expect(splitting.removed == [.init(marker: coarse[1], destination: nil)])
        #expect(splitting.updated == [.init(before: coarse[0], after: fine[0])])
        #expect(splitting.moved.isEmpty)
        #expect(splitting.unchanged == [coarse[2]])

        let merging = MarkerChanges(from: fine, to: coarse)
        #expect(merging.removed.map(\.marker) == [fine[1], fine[2], fine[3], fine[5]])
        #expect(merging.removed.map(\.destination) == [coarse[0], coarse[0], coarse[1], nil])
        #expect(merging.added == [.init(marker: coarse[1], origin: nil)])
        #expect(merging.updated == [.init(before: fine[0], after: coarse[0])])
    }

    @Test func `the parent that the pyramid names counts more than what is near`() {
        let near = MarkerChangesTests.cluster(1, 0, 0, count: 9, box: [-5, -5, 5, 5])
        let named = MarkerChangesTests.cluster(2, 4, 4, count: 9, box: [-5, -5, 5, 5])
        let child = MarkerChangesTests.point("a", 0.5, 0.25, parent: 2)
        #expect(MarkerChanges(from: [near, named], to: [child]).added.first?.origin == named)
        #expect(MarkerChanges(from: [child], to: [near, named]).removed.first?.destination == named)
        let nameless = MarkerChangesTests.point("a", 0.5, 0.25)
        #expect(MarkerChanges(from: [named, near], to: [nameless]).added.first?.origin == near)
    }

    /// A cluster keeps its id over several zooms, and has fewer points at the higher ones.
    @Test func `a parent of another zoom that has no more points than the marker is not its origin`() {
        let higher = MarkerChangesTests.cluster(2, 4, 4, count: 3, box: [3, 3, 5, 5])
        let large = MarkerChangesTests.cluster(7, 1, 1, count: 3, box: [0, 0, 2, 2], parent: 2)
        #expect(MarkerChanges(from: [higher], to: [large]).added == [.init(marker: large, origin: nil)])
    }

    @Test func `the nearest is found across the antimeridian, and never a smaller cluster`() {
        let marker = MarkerChangesTests.cluster(3, 179.9, 0.5, count: 4, box: [179, 0, -179, 1])
        let across = MarkerChangesTests.cluster(4, -179.5, 0.25, count: 5, box: [170, -5, -170, 5])
        let farther = MarkerChangesTests.cluster(5, 175, 0.25, count: 50, box: [170, -5, -170, 5])
        let small = MarkerChangesTests.cluster(6, 179.9, 0.5, count: 4, box: [170, -5, -170, 5])
        let narrow = MarkerChangesTests.cluster(9, 179.9, 0.5, count: 9, box: [179, 0, 180, 1])
        #expect(
            MarkerChanges(from: [marker], to: [small, narrow, farther, across]).removed.first?.destination == across)
    }

    @Test func `another parent makes no other marker`() {
        let changes = MarkerChanges(
            from: [MarkerChangesTests.point(nil, 1, 2, parent: 5)], to: [MarkerChangesTests.point(nil, 1, 2, parent: 6)]
        )
        #expect(changes.unchanged.count == 1 && changes.added.isEmpty && changes.removed.isEmpty)
    }

    @Test func `the same id at another place has moved`() {
        let before = [
            MarkerChangesTests.point(12, 5, 6), MarkerChangesTests.cluster(1, 5, 6, count: 2, box: [5, 6, 6, 7]),
        ]
        let after = [
            MarkerChangesTests.cluster(1, 5.5, 6, count: 2, box: [5, 6, 6, 7]), MarkerChangesTests.point(12, 5, 6.5),
        ]
        let changes = MarkerChanges(from: before, to: after)
        #expect(
            changes.moved == [.init(before: before[1], after: after[0]), .init(before: before[0], after: after[1])])
        #expect(
            changes.added.isEmpty && changes.removed.isEmpty && changes.updated.isEmpty && changes.unchanged.isEmpty)
    }

    @Test func `points without ids that are alike are counted`() {
        let twin = MarkerChangesTests.point(nil, 3, 4)
        let changes = MarkerChanges(from: [twin, twin], to: [twin, twin, twin])
        #expect(changes.unchanged == [twin, twin])
        #expect(changes.added == [.init(marker: twin, origin: nil)])
        #expect(changes.removed.isEmpty)
    }
}
