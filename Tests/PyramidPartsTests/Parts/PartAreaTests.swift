import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput
@testable import PyramidParts

@Suite struct PartAreaTests {
    @Test(arguments: [(40, 10, 4), (60, 13, 0), (256, 3, 1), (9, 14, 12)])
    func `the halo is as wide as the reach of the specification, not a pixel less`(
        distance: Int, clusterMaxZoom: Int, cutZoom: Int
    ) {
        let options = ClusteringOptions(
            clusterDistance: PixelsByZoom(distance), maxZoom: clusterMaxZoom + 1, clusterMaxZoom: clusterMaxZoom)
        // In pixels of the cut zoom, step by step: members, and markers near them; colours; two rounds.
        var pixels = 0.0
        for zoom in cutZoom...clusterMaxZoom {
            let scale = pow(0.5, Double(zoom - cutZoom))
            let cell =
                pow(2, floor(log2(Double(distance)))) == Double(distance)
                ? Double(distance) : pow(2, ceil(log2(Double(distance))))
            pixels += (2 * Double(distance) + 4 * cell + 2 * 2 * Double(distance)) * scale
        }
        let units = Double(options.haloUnits(cutZoom: cutZoom))
        let pixel = pow(2, 24 - Double(cutZoom))
        // A small cell at the last zoom is at most a quarter of the distance.
        let smallCell = Double(distance) / 4 * pow(0.5, Double(clusterMaxZoom - cutZoom))
        #expect(units > (pixels - 1) * pixel && units <= (pixels + smallCell) * pixel)
    }

    @Test func `the halo of the default distance is below 992 pixels, and wider with centroids`() {
        var options = ClusteringOptions(maxZoom: 14)
        let anchor = options.haloUnits(cutZoom: 5)
        #expect(anchor < 992 << 19 && anchor > 980 << 19)
        options.position = .centroid
        #expect(options.haloUnits(cutZoom: 5) > anchor)
    }

    private func distance(of place: Int64, from start: Int64, _ side: Int64) -> Int64 {
        max(start - place, place - (start + side - 1), 0)
    }

