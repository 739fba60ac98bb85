import PyramidTiles

/// The map, cut into ranges of Morton codes. One after the other is checked, so that memory holds the markers of one.
struct Regions: Equatable, Sendable {
    /// The first code of each region, ascending, from 0 on.
    private let starts: [UInt64]

    static let world = Regions(cuts: [])

    /// - Parameter cuts: where regions begin, besides 0; in any order.
    init(cuts: [UInt64]) { starts = Set(cuts).union([0]).sorted() }

    var count: Int { starts.count }

    /// The region of a place. O(log n)
    func index(of code: UInt64) -> Int { count == 1 ? 0 : starts.partitioningIndex { $0 > code } - 1 }

    subscript(index: Int) -> Region {
        let end = index + 1 < count ? starts[index + 1] - 1 : .max
        return Region(index: index, codes: starts[index]...end)
    }

    /// Calls `body` with each region that may have places in the square of twice `units` around a place, also across
    /// the antimeridian.
    func forEach(within units: UInt64, of code: UInt64, _ body: (Int) -> Void) {
        guard count > 1 else { return body(0) }
        guard units < 1 << 30 else { return (0..<count).forEach(body) }
        let point = MortonCode(rawValue: code).point
        let reach = UInt32(units)
        let (west, east) = (point.x &- reach, point.x &+ reach)
        let (north, south) = (point.y - min(point.y, reach), point.y + min(.max - point.y, reach))
        if west <= east {
            // Mostly one region holds even the quadtree node that holds the square.
            let first = MortonCode(WorldPoint(x: west, y: north)).rawValue
            let depth = (first ^ MortonCode(WorldPoint(x: east, y: south)).rawValue).leadingZeroBitCount / 2
            let mask = depth == 32 ? 0 : UInt64.max >> UInt64(2 * depth)
            let region = index(of: first & ~mask)
            if index(of: first | mask) == region { return body(region) }
        }
        forEachOfSeveral(west: west, north: north, south: south, reach: reach, body)
    }

    /// The square lies in at most nine by nine nodes, each of them a range of codes.
    private func forEachOfSeveral(west: UInt32, north: UInt32, south: UInt32, reach: UInt32, _ body: (Int) -> Void) {
        let bits = UInt64(max(0, 31 - reach.leadingZeroBitCount - 1))
        let mask = (UInt64(1) << (2 * bits)) - 1
        let columns = UInt64(1) << (32 - bits)
        let (firstColumn, lastColumn) = (UInt64(west) >> bits, (UInt64(west) + 2 * UInt64(reach)) >> bits)
        var found: [Int] = []
        for row in UInt64(north) >> bits...UInt64(south) >> bits {
            for column in firstColumn...lastColumn {
                let corner = WorldPoint(x: UInt32((column % columns) << bits), y: UInt32(row << bits))
                let first = MortonCode(corner).rawValue
                for region in index(of: first)...index(of: first | mask) where !found.contains(region) {
                    found.append(region)
                }
            }
        }
        found.forEach(body)
    }
}

/// A range of Morton codes. What is wrong with a marker is reported by the region that owns it; it knows more markers around.
struct Region: Sendable {
    let index: Int
    let codes: ClosedRange<UInt64>

    func owns(_ code: UInt64) -> Bool { codes.contains(code) }
}
