import PyramidTiles

/// Finds the places near a place: places in Morton order, cut into the quadtree cells of one depth.
///
/// A cell is a run of places. Cells around one mostly lie close to it in the order as well, so a search that starts
/// there and doubles its steps takes a few of them, and O(log n) at worst.
struct CellIndex: Sendable {
    let depth: Int
    /// The places' codes, ascending.
    let codes: [UInt64]
    /// The cells that hold places, ascending.
    private var nodes: [UInt64] = []
    /// Where each cell's places begin, and the end of the last.
    private var starts: [Int] = []

    /// Takes O(n).
    /// - Parameters:
    ///   - codes: ascending.
    ///   - units: a cell is at least that wide, and less than twice as wide unless it is the whole world.
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

    /// Calls `body` with each cell in the square of three by three around a node that holds places, once each; the
    /// square continues beyond the antimeridian.
    /// - Parameter hint: a cell to start the search from; becomes one near the node.
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

    /// The first cell that is not before the node.
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