    @Test func `the place of a point is that of its distance from the part`() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<2000 {
            let z = random.next(below: 6)
            guard let tile = TileCoordinate(z: z, x: random.next(below: 1 << z), y: random.next(below: 1 << z)) else {
                Issue.record("no tile")
                return
            }
            let halo = random.next() >> UInt64(30 + random.next(below: 20))
            let area = PartArea(tile, haloUnits: halo)
            let point = WorldPoint(
                x: UInt32(truncatingIfNeeded: random.next()), y: UInt32(truncatingIfNeeded: random.next()))
            let side = Int64(1) << Int64(32 - z)
            let (left, top) = (Int64(tile.x) * side, Int64(tile.y) * side)
            // The nearest of the copies of the part round the world.
            let copies = [left - (1 << 32), left, left + (1 << 32)]
            let east = copies.map { distance(of: Int64(point.x), from: $0, side) }.min() ?? 0
            let south = distance(of: Int64(point.y), from: top, side)
            let farther = UInt64(max(east, south))
            let expected: RowUse = farther == 0 ? .counted : farther <= halo ? .uncounted : .leftOut
            #expect(area.use(of: point) == expected, "\(tile) \(halo) \(point)")
        }
    }

    @Test func `the ranges of cells are those of the cells that overlap the part or its halo`() throws {
        var random = SeededRandom(seed: 6)
        for round in 0..<600 {
            let z = random.next(below: 4)
            let zoom = z + random.next(below: 4)
            let tile = try #require(TileCoordinate(z: z, x: random.next(below: 1 << z), y: random.next(below: 1 << z)))
            // Some halos end at the border of a cell, some within one.
            let cell = Int64(1) << Int64(32 - zoom)
            let rest = Int64(random.next() & UInt64(cell - 1))
            let halo = Int64(random.next(below: 6)) * cell + (round % 2 == 0 ? 0 : rest)
            let side = Int64(1) << Int64(32 - z)
            let nodes = (UInt64(0)..<1 << UInt64(2 * zoom)).filter { _ in random.next(below: 4) > 0 }
            let expected = nodes.filter { node in
                let point = TileCoordinate(node: node, atZoom: zoom)
                /// The width of the gap between the cell and the part.
                func gap(_ place: Int, _ start: Int64) -> Int64 {
                    let place = Int64(place) * cell
                    return max(start - (place + cell), place - (start + side), -1)
                }
                let (left, top) = (Int64(tile.x) * side, Int64(tile.y) * side)
                let east = [left - (1 << 32), left, left + (1 << 32)].map { gap(point.x, $0) }.min() ?? 0
                return max(east, gap(point.y, top)) < halo
            }
            var found: [UInt64] = []
            PartArea(tile, haloUnits: UInt64(halo)).forEachRange(of: nodes, atZoom: zoom) { found += nodes[$0] }
            #expect(found == expected, "\(tile) \(zoom) \(halo)")
        }
    }

    @Test(arguments: [(40, 256), (40, 512), (13, 256), (200, 256)])
    func `rows in the halo of another part are digested by both, in cells that are all in the halo`(
        distance: Int, tileSize: Int
    ) throws {
        var random = SeededRandom(seed: UInt64(distance + tileSize))
        var options = ClusteringOptions(clusterDistance: PixelsByZoom(distance), maxZoom: 14)
        options.tileSize = tileSize
        let cutZoom = 5
        let units = options.partHaloUnits(cutZoom: cutZoom)
        #expect(units >= options.haloUnits(cutZoom: cutZoom) && units < options.haloUnits(cutZoom: cutZoom) * 12 / 10)
        let zoom = options.digestZoom(cutZoom: cutZoom)
        var (digested, others) = (0, 0)
        for _ in 0..<40 {
            let tiles = WorldCut(cutZoom: cutZoom, random: &random).tiles
            let areas = tiles.map { PartArea($0, haloUnits: units, digestZoom: zoom) }
            for _ in 0..<40 {
                let point = WorldPoint(
                    x: UInt32(truncatingIfNeeded: random.next()), y: UInt32(truncatingIfNeeded: random.next()))
                let owner = try #require(areas.first { $0.use(of: point) == .counted })
                let copies = areas.filter { $0.use(of: point) == .uncounted }
                let node = owner.digestNode(of: point)
                guard !copies.isEmpty else {
                    others += 1
                    continue
                }
                digested += 1
                let cell = TileCoordinate(containing: point, atZoom: zoom)
                #expect(node == cell.node)
                let corners = [cell.codes.lowerBound, cell.codes.upperBound].map { MortonCode(rawValue: $0).point }
                for copy in copies {
                    #expect(copy.digestNode(of: point) == node)
                    for corner in corners { #expect(copy.use(of: corner) == .uncounted) }
                }
            }
        }
        #expect(digested > 100 && others + digested == 1600)
    }

    @Test func `rows that no other part can read are not digested`() throws {
        let tile = try #require(TileCoordinate(z: 2, x: 1, y: 3))
        let area = PartArea(tile, haloUnits: 1 << 24, digestZoom: 8)
        let (west, north): (UInt32, UInt32) = (1 << 30, 3 << 30)
        let (side, halo): (UInt32, UInt32) = (1 << 30, 1 << 24)
        let inner = halo..<side - halo
        let places: [UInt32] = [
            0, inner.lowerBound - 1, inner.lowerBound, inner.upperBound - 1, inner.upperBound, side - 1,
        ]
        for (x, y) in places.flatMap({ x in places.map { (x, $0) } }) {
            let node = area.digestNode(of: WorldPoint(x: west + x, y: north + y))
            #expect((node == nil) == (inner.contains(x) && inner.contains(y)))
        }
        #expect(PartArea(tile, haloUnits: 1 << 24).digestNode(of: WorldPoint(x: west, y: north)) == nil)
    }

    @Test func `one part of the world counts the rows that are nowhere`() {
        var random = SeededRandom(seed: 9)
        for cutZoom in 0..<7 {
            let tiles = WorldCut(cutZoom: cutZoom, random: &random).tiles
            #expect(tiles.count { PartArea($0, haloUnits: 0).countsRowsWithoutPlace } == 1)
        }
    }
}
