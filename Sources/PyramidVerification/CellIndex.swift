import PyramidTiles

/// Finds the places near a place. The places are in Morton order, divided into the quadtree cells of one depth.
///
/// A cell is a range of places. Neighbouring cells are mostly close in that order too, so a search that starts nearby
/// and doubles its steps takes only a few steps, and O(log n) at worst.
struct CellIndex: Sendable {
    let depth: Int
    /// The places' codes, in ascending order.
    let codes: [UInt64]
    /// The cells that contain places, in ascending order.
    private var nodes: [UInt64] = []
    /// Where each cell's places begin, and then where the last cell's end.
    private var starts: [Int] = []

    /// O(n)
    /// - Parameters:
    ///   - codes: ascending.
    ///   - units: the minimum width of a cell. A cell is less than twice as wide, unless it is the whole world.
    init(ascending codes: [UInt64], cellsAtLeast units: UInt64) {
        self.codes = codes
        let bits = units <= 1 ? 0 : min(32, UInt64.bitWidth - (units - 1).leadingZeroBitCount)
        depth = 32 - bits
        for (index, code) in codes.enumerated() {
            let node = MortonCode(rawValue: code).node(atDepth: depth)
            guard nodes.last != node else { continue }
            nodes.append(node)
            starts.append(index)
        }
        starts.append(codes.count)
    }

    var cellCount: Int { nodes.count }

    func node(ofCell cell: Int) -> UInt64 { nodes[cell] }

    /// The indices of a cell's places.
    func places(ofCell cell: Int) -> Range<Int> { starts[cell]..<starts[cell + 1] }

    /// Calls `body` once for each cell with places among the three by three around a node, also across the
    /// antimeridian.
    /// - Parameter hint: the cell at which the search starts; set to one near the node.
    func forEachCell(around node: UInt64, from hint: inout Int, _ body: (Int) -> Void) {
        let mask = UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(depth)) - 1)
        let column = MortonCode.gather(node)
        let row = MortonCode.gather(node >> 1)
        // At depths 0 and 1 there are fewer than three columns.
        let columns = min(3, 1 << min(depth, 2))
        for rowOffset in -1...1 {
            let nearRow = Int64(row) + Int64(rowOffset)
            guard nearRow >= 0, nearRow <= Int64(mask) else { continue }
            let rowBits = MortonCode.spread(UInt32(truncatingIfNeeded: nearRow)) << 1
            for columnOffset in 0..<UInt32(columns) {
                let nearNode = MortonCode.spread((column &+ columnOffset &- 1) & mask) | rowBits
                hint = lowerBound(of: nearNode, from: hint)
                if hint < nodes.count, nodes[hint] == nearNode { body(hint) }
            }
        }
    }

    /// The first cell that isn't before the node.
    private func lowerBound(of node: UInt64, from hint: Int) -> Int {
        var low = min(hint, nodes.count)
        var high = low
        var step = 1
        // Widen until the cells before `low` are before the node, and those from `high` on are not.
        while low > 0, nodes[low - 1] >= node {
            high = low - 1
            low = max(0, low - step)
            step *= 2
        }
        while high < nodes.count, nodes[high] < node {
            low = high + 1
            high = min(nodes.count, high + step)
            step *= 2
        }
        while low < high {
            let middle = low + (high - low) / 2
            if nodes[middle] < node { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Finds the places around one place after another. That is fast for places in Morton order, because they share cells.
struct NearSearch {
    let index: CellIndex
    /// The indices of the places in the three by three cells around the last place.
    private(set) var near: [Int] = []
    private var node: UInt64?
    private var isWithinLimit = true
    private var hint = 0

    init(index: CellIndex) {
        self.index = index
    }

    /// Sets ``near`` to the places around this one.
    /// - Returns: `false` if they are more than a sound zoom can have. Then the search stops, so that no arrangement of
    ///   markers makes it slow.
    mutating func move(to code: MortonCode) -> Bool {
        let node = code.node(atDepth: index.depth)
        if self.node == node { return isWithinLimit }
        self.node = node
        near.removeAll(keepingCapacity: true)
        isWithinLimit = true
        index.forEachCell(around: node, from: &hint) { cell in
            let places = index.places(ofCell: cell)
            isWithinLimit = isWithinLimit && near.count + places.count <= CellIndex.placesLimit
            if isWithinLimit { near.append(contentsOf: places) }
        }
        return isWithinLimit
    }
}

extension CellIndex {
    /// More places than three by three cells can hold. A cell is less than 7 cluster distances wide
    /// (`NestingCheck+Reach`), and a square 1/√2 of the distance wide holds one place, so there are at most 30 by 30.
    static let placesLimit = 1024
}

/// Exact comparisons of distances between world points, in whole units.
extension WorldPoint {
    /// The square of the distance; `nil` if it is 2⁶⁴ or more.
    func squaredDistance(to other: WorldPoint) -> UInt64? {
        let east = eastward(from: other).magnitude
        let south = southward(from: other).magnitude
        let (square, overflow) = (east * east).addingReportingOverflow(south * south)
        return overflow ? nil : square
    }

    /// Whether the points are closer than `units`, in 1 ... 2³².
    func isCloser(than units: UInt64, to other: WorldPoint) -> Bool {
        guard let square = squaredDistance(to: other) else { return false }
        // The square of 2³² doesn't fit, but the number before it does.
        return square <= units &* units &- 1
    }
}
