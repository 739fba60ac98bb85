import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput
@testable import PyramidParts

@Suite struct PartPlanTests {
    /// A plan of random rows: spread, in towns of different sizes, at the edges, and across the antimeridian.
    struct Case: CustomStringConvertible {
        let seed: Int
        let clustering: ClusteringOptions
        let cells: CellCounts
        let limit: Int
        let plan: PartPlan

        var description: String { "\(seed)" }

        init(seed: Int) {
            self.seed = seed
            var random = SeededRandom(seed: UInt64(seed))
            var clustering = ClusteringOptions(clusterDistance: PixelsByZoom([10, 40, 52][seed % 3]), maxZoom: 12)
            if seed % 7 == 3 { clustering.position = .centroid }
            if seed % 4 == 1 { clustering.tileSize = 512 }
            let cutZoom = random.next(below: 11)
            let zoom = clustering.countingZoom(cutZoom: cutZoom)
            let width = 1 << zoom
            var counts: [UInt64: Int] = [:]
            let towns = (0..<4).map { town in
                (town == 0 ? 0 : random.next(below: width), random.next(below: width), 1 + width >> (town + 2))
            }
            for _ in 0..<300 {
                var (x, y) = (random.next(below: width), random.next(below: width))
                if random.next(below: 5) > 0 {
                    let (townX, townY, size) = towns[random.next(below: 4)]
                    x = (townX + width - random.next(below: size)) % width
                    y = min(townY + random.next(below: size), width - 1)
                }
                guard let cell = TileCoordinate(z: zoom, x: x, y: y) else { continue }
                counts[cell.node, default: 0] += 1 + random.next(below: 3)
            }
            self.clustering = clustering
            cells = CellCounts(zoom: zoom, counts: counts)
            limit = [20, 60, 200, 1000][random.next(below: 4)]
            plan = PartPlan(cells: cells, clustering: clustering, cutZoom: cutZoom, rowsPerPart: limit)
        }

        /// The rows in the tile and in cells that are nearer to it than `pixels` of the cut zoom, by the distance of
        /// every cell.
        func rows(of tile: TileCoordinate, pixels: Double) -> Int {
            let (side, width) = (1 << (cells.zoom - tile.z), 1 << cells.zoom)
            let cellPixels = Double(256 << (plan.cutZoom - cells.zoom))
            func distance(_ place: Int, _ start: Int) -> Double {
                let gap = place < start ? start - place - 1 : place - start - side
                return place >= start && place < start + side ? -1 : Double(gap) * cellPixels
            }
            return cells.counts.reduce(0) { sum, entry in
                let cell = TileCoordinate(node: entry.key, atZoom: cells.zoom)
                let across = [-width, 0, width].map { distance(cell.x + $0, tile.x * side) }.min() ?? 0
                return max(across, distance(cell.y, tile.y * side)) < pixels ? sum + entry.value : sum
            }
        }

        /// The halo in pixels of the cut zoom, with the pixel of slack.
        var pixels: Double {
            let units = plan.haloUnits
            return units == 0 ? 0 : Double(units) / Double(1 << (24 - plan.cutZoom)) + 1
        }
    }

    static let cases = (0..<40).map(Case.init)

    @Test(arguments: cases)
    func `parts are in Z order and cover the world without overlap`(_ planned: Case) {
        var next: UInt64? = 0
        for part in planned.plan.parts {
            #expect(part.tile.codes.lowerBound == next)
            next = part.tile.codes.upperBound == .max ? nil : part.tile.codes.upperBound + 1
        }
        #expect(next == nil)
    }

    @Test(arguments: cases)
    func `rows are those of the cells in a part and in its halo`(_ planned: Case) {
        #expect(planned.plan.parts.reduce(0) { $0 + $1.rows } == planned.cells.counts.values.reduce(0, +))
        for part in planned.plan.parts {
            #expect(part.rows == planned.rows(of: part.tile, pixels: 0), "\(part.tile)")
            #expect(part.rowsWithHalo == planned.rows(of: part.tile, pixels: planned.pixels), "\(part.tile)")
        }
    }

