import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput
@testable import PyramidParts

/// An input that changes between the builds of two parts.
@Suite struct ChangedRowsTests {
    /// A row without an id, so that only its bytes and its place matter.
    private struct Row: Hashable {
        var place: WorldPoint
        var number: Int

        var coordinate: Coordinate { WebMercator.unproject(place) }

        /// The place that the program gives it.
        var worldPoint: WorldPoint { WebMercator.project(coordinate) }

        var text: String {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":["#
                + #"\#(coordinate.longitude),\#(coordinate.latitude)]},"properties":{"n":\#(number)}}"#
        }
    }

    /// One to three rows are added, removed, moved a little or far, or get another value.
    private func change(_ rows: inout [Row], _ random: inout SeededRandom) {
        for _ in 0...random.next(below: 3) {
            let index = random.next(below: rows.count)
            switch random.next(below: 5) {
            case 0:
                let place = rows[index].place
                let step = UInt32(truncatingIfNeeded: random.next()) >> UInt32(random.next(below: 12))
                rows[index].place = WorldPoint(x: place.x &+ step, y: place.y)
            case 1: rows[index].place = rows[random.next(below: rows.count)].place
            case 2: rows[index].number += 1000
            case 3: rows.remove(at: index)
            default: rows.append(Row(place: rows[index].place, number: rows.count + 2000))
            }
        }
    }

    @Test func `a join finds every changed row that two parts have read, and otherwise is a build of what they own`()
        throws
    {
        var (found, unseen) = (0, 0)
        for seed in 0..<(isCampaign ? 118 : 16) {
            var random = SeededRandom(seed: UInt64(seed))
            let shapes = PointScatter.Shape.allCases
            let places = PointScatter.points(shapes[seed % shapes.count], count: 120, random: &random)
            let rows = places.enumerated().map { Row(place: $1, number: $0) }
            var clustering = ClusteringOptions(position: seed % 5 == 4 ? .centroid : .anchor, maxZoom: 8)
            if seed % 3 == 1 { clustering.clusterDistance = 13 }
            let cutZoom = 4 + random.next(below: 3)
            let tiles = WorldCut(cutZoom: 2, random: &random).tiles.shuffled(using: &random)
            var changed = rows
            change(&changed, &random)
            let before = random.next(below: tiles.count + 1)

            let pyramid = try JoinedPyramid(rows: rows.map(\.text), clustering: clustering)
            var parts: [String] = []
            for (index, tile) in tiles.enumerated() {
                if index == before { try pyramid.replace(rows: changed.map(\.text)) }
                parts.append(try pyramid.build(tile, cutZoom: cutZoom))
            }

            // By part: its rows, and those of its halo that aren't as their owner has them.
            let haloUnits = clustering.partHaloUnits(cutZoom: cutZoom)
            let areas = tiles.map { PartArea($0, haloUnits: haloUnits) }
            func read(_ part: Int) -> [Row] { part < before ? rows : changed }
            let owned = areas.indices.flatMap { part in
                read(part).filter { areas[part].use(of: $0.worldPoint) == .counted }
            }
            let differs = areas.indices.contains { part in
                func halo(_ rows: [Row]) -> [String] {
                    rows.filter { areas[part].use(of: $0.worldPoint) == .uncounted }.map(\.text).sorted()
                }
                return halo(read(part)) != halo(owned)
            }
            if differs {
                found += 1
                let error = #expect(throws: StoreError.self, "\(seed)") { try pyramid.join(parts) }
                let message = "\(String(describing: error))"
                #expect(message.contains("the input changed between the parts"), "\(seed): \(message)")
                #expect(parts.count { message.contains($0) } == 2, "\(seed): \(message)")
            } else {
                unseen += 1
                try pyramid.replace(rows: owned.map(\.text))
                try pyramid.buildWhole()
                try pyramid.join(parts)
                #expect(try pyramid.differences() == [], "\(seed)")
            }
        }
        #expect(min(found, unseen) > 2, "\(found), \(unseen)")
    }
}