    @Test(arguments: cases)
    func `only tiles with more rows than the limit are split, and those that remain above it can't be`(
        _ planned: Case
    ) {
        let (plan, limit) = (planned.plan, planned.limit)
        let deepest = planned.clustering.deepestPartZoom(cutZoom: plan.cutZoom)
        #expect(plan.parts(exceeding: limit) == plan.parts.filter { $0.rowsWithHalo > limit })
        for part in plan.parts {
            #expect(part.tile.z <= deepest)
            if part.tile.z > 0, let parent = part.tile.ancestor(atZoom: part.tile.z - 1) {
                #expect(planned.rows(of: parent, pixels: planned.pixels) > limit)
            }
            guard part.rowsWithHalo > limit else { continue }
            // The most that a smallest possible part in it would read.
            let (side, shift) = (1 << (deepest - part.tile.z), deepest - part.tile.z)
            let least =
                (0..<side * side).compactMap { index in
                    TileCoordinate(
                        z: deepest, x: part.tile.x << shift + index % side, y: part.tile.y << shift + index / side)
                }.map { planned.rows(of: $0, pixels: planned.pixels) }.max() ?? 0
            #expect(least > limit && 4 * part.rowsWithHalo <= 5 * least)
        }
    }

    @Test func `the cases differ`() {
        let plans = PartPlanTests.cases.map(\.plan)
        #expect(plans.count { Set($0.parts.map(\.tile.z)).count > 1 } > 10)
        #expect(zip(plans, PartPlanTests.cases).count { !$0.parts(exceeding: $1.limit).isEmpty } > 10)
        #expect(zip(plans, PartPlanTests.cases).count { $0.parts(exceeding: $1.limit).isEmpty } > 10)
    }

    @Test func `without rows the world is one part`() throws {
        let plan = PartPlan(
            cells: CellCounts(zoom: 5), clustering: ClusteringOptions(), cutZoom: 7, rowsPerPart: 10)
        let world = try #require(TileCoordinate(z: 0, x: 0, y: 0))
        #expect(plan.parts == [.init(tile: world, rows: 0, rowsWithHalo: 0)])
    }

    /// If it were split, all its parts would read the rows of the spot.
    @Test func `the area around a spot with most of the rows isn't split`() throws {
        let clustering = ClusteringOptions(maxZoom: 12)
        let zoom = clustering.countingZoom(cutZoom: 8)
        let (spot, other) = (TileCoordinate(z: zoom, x: 9, y: 21), TileCoordinate(z: zoom, x: 40, y: 50))
        let zooms = try [250, 251].map { otherRows in
            var cells = CellCounts(zoom: zoom)
            cells.counts[try #require(spot).node] = 1000
            cells.counts[try #require(other).node] = otherRows
            return PartPlan(cells: cells, clustering: clustering, cutZoom: 8, rowsPerPart: 100).parts.map(\.tile.z)
        }
        #expect(zooms == [[0], [1, 1, 1, 1]])
    }

    /// Rows across the antimeridian, more in the north.
    private func rows(atZoom zoom: Int) -> CellCounts {
        var cells = CellCounts(zoom: zoom)
        let width = 1 << zoom
        for index in 0..<400 {
            let (x, y) = (
                (width - 5 + index * index % 97 * index % 61) % width, (width / 3 + index * index % 43) % width
            )
            guard let cell = TileCoordinate(z: zoom, x: x, y: y) else { continue }
            cells.counts[cell.node, default: 0] += index % 17 + 1
        }
        return cells
    }

    /// The plans that pyramid_spark 1 made, in Python.
    @Test(arguments: [
        (
            ClusteringOptions(maxZoom: 12), 8, 400,
            """
            2/0/0:0:0 2/1/0:0:0 2/0/1:223:306 2/1/1:282:322 2/2/0:0:0 2/3/0:0:0 2/2/1:265:318 2/3/1:134:212 \
            3/0/4:148:203 3/1/4:156:192 3/0/5:88:118 3/1/5:77:99 3/2/4:82:90 3/3/4:136:202 3/2/5:86:104 3/3/5:73:116 \
            2/0/3:282:339 2/1/3:265:316 3/4/4:138:210 3/5/4:145:210 3/4/5:92:118 3/5/5:73:83 3/6/4:134:202 \
            3/7/4:109:200 3/6/5:84:91 3/7/5:76:76 2/2/3:220:245 2/3/3:196:227
            """
        )
    ])
    func `the plan is known for some rows`(
        clustering: ClusteringOptions, cutZoom: Int, limit: Int, expected: String
    ) {
        let cells = rows(atZoom: clustering.countingZoom(cutZoom: cutZoom))
        let plan = PartPlan(cells: cells, clustering: clustering, cutZoom: cutZoom, rowsPerPart: limit)
        #expect(
            plan.parts.map { "\($0.tile):\($0.rows):\($0.rowsWithHalo)" }.joined(separator: " ") == expected)
    }

    @Test(arguments: 1...256)
    func `the smallest parts are twice as wide as their halo`(distance: Int) {
        for cutZoom in 0...12 {
            let options = ClusteringOptions(clusterDistance: PixelsByZoom(distance), maxZoom: 14)
            let zoom = options.deepestPartZoom(cutZoom: cutZoom)
            let units = options.partHaloUnits(cutZoom: cutZoom)
            #expect(zoom == 0 || UInt64(1) << UInt64(32 - zoom) >= 2 * units)
            #expect(zoom == cutZoom || UInt64(1) << UInt64(31 - zoom) < 2 * units + 1 << UInt64(26 - cutZoom))
            #expect((zoom...max(cutZoom, 0)).contains(options.countingZoom(cutZoom: cutZoom)))
        }
    }

    @Test func `the cut is the highest zoom that the join can take`() throws {
        let options = ClusteringOptions(maxZoom: 12)
        var asked: [Int] = []
        func cutZoom(_ joinMarkers: Int) -> Int {
            options.cutZoom(
                occupiedCells: { depth in
                    asked.append(depth)
                    return 1000 * (depth - 1)
                }, joinMarkers: joinMarkers)
        }
        // A distance of 40 pixels leaves a marker a cell of 64.
        #expect(options.markerDepth(atZoom: 5) == 7)
        #expect(cutZoom(8000) == 7)
        #expect(asked == [12, 11, 10, 9])
        #expect(cutZoom(7999) == 6)
        #expect(cutZoom(100_000) == 10)
        // 4^5 cells are few enough without asking.
        asked = []
        #expect(cutZoom(1024) == 3)
        #expect(asked.min() == 6)
        #expect(ClusteringOptions(minZoom: 4, maxZoom: 12).cutZoom(occupiedCells: { _ in 9 }, joinMarkers: 1) == 4)
    }

    @Test func `the world is cut where parts have clusters to write`() {
        #expect(ClusteringOptions(maxZoom: 12).cutZooms == 0...10)
        #expect(ClusteringOptions(minZoom: 3, maxZoom: 12, clusterMaxZoom: 7).cutZooms == 3...6)
        #expect(ClusteringOptions(maxZoom: 23).cutZooms == 0...14)
        #expect(ClusteringOptions(minZoom: 16, maxZoom: 23).cutZooms == 16...16)
        #expect(ClusteringOptions(maxZoom: 1).cutZooms == nil)
        #expect(ClusteringOptions(minZoom: 11, maxZoom: 12).cutZooms == nil)
        #expect(ClusteringOptions(maxZoom: 12, clusterMaxZoom: 0).cutZooms == nil)
        #expect(ClusteringOptions(maxZoom: 12, clusterMaxZoom: -1).cutZooms == nil)
    }
}
